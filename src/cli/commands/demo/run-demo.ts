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
import { type RunningServer, startServe } from '../../../serve/create.ts';
import type { ServerParts } from '../../../serve/options.ts';
import { LABELS } from '../../../source/labels.ts';
import { createMirrorSource } from '../../../source/mirror.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { runSync } from '../../../sync/run.ts';
import { selectTargets } from '../../../sync/series/select.ts';
import { type App, usesColor } from '../../app/app.ts';
import { foldersOf } from '../../app/config-file.ts';
import { isOn } from '../../parse/options.ts';
import { pageText, pluralized } from './demo.ts';

type World = Pick<Platform, 'files' | 'env' | 'cwd' | 'home' | 'os'>;

/** What the demo brings into its mirror. */
const SELECTION = 'fx eur usd, fx gbp jpy, announcements usd inflation, calendar usd, sentiment';

/** Shows a line that the next one replaces. */
type Live = (line: string) => void;

type Log = NonNullable<ServerParts['log']>;

/** Milliseconds for one request of the demo's own. */
const DEADLINE = 10_000;

interface OpenSandbox {
  readonly server: RunningServer;
  readonly mirror: Mirror;
  readonly series: number;
  readonly rows: number;
}

export type DemoStage = Pick<
  App,
  'platform' | 'options' | 'signal' | 'say' | 'warn' | 'log' | 'progress' | 'printText'
>;

/** Serves the sandbox, syncs from it, answers offline and over HTTP. Whatever happens, nothing is left listening. */
export async function runDemo(stage: DemoStage, options: { size?: SandboxSize } = {}): Promise<void> {
  const { platform } = stage;
  const steps = createSteps(stage);
  const started = platform.clock.now();
  const closing: Close[] = [];
  const path = demoMirrorPath(foldersOf(platform).mirrors);
  await stage.warn('everything here is synthetic: made by a generator, published by nobody', 'synthetic');
  try {
    const set = {
      key: `demo_${Buffer.from(platform.random.bytes(16)).toString('hex')}`,
      size: options.size ?? 'full',
      path,
      log: (text: string, code: string) => void stage.log(text, code),
      later: (close: Close) => void closing.push(close),
    };
    const answer = await play(stage, steps, set);
    await closeAll(closing);
    const color = usesColor(platform, stage.options, platform.io.stdout);
    const mirror = typedPath(path, platform);
    const seconds = (platform.clock.now() - started) / 1000;
    const next = nextCommands(programName(platform), mirror);
    await stage.printText(pageText({ ...answer, seconds, next, mirror, color }));
  } finally {
    await closeAll(closing);
  }
}

type Close = () => Promise<void> | void;

interface Scene {
  readonly key: string;
  readonly log: (text: string, code: string) => void;
  readonly size: SandboxSize;
  /** Of the mirror that the demo fills. */
  readonly path: string;
  /** Takes what is to be closed at the end. */
  readonly later: (close: Close) => void;
}

async function play({ platform, signal }: DemoStage, steps: Steps, scene: Scene): Promise<OfflineAnswer> {
  const { key, later } = scene;
  const sandbox = await steps.run(async (live) => {
    const opened = await startSandbox(platform, { ...scene, folder: foldersOf(platform).mirrors }, live);
    later(() => opened.mirror.close());
    later(opened.server.close);
    const summary = `Sandbox service on 127.0.0.1: ${pluralized(opened.rows)} rows in ${opened.series} series`;
    return { server: opened.server, summary };
  });
  await steps.run(async () => ({ summary: await tryDoors(platform, sandbox.server, key) }));
  const mirror = await openFreshMirror(platform, scene.path);
  later(() => mirror.close());
  await steps.run(async (live) => {
    const report = await syncSelection(platform, { mirror, server: sandbox.server, key, signal }, live);
    const brought = `${report.requests} requests brought ${pluralized(report.rows.added)} rows`;
    return { summary: `Sync: ${brought} of ${report.series.length} series, each complete` };
  });
  const answer = await steps.run(async () => ({
    ...(await askOffline(platform, mirror)),
    summary: 'Offline: fx eur usd --indicators all, answered from the mirror alone',
  }));
  await steps.run(async () => {
    const server = await serveMirror(platform, mirror, scene);
    later(server.close);
    const path = '/v1/forex/EUR/USD?indicators=all';
    const question = expectStatus(await askServer(platform, server, { path, key }), 200);
    return {
      summary: `Serve: GET ${path} gave the same ${sameRows(question, answer)} rows`,
    };
  });
  return answer;
}

/** Without the key the sandbox refuses; with it, it counts. */
async function tryDoors(platform: Platform, server: RunningServer, key: string): Promise<string> {
  const path = '/v1/forex/EUR/USD?limit=1';
  const { status } = expectStatus(await askServer(platform, server, { path }), 401);
  const { headers } = expectStatus(await askServer(platform, server, { path, key }), 200);
  const left = `${headers.get('ratelimit-remaining')} of ${headers.get('ratelimit-limit')}`;
  return `Keys and quotas: ${status} without a key, with it ${left} requests left`;
}

function nextCommands(program: string, mirror: string): readonly (readonly [string, string])[] {
  return [
    [`${program} import ecb`, 'official euro rates: no key, no service'],
    [`${program} fx gbp jpy --offline --mirror ${mirror}`, 'from the mirror'],
    [`${program} serve --sandbox`, 'all of it over HTTP, until Ctrl-C'],
    [`${program} init`, 'choose a real service'],
  ];
}

interface Steps {
  run<T extends { readonly summary: string }>(work: (live: Live) => Promise<T>): Promise<T>;
}

/** Shows each step while it runs, and says when it is done. */
function createSteps(stage: DemoStage): Steps {
  let done = 0;
  return {
    async run(work) {
      stage.signal.throwIfAborted();
      const result = await work((line) => void stage.progress(line));
      done += 1;
      if (!isOn(stage.options, 'quiet')) await stage.say(`${done}/5 ${result.summary}`, 'demo_step');
      return result;
    },
  };
}

async function closeAll(closing: Close[]): Promise<void> {
  // The last opened first: a server before the mirror that it reads.
  for (let close = closing.pop(); close; close = closing.pop()) await close();
}

function expectStatus(question: DemoQuestion, status: number): DemoQuestion {
  if (question.status === status) return question;
  throw new MacroError('internal', `The demo's server answered ${question.status} where ${status} was expected.`);
}

/** How this program is called from where the person stands: in a checkout it is not on the path. */
export function programName({ files, env, cwd }: World): string {
  const isCheckout = files.exists(join(cwd, 'bin', 'macro.js')) && files.exists(join(cwd, 'src', 'main.ts'));
  return isCheckout || env.npm_lifecycle_event === 'start' ? 'node bin/macro.js' : 'macro';
}

/** A path as it is typed in a shell: short where it can be, quoted where it must. */
export function typedPath(path: string, { cwd, home, os }: World): string {
  if (os === 'windows') return /^[\w.:\\/-]+$/.test(path) ? path : `"${path}"`;
  const inside = (folder: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined);
  const near = inside(cwd);
  if (near !== undefined) return escaped(near.startsWith('-') ? `./${near}` : near);
  const own = inside(home);
  return own === undefined ? escaped(path) : `~/${escaped(own)}`;
}

/** A backslash before everything that a shell could take for more than a letter. */
function escaped(path: string): string {
  return path.replace(/[^\w./@%+=:,-]/g, '\\$&');
}

/** Fills the sandbox for today where it is not filled yet, and serves it under one key. */
async function startSandbox(
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
async function serveMirror(
  platform: Platform,
  mirror: Mirror,
  { key, log }: { key: string; log: Log },
): Promise<RunningServer> {
  const labels = await withAddresses(LABELS, mirror);
  const source = createMirrorSource({ mirror, labels });
  const keys = parseKeys(`${key} individual demo`);
  const options = { labels, keys: () => keys };
  return startServe({ source, mirror, endpoints: ENDPOINTS, platform, log, options, port: 0 });
}

interface DemoQuestion {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Asks a server once over HTTP, as any program would. */
async function askServer(
  platform: Pick<Platform, 'fetch'>,
  server: RunningServer,
  question: { path: string; key?: string },
): Promise<DemoQuestion> {
  const headers = question.key === undefined ? {} : { 'x-api-key': question.key };
  const response = await platform.fetch(`${server.address}${question.path}`, { headers, deadline: DEADLINE });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Counts the rows of a served answer, which must equal the mirror's. @throws MacroError of kind `internal`. */
function sameRows(question: DemoQuestion, answer: OfflineAnswer): number {
  const served = cutBody(forex.body, question.text).rows.map((row) => row.text);
  if (served.length > 0 && served.join() === answer.rows.join()) return served.length;
  throw new MacroError('internal', 'The server answered with other rows than the mirror that it serves.');
}

/** Makes an empty mirror. Only a synthetic one is ever replaced. @throws MacroError of kind `mirror`. */
async function openFreshMirror(platform: Platform, path: string): Promise<Mirror> {
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
async function syncSelection(
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

interface OfflineAnswer {
  readonly rows: readonly JsonText[];
  readonly envelope: JsonObject;
}

/** `fx eur usd --indicators all`, from the mirror alone. @throws MacroError of kind `internal`. */
async function askOffline(platform: Platform, mirror: Mirror): Promise<OfflineAnswer> {
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
function demoMirrorPath(mirrors: string): string {
  return join(mirrors, 'demo', 'mirror.db');
}
