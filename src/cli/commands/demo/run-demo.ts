import { dirname, join } from 'node:path';
import { createClient } from '../../../client/create.ts';
import { cutBody } from '../../../contract/json/body.ts';
import { isJsonObject, type JsonObject, objectIn } from '../../../contract/json/json.ts';
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
import { LABELS } from '../../../source/labels.ts';
import { createMirrorSource } from '../../../source/mirror.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { runSync } from '../../../sync/run.ts';
import { selectTargets } from '../../../sync/series/select.ts';
import { type App, usesColor } from '../../app/app.ts';
import { foldersOf } from '../../app/config-file.ts';
import { isOn } from '../../parse/options.ts';
import { fieldsOf } from '../../print/rows.ts';
import { seriesByEndpoint } from '../../print/series.ts';
import { renderTable } from '../../print/table.ts';
import { grouped } from '../../print/text.ts';

type World = Pick<Platform, 'files' | 'env' | 'cwd' | 'home' | 'os'>;

const SELECTION = 'fx eur usd, fx gbp jpy, announcements usd inflation, calendar usd, sentiment';

const SHOWN = ['date', 'val', 'high', 'low', 'sma_20', 'sma_200', 'rsi_14', 'macd'];
const ROWS = 3;
const WIDTH = 80;

export type DemoStage = Pick<
  App,
  'platform' | 'options' | 'signal' | 'say' | 'warn' | 'log' | 'progress' | 'printText' | 'keep'
>;

interface Scene {
  readonly stage: DemoStage;
  readonly key: string;
  readonly size: SandboxSize;
  /** Path of the mirror that the demo fills: in a folder of its own, where no profile has its mirror. */
  readonly path: string;
  /** They are closed at the end, whatever happens. */
  readonly servers: RunningServer[];
}

/** Serves the sandbox, syncs from it and answers offline. Whatever happens, nothing is left listening. */
export async function runDemo(stage: DemoStage, { size = 'full' }: { size?: SandboxSize } = {}): Promise<void> {
  const { platform } = stage;
  const started = platform.clock.now();
  const path = join(foldersOf(platform).mirrors, 'demo', 'mirror.db');
  const key = `demo_${Buffer.from(platform.random.bytes(16)).toString('hex')}`;
  const scene: Scene = { stage, key, size, path, servers: [] };
  await stage.warn('everything here is synthetic: made by a generator, published by nobody', 'synthetic');
  const { envelope, rows } = await play(scene).finally(() =>
    Promise.all(scene.servers.map((server) => server.close())),
  );
  const mirror = typedPath(path, platform);
  const seconds = (platform.clock.now() - started) / 1000;
  const { base, quote, source, pagination, indicators } = envelope;
  const count = grouped(Number(objectIn(pagination).total_count));
  const table = renderTable({
    columns: SHOWN,
    rows: rows.slice(0, ROWS).map(({ text }) => fieldsOf(text)),
    view: { title: [`${base}/${quote}`, String(source), `${count} daily rates`, 'SYNTHETIC'] },
    ...{ spare: [], kinds: {}, width: WIDTH },
    color: usesColor(platform, stage.options, platform.io.stdout),
  });
  // The page fits a screen of 24 lines and 80 columns below the steps, unless a path is long.
  const page = [
    'SYNTHETIC DATA: made by a generator. No number here was ever published.',
    '',
    table.trimEnd(),
    isJsonObject(indicators) ? indicatorLine(indicators) : '',
    '',
    'Type next:',
    ...nextCommands(programName(platform), mirror),
    '',
    `Done in ${seconds.toFixed(1)} s. Its mirror: ${mirror}`,
  ];
  await stage.printText(page.join('\n'));
}

function indicatorLine(indicators: JsonObject): string {
  const some = ['adx_14', 'atr_14'].map((name) => `${name} ${indicators[name]}`);
  return `${Object.keys(indicators).length} indicators at the newest rate, among them ${some.join(', ')}`;
}

async function play(scene: Scene) {
  const { platform } = scene.stage;
  const tell = createSteps(scene.stage);
  const sandbox = await startSandbox(scene);
  const { rows, series } = sandbox;
  await tell(`Sandbox service on 127.0.0.1: ${grouped(rows)} rows in ${series} series`);
  const mirror = scene.stage.keep(await openFreshMirror(platform, scene.path));
  const report = await syncSelection(scene, sandbox.server, mirror);
  const brought = `${report.requests} requests brought ${grouped(report.rows.added)} rows`;
  await tell(`Sync: ${brought} of ${report.series.length} series, each complete`);
  const answer = await askOffline(platform, mirror);
  await tell('Offline: fx eur usd --indicators all, answered from the mirror alone');
  return answer;
}

/** Lines of commands; a description follows its command where the line has room. */
function nextCommands(program: string, mirror: string): readonly string[] {
  const next = [
    [`${program} import ecb`, 'official euro rates: no key, no service'],
    [`${program} fx gbp jpy --offline --mirror ${mirror}`, 'from the mirror'],
    [`${program} serve --sandbox`, 'all of it over HTTP, until Ctrl-C'],
    [`${program} init`, 'choose a real service'],
  ];
  return next.map(([command, shows]) => {
    const line = `  ${command}  # ${shows}`;
    return line.length <= WIDTH ? line : `  ${command}`;
  });
}

/** Says when a step is done; none begins once somebody wants an end. */
function createSteps({ signal, options, say }: DemoStage): (summary: string) => Promise<void> {
  let done = 0;
  signal.throwIfAborted();
  return async (summary) => {
    done += 1;
    if (!isOn(options, 'quiet')) await say(`${done}/3 ${summary}`, 'demo_step');
    if (done < 3) signal.throwIfAborted();
  };
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
async function startSandbox({ size, stage, key, servers }: Scene) {
  const { platform } = stage;
  const onProgress = ({ series, rows }: { series: number; rows: number }) =>
    void stage.progress(`making synthetic data: ${grouped(rows)} rows in ${series} series`);
  const now = platform.clock.now();
  const { path } = await openSandbox({ platform, folder: foldersOf(platform).mirrors, now, size, onProgress });
  const mirror = stage.keep(await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' }));
  const stored = (await seriesByEndpoint(mirror)).flatMap(({ series }) => series);
  const counts = await Promise.all(stored.map((series) => mirror.count(series, {})));
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const labels = await withAddresses(LABELS, mirror);
  const source = createMirrorSource({ mirror, labels });
  const keys = parseKeys(`${key} individual demo`);
  const log = (text: string, code: string) => void stage.log(text, code);
  const options = { labels, keys: () => keys };
  const server = await startServe({ source, mirror, endpoints: ENDPOINTS, platform, log, options, port: 0 });
  servers.push(server);
  return { server, series: stored.length, rows };
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
async function syncSelection({ stage, key }: Scene, server: RunningServer, mirror: Mirror): Promise<SyncReport> {
  const { platform, signal } = stage;
  const { clock } = platform;
  const targets = await selectTargets(SELECTION.split(' '), {
    endpoints: ENDPOINTS,
    now: clock.now(),
    indicatorsOf: async () => [],
  });
  const client = createClient({ platform, baseUrl: server.address, key });
  const report = await runSync({
    ...{ client, mirror, clock, targets, signal },
    onProgress: ({ name, index, of, seen, total }) =>
      void stage.progress(`${bar(seen, total)} ${index}/${of} ${name}: ${grouped(seen)} rows`),
  });
  const failed = report.series.find(({ problem }) => problem)?.problem;
  if (failed) throw new MacroError(failed.kind, failed.message, { hint: failed.hint });
  return report;
}

function bar(seen: number, total: number | undefined): string {
  const done = total === undefined || total === 0 ? 20 : Math.round((20 * Math.min(seen, total)) / total);
  return `[${'#'.repeat(done)}${'-'.repeat(20 - done)}]`;
}

/** `fx eur usd --indicators all`, from the mirror alone. @throws MacroError of kind `internal`. */
async function askOffline(platform: Platform, mirror: Mirror) {
  const now = platform.clock.now();
  const raw = { path: { base: 'eur', quote: 'usd' }, query: { indicators: 'all' } };
  const { args } = readParams(forex, raw, { mode: 'liberal', now });
  const source = createMirrorSource({ mirror, labels: LABELS });
  const reply = await source.ask({ endpoint: forex, args }, { caller: { kind: 'owner' }, now });
  if (!reply.synthetic)
    throw new MacroError('internal', 'The demo answered from a mirror that is not marked as synthetic.');
  return cutBody(forex.body, reply.body);
}
