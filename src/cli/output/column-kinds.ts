import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { propertiesOf } from '../../contract/json/schema.ts';
import type { Args } from '../../contract/params/params.ts';
import type { Listing } from './listing.ts';

/** What the contract says of the columns of an answer: which are times, durations, or about where a row comes from. */
export function columnKinds(
  endpoint: Endpoint,
  { timezone }: Args,
): Pick<Listing, 'times' | 'durations' | 'provenance' | 'zone'> {
  const members = [...membersOf(endpoint.row, ''), ...itemsOf(endpoint)];
  return {
    times: new Set(members.filter(({ schema }) => /Unix seconds/.test(docOf(schema))).map(({ name }) => name)),
    durations: new Map(
      members.flatMap(({ name, schema }) => {
        const unit = UNITS[/^(\w+) (?:from|until|of) /.exec(docOf(schema))?.[1] ?? ''];
        return unit === undefined ? [] : [[name, unit] as const];
      }),
    ),
    provenance: new Set(
      members.filter(({ name, schema }) => PROVENANCE.has(name) && isNested(schema)).map(({ name }) => name),
    ),
    ...(typeof timezone === 'string' && { zone: timezone }),
  };
}

/** How the contract begins the description of a duration, with the seconds of its unit. */
const UNITS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600 };

/** Members about the origin of a row. Their parts are columns of their own where they matter. */
const PROVENANCE: ReadonlySet<string> = new Set(['source', 'source_legs', 'provenance', 'attestation']);

interface Member {
  /** With dots, as `--fields` names it. */
  readonly name: string;
  readonly schema: JsonObject;
}

/** The members of an object and those of the objects in it. */
function membersOf(object: JsonObject, before: string): readonly Member[] {
  return Object.entries(propertiesOf(object)).flatMap(([name, schema]) =>
    isJsonObject(schema) ? [{ name: `${before}${name}`, schema }, ...membersOf(schema, `${before}${name}.`)] : [],
  );
}

/** Members of the items that are lines of their own. */
function itemsOf({ row, cli }: Endpoint): readonly Member[] {
  const list = cli?.lines === undefined ? undefined : propertiesOf(row)[cli.lines];
  return isJsonObject(list) && isJsonObject(list.items) ? membersOf(list.items, '') : [];
}

function isNested({ type, properties, items }: JsonObject): boolean {
  return properties !== undefined || items !== undefined || type === 'object' || type === 'array';
}

function docOf({ description }: JsonObject): string {
  return typeof description === 'string' ? description : '';
}
