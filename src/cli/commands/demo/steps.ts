import { dirname, join } from 'node:path';
import { createClient } from '../../../client/create.ts';
import { cutBody } from '../../../contract/json/body.ts';
import type { JsonObject, JsonText } from '../../../contract/json/json.ts';
import { readParams } from '../../../contract/params/read-params.ts';
import forex from '../../../endpoints/fx/forex.ts';
import { ENDPOINTS, MAPPINGS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { openMirror } from '../../../mirror/sqlite/open.ts';
import type { Platform } from '../../../platform/platform.ts';
import { openSandbox } from '../../../sandbox/open.ts';
import type { SandboxSize } from '../../../sandbox/world.ts';
import { parseKeys } from '../../../serve/access/keys.ts';
import { withAddresses } from '../../../serve/addresses.ts';
import type { ServerParts } from '../../../serve/options.ts';
import { type RunningServer, startServe } from '../../../serve/start.ts';
import { LABELS } from '../../../source/labels.ts';
import { createMirrorSource } from '../../../source/mirror.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { runSync } from '../../../sync/run.ts';
import { selectTargets } from '../../../sync/series/select.ts';
import { pluralized } from './page.ts';

/** What the demo brings into its mirror. */
const SELECTION = 'fx eur usd, fx gbp jpy, announcements usd inflation, calendar usd, sentiment';

/** Shows a line that the next one replaces. */
export type Live = (line: string) => void;

type Log = NonNullable<ServerParts['log']>;

/** Milliseconds for one request of the demo's own. */
const DEADLINE = 10_000;

export interface OpenSandbox {
  readonly server: RunningServer;
  readonly mirror: Mirror;
  readonly series: number;
  readonly rows: number;
}

/** Fills the sandbox for today where it is not filled yet, and serves it under one key. */
export async function startSandbox(
  platform: Platform,
  options: { folder: string; key: string; size: SandboxSize; log: Log },
  live: Live,
): Promise<OpenSandbox> {
  const { folder, size } = options;
  const now = platform.clock.now();
  const onProgress = ({ series, rows }: { series: number; rows: number }) =>
    live(`making synthetic data: ${pluralized(rows)} rows in ${series} series`);
  const { path } = await openSandbox({ platform, folder, now, size, onProgress });
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
  try {
    const stored = (
      await Promise.all(Object.keys(MAPPINGS).map((endpoint) => mirror.find({ endpoint, scope: {} })))
    ).flat();
    const counts = await Promise.all(stored.map((series) => mirror.count(series, {})));
    const rows = counts.reduce((sum, count) => sum + count, 0);
    return { server: await serveMirror(platform, mirror, options), mirror, series: stored.length, rows };
  } catch (error) {
    mirror.close();
    throw error;
  }
}

/** Serves a mirror on a free port of this machine, with keys and quotas enforced. */
export async function serveMirror(
  platform: Platform,
  mirror: Mirror,
  { key, log }: { key: string; log: Log },
): Promise<RunningServer> {
  const labels = await withAddresses(LABELS, mirror);
  const source = createMirrorSource({ mirror, labels });
  const options = { labels, keys: parseKeys(`${key} individual demo`) };
  return startServe({ source, mirror, endpoints: ENDPOINTS, platform, log, options, port: 0 });
}

export interface DemoQuestion {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Asks a server once over HTTP, as any program would. */
export async function askServer(
  platform: Pick<Platform, 'fetch'>,
  server: RunningServer,
  question: { path: string; key?: string },
): Promise<DemoQuestion> {
  const headers = question.key === undefined ? {} : { 'x-api-key': question.key };
  const response = await platform.fetch(`${server.address}${question.path}`, { headers, deadline: DEADLINE });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * How many rows a server shows for the question that the mirror answered; they must be the same ones.
 * @throws MacroError of kind `internal`.
 */
export function sameRows(question: DemoQuestion, answer: OfflineAnswer): number {
  const served = cutBody(forex.body, question.text).rows.map((row) => row.text);
  if (served.length > 0 && served.join() === answer.rows.join()) return served.length;
  throw new MacroError('internal', 'The server answered with other rows than the mirror that it serves.');
}

/**
 * Makes an empty mirror where the demo's last one stood. Only a synthetic one is ever put away.
 * @throws MacroError of kind `mirror`.
 */
export async function openFreshMirror(platform: Platform, path: string): Promise<Mirror> {
  const { files } = platform;
  if (files.exists(path)) {
    const last = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
    const { nature } = await last.stamp();
    last.close();
    if (nature !== 'synthetic')
      throw new MacroError('mirror', `${path} is a mirror that the demo did not make.`, {
        hint: 'Move it away, or set MACRO_HOME to another folder.',
      });
    for (const ending of ['-wal', '-shm', '']) if (files.exists(`${path}${ending}`)) files.remove(`${path}${ending}`);
  }
  files.makeFolder(dirname(path), 0o700);
  return openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
}

/** Brings the selection into the mirror through the client that every sync uses. */
export async function syncSelection(
  platform: Platform,
  parts: { mirror: Mirror; server: RunningServer; key: string; signal: AbortSignal },
  live: Live,
): Promise<SyncReport> {
  const { mirror, server, key, signal } = parts;
  const { clock } = platform;
  const targets = await selectTargets(SELECTION.split(' '), {
    endpoints: ENDPOINTS,
    now: clock.now(),
    indicatorsOf: async () => [],
  });
  const client = createClient({ platform, baseUrl: server.address, key });
  const report = await runSync({
    client,
    mirror,
    clock,
    targets,
    signal,
    onProgress: ({ name, index, of, seen, total }) =>
      live(`${bar(seen, total)} ${index}/${of} ${name}: ${pluralized(seen)} rows`),
  });
  const failed = report.series.find(({ problem }) => problem)?.problem;
  if (failed) throw new MacroError(failed.kind, failed.message, failed.hint === undefined ? {} : { hint: failed.hint });
  return report;
}

function bar(seen: number, total: number | undefined): string {
  const done = total === undefined || total === 0 ? 20 : Math.round((20 * Math.min(seen, total)) / total);
  return `[${'#'.repeat(done)}${'-'.repeat(20 - done)}]`;
}

export interface OfflineAnswer {
  readonly rows: readonly JsonText[];
  readonly envelope: JsonObject;
}

/**
 * `fx eur usd --indicators all`, from the mirror alone.
 * @throws MacroError of kind `internal`.
 */
export async function askOffline(platform: Platform, mirror: Mirror): Promise<OfflineAnswer> {
  const now = platform.clock.now();
  const raw = { path: { base: 'eur', quote: 'usd' }, query: { indicators: 'all' } };
  const { args } = readParams(forex, raw, { mode: 'liberal', now });
  const source = createMirrorSource({ mirror, labels: LABELS });
  const reply = await source.ask({ endpoint: forex, args }, { caller: { kind: 'owner' }, now });
  if (!reply.synthetic)
    throw new MacroError('internal', 'The demo answered from a mirror that is not marked as synthetic.');
  const { envelope, rows } = cutBody(forex.body, reply.body);
  return { envelope, rows: rows.map((row) => row.text) };
}

/** Where the demo's mirror is kept: in a folder of its own, where no profile has its mirror. */
export function demoMirrorPath(mirrors: string): string {
  return join(mirrors, 'demo', 'mirror.db');
}
