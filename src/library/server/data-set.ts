import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { memberFor } from '../../contract/mapping.ts';
import { dateOf } from '../../contract/time/time.ts';
import { endpointById, MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { openMirror } from '../../mirror/sqlite/open.ts';
import type { Platform } from '../../platform/platform.ts';
import { sandboxDays } from '../../sandbox/days.ts';
import { fillSandbox } from '../../sandbox/fill.ts';
import { SANDBOX_SEED } from '../../sandbox/open.ts';
import { commitOfSeries, rowOf } from '../../sandbox/rows.ts';
import { createWorld } from '../../sandbox/world.ts';
import type { GivenSeries, MacroServerOptions } from '../api/server.ts';
import { openEngine } from '../mirror/open-engine.ts';

/** The data of a server, open. */
export interface DataSet {
  readonly mirror: Mirror;
  /** It is a file of this server alone, so that releases and subscriptions may be written. */
  readonly isOwn: boolean;
  /** Does what is due by a moment, in milliseconds. */
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

/** The day of the data set that the package carries: a Monday, in milliseconds. */
const PREPARED_DAY = Date.parse('2026-07-06T00:00:00Z');

/** Beside the bundle of the library; scripts/prepared-sandbox.mjs makes it. */
const PACKED = 'sandbox.db.zst';

/** Bytes of the file unpacked, at most. */
const MAX_BYTES = 256 * 1024 * 1024;

/** What the clock shows at the start, where nobody says it: the day of the prepared data, or the present. Milliseconds. */
export function defaultClock(data: MacroServerOptions['data'], { clock }: Pick<Platform, 'clock'>): number {
  return data === undefined || data === 'sandbox' ? PREPARED_DAY : clock.now();
}

/** Opens the data as they are at the start. */
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

/** A row without its key could not be kept, and one without a member that every row has would be no answer of the service. */
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
    throw new MacroError('usage', `Row ${at} of ${id} lacks ${[...new Set(missing)].join(', ')}.`, {
      hint: `Every row of ${id} has ${[...new Set([...required, ...keys.map(({ from, name }) => from ?? name)])].join(', ')}.`,
    });
  return rowOf(id, value, named === undefined ? undefined : String(value[named]));
}

/** Puts the data set of the day of `now` (milliseconds) at a path. That of another day than the prepared one is made, which takes seconds. */
async function placeSandbox(platform: Platform, path: string, now: number): Promise<void> {
  const packed = join(dirname(fileURLToPath(import.meta.url)), PACKED);
  if (dateOf(now) === dateOf(PREPARED_DAY) && platform.files.exists(packed)) placePrepared(platform, packed, path);
  else await makeSandbox(platform, path, now);
}

/** Fills a new file. */
async function makeSandbox(platform: Platform, path: string, now: number): Promise<void> {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  try {
    await fillSandbox({ mirror, seed: SANDBOX_SEED, now, size: 'small' });
  } finally {
    mirror.close();
  }
}

/** The unpacked file is kept from one start to the next, named by its content; a copy of it is faster than unpacking. */
function placePrepared(platform: Platform, packed: string, path: string): void {
  const { files } = platform;
  const bytes = files.readBytes(packed);
  const folder = cacheFolder(platform);
  const kept = join(folder, `${hash('sha256', bytes, 'hex').slice(0, 16)}.db`);
  const whole = files.exists(kept) ? undefined : zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES });
  if (whole && !keep(platform, { folder, kept, whole })) files.write(path, whole, 0o600);
  else files.copy(kept, path);
}

/** False where this user can keep nothing. Files of other versions go. */
function keep(
  { files }: Platform,
  { folder, kept, whole }: { folder: string; kept: string; whole: Uint8Array },
): boolean {
  try {
    files.makeFolder(folder, 0o700);
    for (const name of files.list(folder)) if (name.endsWith('.db')) files.remove(join(folder, name));
    files.write(kept, whole, 0o600);
    return true;
  } catch (error) {
    if (error instanceof MacroError) return false;
    throw error;
  }
}

function cacheFolder({ env, home }: Platform): string {
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'macro-data', 'sandbox');
}
