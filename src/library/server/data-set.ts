import { join } from 'node:path';
import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { memberFor } from '../../contract/mapping.ts';
import { endpointById, MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { Platform } from '../../platform/platform.ts';
import { sandboxDays } from '../../sandbox/days.ts';
import { SANDBOX_SEED } from '../../sandbox/open.ts';
import { commitOfSeries, rowOf } from '../../sandbox/rows.ts';
import { createWorld } from '../../sandbox/world.ts';
import type { GivenSeries, MacroServerOptions } from '../api/server.ts';
import { openEngine } from '../mirror/open-engine.ts';
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
export function notOwn(what: string): MacroError {
  return new MacroError('usage', `A server over a mirror of yours makes up no ${what}: the mirror is only read.`, {
    hint: "Use { data: 'sandbox' } or rows of your own.",
  });
}

/** Writes the rows of a test as generated data that are whole at a moment, in milliseconds. */
async function commitGiven(mirror: Mirror, given: readonly GivenSeries[], now: number): Promise<void> {
  const world = createWorld({ seed: SANDBOX_SEED, size: 'small', now });
  for (const series of given) {
    const endpoint = endpointOf(series);
    const rows = series.rows.map((row, at) => checkedRow(endpoint, row, at));
    const { scope, envelope } = series;
    await mirror.commitPage(
      commitOfSeries(world, {
        ...{ endpoint: endpoint.id, scope: checkedScope(endpoint, scope), rows },
        ...(isJsonObject(envelope) && { envelope }),
      }),
    );
  }
}

function endpointOf({ endpoint: id }: GivenSeries): Endpoint {
  const endpoint = endpointById(id);
  if (endpoint?.mirror) return endpoint;
  throw new MacroError('usage', `Rows of '${id}' cannot be given.`, {
    hint: `Legal endpoints: ${Object.keys(MAPPINGS).join(', ')}.`,
  });
}

function checkedScope({ id, mirror }: Endpoint, scope: GivenSeries['scope']): GivenSeries['scope'] {
  const names = [...(mirror?.scope ?? [])];
  if (names.toSorted().join() === Object.keys(scope).toSorted().join()) return scope;
  throw new MacroError('usage', `A series of ${id} is named by ${names.join(', ') || 'nothing'}.`, {
    hint: `Give a scope with ${names.length === 0 ? 'no members' : `the members ${names.join(', ')}`}.`,
  });
}

/** Throws if a row misses its key, without which it cannot be stored, or a required member. */
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
    throw new MacroError('usage', `Row ${at} of ${id} has no ${[...new Set(missing)].join(', ')}.`, {
      hint: `Every row of ${id} has ${[...new Set([...required, ...keys.map(({ from, name }) => from ?? name)])].join(', ')}.`,
    });
  return rowOf(id, value, named === undefined ? undefined : String(value[named]));
}
