import { join } from 'node:path';
import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject, objectIn } from '../../contract/json/json.ts';
import { propertiesOf } from '../../contract/json/schema.ts';
import { memberFor } from '../../contract/mapping.ts';
import { isCalendarDate } from '../../contract/time/time.ts';
import { endpointById, MAPPINGS } from '../../endpoints/index.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Platform } from '../../platform/platform.ts';
import { sandboxDays } from '../../sandbox/days.ts';
import { SANDBOX_SEED } from '../../sandbox/open.ts';
import { commitOfSeries, rowOf } from '../../sandbox/rows.ts';
import { createWorld } from '../../sandbox/world.ts';
import { seriesOfQuestion } from '../../source/question.ts';
import type { GivenSeries, MacroServerOptions } from '../api/server.ts';
import { UsageError } from '../errors.ts';
import { readGivenList, refuseUnknownOptions } from '../given.ts';
import { openEngine } from '../mirror/open-engine.ts';
import { readArguments } from '../questions.ts';
import { PREPARED_DAY, placeSandbox } from './prepared-sandbox.ts';

/** The data of a server, open. */
export interface DataSet {
  readonly mirror: Mirror;
  /** It is a file of this server alone, so that releases and subscriptions may be written. */
  readonly isOwn: boolean;
  /** Performs everything due by a moment, in milliseconds. */
  upTo(now: number): Promise<void>;
}

export interface DataSetOptions {
  readonly platform: Platform;
  readonly data: MacroServerOptions['data'];
  /** Milliseconds. */
  readonly now: number;
  /** Empty; for the files of this server. */
  readonly folder: string;
}

/** The default time of the clock at the start: the day of the prepared data, or the present. Milliseconds. */
export function defaultClock(data: MacroServerOptions['data'], { clock }: Pick<Platform, 'clock'>): number {
  return data === undefined || data === 'sandbox' ? PREPARED_DAY : clock.now();
}

export async function openDataSet(options: DataSetOptions): Promise<DataSet> {
  const { data = 'sandbox', platform, folder } = options;
  if (data !== 'sandbox' && typeof data === 'string') {
    const mirror = await openEngine(platform, { path: data, mode: 'read' });
    return { mirror, isOwn: false, upTo: async () => undefined };
  }
  const path = join(folder, 'data.db');
  if (data === 'sandbox') await placeSandbox(platform, path, options.now);
  const mirror = await openEngine(platform, { path, mode: 'write' });
  return data === 'sandbox' ? openSandboxDays(mirror, options) : openGiven(mirror, data, options.now);
}

async function openSandboxDays(mirror: Mirror, { platform, now }: DataSetOptions): Promise<DataSet> {
  const world = createWorld({ seed: SANDBOX_SEED, size: 'small', now });
  const days = sandboxDays(mirror, world, () => platform.clock.turnEnd());
  await days.upTo(now);
  return { mirror, isOwn: true, upTo: async (then) => void (await days.upTo(then)) };
}

async function openGiven(
  mirror: Mirror,
  data: Exclude<MacroServerOptions['data'], string | undefined>,
  now: number,
): Promise<DataSet> {
  await commitGiven(mirror, data, now);
  // They are all that there is, at any moment that the clock shows.
  return { mirror, isOwn: true, upTo: (then) => commitGiven(mirror, data, then) };
}

/** The refusal to write into data that are not the server's own. */
export function notOwn(what: string): UsageError {
  return new UsageError(`A server over a mirror of yours makes up no ${what}: the mirror is only read.`, {
    hint: "Use { data: 'sandbox' } or rows of your own.",
  });
}

/** Writes the rows of a test as generated data that are whole at a moment, in milliseconds. */
async function commitGiven(mirror: Mirror, given: readonly GivenSeries[], now: number): Promise<void> {
  const world = createWorld({ seed: SANDBOX_SEED, size: 'small', now });
  const commits = readGivenList(given, 'data').map((series) => {
    refuseUnknownOptions(series, ['endpoint', 'scope', 'rows', 'envelope']);
    const endpoint = endpointOf(series);
    const rows = readGivenList(series.rows, 'rows').map((row, at) => checkedRow(endpoint, row, at));
    const { scope, envelope } = series;
    return commitOfSeries(world, {
      ...{ endpoint: endpoint.id, scope: checkedScope(endpoint, scope, now), rows },
      ...(isJsonObject(envelope) && { envelope }),
    });
  });
  const names = commits.map(({ request }) => request);
  const doubled = names.find((name, at) => names.indexOf(name) < at);
  if (doubled !== undefined)
    throw new UsageError(`A series is given twice: ${doubled}.`, { hint: 'Give each one whole.' });
  for (const commit of commits) await mirror.commitPage(commit);
}

function endpointOf({ endpoint: id }: GivenSeries): Endpoint {
  const endpoint = endpointById(id);
  if (endpoint?.mirror) return endpoint;
  throw new UsageError(`Rows of '${id}' cannot be given.`, {
    hint: `Legal endpoints: ${Object.keys(MAPPINGS).join(', ')}.`,
  });
}

/** The arguments that name a series, spelled as in a question; arguments that are left out have their defaults. */
function checkedScope(endpoint: Endpoint, scope: GivenSeries['scope'], now: number): GivenSeries['scope'] {
  const names = endpoint.mirror?.scope ?? [];
  const given = objectIn(scope);
  const isNamed = Object.keys(endpoint.at).every((name) => given[name] !== undefined);
  if (isNamed && Object.keys(given).every((name) => names.includes(name)))
    return seriesOfQuestion(endpoint, readArguments(endpoint, given, { now }).args).scope;
  throw new UsageError(`A series of ${endpoint.id} is named by ${names.join(', ') || 'nothing'}.`, {
    hint: `Give a scope with ${names.length === 0 ? 'no members' : `the members ${names.join(', ')}`}.`,
  });
}

/** Throws if a row misses its key or a required member, or if a member is not of the type that the interface gives it. */
function checkedRow({ id, row: shape, mirror, body }: Endpoint, row: object, at: number) {
  const value: JsonObject = isJsonObject(row) ? row : {};
  const required = Array.isArray(shape.required) ? shape.required.map(String) : [];
  const keys = (mirror?.key ?? []).filter((column) => column.otherwise === undefined);
  const named = body.kind === 'map' ? body.keyName : undefined;
  const missing = [
    ...required.filter((name) => value[name] === undefined),
    ...keys.filter((column) => memberFor(value, column) === undefined).map(({ from, name }) => from ?? name),
  ];
  if (missing.length > 0)
    throw new UsageError(`Row ${at} of ${id} has no ${[...new Set(missing)].join(', ')}.`, {
      hint: `Every row of ${id} has ${[...new Set([...required, ...keys.map(({ from, name }) => from ?? name)])].join(', ')}.`,
    });
  const odd = Object.entries(propertiesOf(shape)).find(([name, schema]) => !isOfType(value[name], objectIn(schema)));
  if (odd)
    throw new UsageError(`Row ${at} of ${id} has ${odd[0]}: ${JSON.stringify(value[odd[0]])}.`, {
      hint: `The interface has there: ${JSON.stringify(odd[1])}.`,
    });
  return rowOf(id, value, named === undefined ? undefined : String(value[named]));
}

/** Members that are left out, or have no type, may be anything. */
function isOfType(value: Json | undefined, { type, format }: JsonObject): boolean {
  if (value === undefined || type === undefined) return true;
  const types = [type].flat();
  if (typeof value === 'number')
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  if (format === 'date' && typeof value === 'string') return isCalendarDate(value);
  return types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
}
