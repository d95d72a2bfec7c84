import type { Endpoint } from '../../contract/endpoint.ts';
import {
  type BodyRow,
  type BodyShape,
  cutBody,
  patchRow,
  type RowTexts,
  spliceBody,
} from '../../contract/json/body.ts';
import {
  asJsonText,
  isJsonObject,
  type JsonObject,
  type JsonText,
  objectIn,
  objectText,
  readJson,
} from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';
import { type JsonSchema, propertiesOf, string } from '../../contract/json/schema.ts';
import type { Args } from '../../contract/params/params.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { WITHOUT_CADENCE } from '../../contract/words/words.ts';
import { scalarType, type ViewType } from '../../mirror/rules/views.ts';
import { questionText } from '../../source/question.ts';
import type { Question, Reply } from '../../source/source.ts';
import type { Listing } from './listing.ts';
import { listingView } from './listing-view.ts';

export const SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** How the contract begins the description of a duration, with the seconds of its unit. */
const UNITS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600 };

/** Members about the origin of a row. Their parts are columns of their own where they matter. */
const PROVENANCE: ReadonlySet<string> = new Set(['source', 'source_legs', 'provenance', 'attestation']);

/** A reply as rows to print. The body stays the text that it is. */
export function listAnswer(question: Question, reply: Reply, moment: { now: number; imported?: boolean }): Listing {
  const { endpoint } = question;
  const { envelope, rows, values } = rowsOfReply(endpoint, reply);
  const fields = propertiesOf(endpoint.row);
  let read: readonly JsonObject[] | undefined;
  return {
    columns: endpoint.cli?.columns ?? [],
    known: [...Object.keys(fields), ...Object.keys(propertiesOf(itemOf(endpoint)))].filter(
      (name) => name !== endpoint.cli?.lines,
    ),
    always: Array.isArray(endpoint.row.required) ? endpoint.row.required.map(String) : [],
    rows,
    ...(endpoint.cli?.lines !== undefined && { lines: linesOf([...rows], endpoint.cli.lines) }),
    spare: endpoint.cli?.spare ?? [],
    ...columnKinds(endpoint, question.args),
    facts: {
      question: questionText(question.endpoint, question.args, 'without paging'),
      ...rowsFact(envelope),
      ...(reply.past && { as_of: isoSeconds(Math.floor(reply.past.at / 1000)), availability: reply.past.by }),
      nature: reply.synthetic ? 'synthetic' : 'real',
      answered_by: reply.from,
      ...(reply.partial && { mirror: JSON.stringify(reply.partial.mark) }),
    },
    // Getters compute the fields that only some formats show.
    get added() {
      return addedBy(question);
    },
    get types() {
      return typesOf({ ...fields, ...propertiesOf(itemOf(endpoint)) });
    },
    get chart() {
      return chartOfAnswer(question, envelope);
    },
    body: (chosen) => (chosen === undefined ? reply.body : rebuild(endpoint, reply.body, chosen)),
    view: listingView({
      ...{ question, reply, ...moment, envelope, count: rows.length },
      get rows() {
        read ??= values();
        return read;
      },
    }),
  };
}

/** The rows of a reply, and how they are read: most formats print them as they are. */
function rowsOfReply(endpoint: Endpoint, reply: Reply) {
  const { body: shape } = endpoint;
  const { parts } = reply;
  if (parts) {
    const { envelope } = cutBody(shape, spliceBody(shape, parts.envelope, []));
    return { envelope, rows: parts.rows, values: () => Array.from(parts.rows, (row) => readJson<JsonObject>(row)) };
  }
  const cut = cutBody(shape, reply.body);
  const rows: RowTexts = shape.kind === 'document' ? [reply.body] : cut.rows.map((row) => named(endpoint, row));
  return { envelope: cut.envelope, rows, values: () => cut.rows.map(({ value }) => value) };
}

/** Members that the arguments of the question add to its rows, such as technical indicators. */
function addedBy({ endpoint: { mirror }, args }: Question): ReadonlySet<string> {
  const given = Object.entries(mirror?.effects ?? {}).filter(([name]) => args[name] !== undefined);
  return new Set(given.flatMap(([, effect]) => (effect.does === 'adds' ? effect.rows : [])));
}

/** The chart of the endpoint; an endpoint with only a sparkline is drawn over its first column. */
function chartOfAnswer({ endpoint: { cli }, args }: Question, { unit }: JsonObject): Listing['chart'] {
  const [at] = cli?.columns ?? [];
  if (cli?.chart) return typeof cli.chart === 'function' ? cli.chart(args) : cli.chart;
  if (at === undefined || cli?.spark === undefined) return undefined;
  const ofPair = args.quote === undefined ? undefined : `${args.quote} for one ${args.base}`;
  const axis = typeof unit === 'string' ? unit.replaceAll('_', ' ') : ofPair;
  const steps = WITHOUT_CADENCE.has(String(args.indicator)) ? [cli.spark] : [];
  return {
    at,
    panels: [{ values: [cli.spark], alike: ['previous_value'], steps, ...(axis !== undefined && { unit: axis }) }],
  };
}

/** Rows with each item of a list that they hold as a line of its own; one with nothing listed is one line. */
function linesOf(rows: readonly JsonText[], member: string): readonly JsonText[] {
  return rows.flatMap((row) => {
    const { [member]: list, ...others } = Object.fromEntries(membersOf(row));
    const items = list?.startsWith('[') ? memberSpans(list).map(({ start, end }) => list.slice(start, end)) : [];
    const lines = items.filter((item) => item.startsWith('{'));
    return (lines.length === 0 ? ['{}'] : lines).map((line) =>
      objectText(new Map([...Object.entries(others), ...membersOf(line)])),
    );
  });
}

function membersOf(object: string): readonly (readonly [string, string])[] {
  return memberSpans(object).map(({ name, start, end }) => [name, object.slice(start, end)]);
}

/** The schema of an item that is a line of its own. */
function itemOf({ row, cli }: Endpoint): JsonObject {
  return objectIn(objectIn(cli?.lines === undefined ? undefined : propertiesOf(row)[cli.lines]).items);
}

/** The row with the name that it has as a member of the body. */
function named({ body }: Endpoint, row: BodyRow): JsonText {
  if (body.kind !== 'map' || Object.hasOwn(row.value, body.keyName)) return row.text;
  const name = `${JSON.stringify(body.keyName)}:${JSON.stringify(row.name)}`;
  const inner = row.text.trim().slice(1, -1).trim();
  return asJsonText(`{${name}${inner === '' ? '' : `,${inner}`}}`);
}

function rebuild(endpoint: Endpoint, body: JsonText, rows: readonly JsonText[]): JsonText {
  const shape = endpoint.body;
  if (shape.kind === 'list') return patchRow(body, { [shape.member]: asJsonText(`[${rows.join(',')}]`) });
  if (shape.kind !== 'map') return rows[0] ?? body;
  const named = rows.map((row, i): readonly [string, JsonText] => {
    const value: unknown = readJson(row);
    const name = isJsonObject(value) ? value[shape.keyName] : undefined;
    return [typeof name === 'string' ? name : String(i), row];
  });
  return spliceMap(shape, body, named);
}

/** Which rows of the answer these are, as the answer tells it: pages of a walk are one answer. */
function rowsFact({ pagination }: JsonObject): Readonly<Record<string, string>> {
  if (!isJsonObject(pagination) || typeof pagination.total_count !== 'number') return {};
  const { returned_count: returned, total_count: total, offset } = pagination;
  return { rows: `${returned} of ${total}${offset ? `, after the first ${offset}` : ''}` };
}

function typesOf(fields: JsonObject): ReadonlyMap<string, ViewType> {
  return new Map(
    Object.entries(fields).flatMap(([name, schema]) => {
      const type = isJsonObject(schema) ? scalarType(schema) : undefined;
      return type === undefined ? [] : [[name, type] as const];
    }),
  );
}

/** The columns of an answer by kind: times, durations, or about where a row comes from. */
export function columnKinds(
  endpoint: Endpoint,
  args: Args,
): Pick<Listing, 'times' | 'durations' | 'provenance' | 'zone' | 'computed'> {
  const { timezone } = args;
  const { computed: own = [] } = endpoint.cli ?? {};
  const computed = new Set([
    ...(endpoint.mirror?.dependent ?? []).filter((name) => !name.startsWith('previous_')),
    ...own,
  ]);
  const times = new Set<string>();
  const durations = new Map<string, number>();
  const provenance = new Set<string>();
  for (const { name, schema } of [...schemaMembers(endpoint.row, ''), ...schemaMembers(itemOf(endpoint), '')]) {
    const { description = '', type, properties, items } = schema;
    if (/Unix seconds/.test(String(description))) times.add(name);
    const unit = UNITS[/^(\w+) (?:from|until|of) /.exec(String(description))?.[1] ?? ''];
    if (unit !== undefined) durations.set(name, unit);
    const isNested = properties !== undefined || items !== undefined || type === 'object' || type === 'array';
    if (isNested && PROVENANCE.has(name)) provenance.add(name);
  }
  return { times, durations, provenance, computed, ...(typeof timezone === 'string' && { zone: timezone }) };
}

/** Members of an object and of what they hold, named with dots, as `--fields` names them. */
function schemaMembers(object: JsonObject, before: string): readonly { name: string; schema: JsonObject }[] {
  return Object.entries(propertiesOf(object)).flatMap(([name, schema]) =>
    isJsonObject(schema) ? [{ name: `${before}${name}`, schema }, ...schemaMembers(schema, `${before}${name}.`)] : [],
  );
}

/** A map with these rows instead of its own; what stands beside them keeps its spelling, long numbers included. */
export function spliceMap(
  shape: BodyShape & { readonly kind: 'map' },
  body: string,
  rows: readonly (readonly [name: string, text: JsonText])[],
): JsonText {
  const spans = memberSpans(body);
  const [only] = spans;
  if (only && spans.length === 1 && only.name === shape.wrapper)
    return spliceMap(shape, body.slice(only.start, only.end), rows);
  const beside = spans.filter(({ name, start }) => shape.besides.includes(name) || body[start] !== '{');
  return objectText([...rows, ...beside.map(({ name, start, end }) => [name, body.slice(start, end)] as const)]);
}

/** The JSON Schema of a row as `ndjson` prints it; a row that the service names by a member carries that name. */
export function rowSchema({ id, row, body, doc }: Endpoint): JsonSchema {
  const described = { $schema: SCHEMA_DIALECT, title: id, description: doc.summary, ...row };
  if (body.kind !== 'map') return described;
  return { ...described, properties: { [body.keyName]: string(), ...propertiesOf(row) } };
}
