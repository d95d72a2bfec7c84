import { MacroError } from '../../../errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { SandboxSize } from '../../../sandbox/world.ts';
import type { RunningServer } from '../../../serve/start.ts';
import { type App, usesColor } from '../../app/app.ts';
import { foldersOf } from '../../app/settings/folders.ts';
import { isOn } from '../../parse/options.ts';
import { type Done, pageText, pluralized } from './page.ts';
import {
  askOffline,
  askServer,
  type DemoQuestion,
  demoMirrorPath,
  type Live,
  type OfflineAnswer,
  openFreshMirror,
  sameRows,
  serveMirror,
  startSandbox,
  syncSelection,
} from './steps.ts';
import { programName, typedPath } from './typed.ts';

/** Shows the tool at work, without a key and without a network. */
export async function demo(app: App): Promise<void> {
  await runDemo(app);
}

/** What the demo needs of an app. */
export type DemoStage = Pick<
  App,
  'platform' | 'options' | 'signal' | 'say' | 'warn' | 'log' | 'progress' | 'printText'
>;

/**
 * Walk: serve the sandbox under a key; show that its doors are guarded; sync a selection into a fresh mirror through the
 * real client; answer from that mirror alone; serve it and ask over HTTP; say on one screen what was done. Whatever
 * happens, nothing is left listening.
 */
export async function runDemo(stage: DemoStage, options: { size?: SandboxSize } = {}): Promise<void> {
  const { platform } = stage;
  const steps = createSteps(stage);
  const closing: Close[] = [];
  const path = demoMirrorPath(foldersOf(platform).mirrors);
  await stage.warn(
    'everything in this demo is synthetic: made by a seeded generator, published by nobody',
    'synthetic',
  );
  try {
    const set = {
      key: newKey(platform),
      size: options.size ?? 'full',
      path,
      log: (text: string, code: string) => void stage.log(text, code),
      later: (close: Close) => void closing.push(close),
    };
    const answer = await play(stage, steps, set);
    await closeAll(closing);
    const color = usesColor(platform, stage.options, platform.io.stdout);
    const mirror = typedPath(path, platform);
    const next = nextCommands(programName(platform), mirror);
    await stage.printText(pageText({ ...answer, done: steps.done, next, mirror, color }));
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
    return { summary: `Sync: ${brought} of ${report.series.length} series, each proven complete` };
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
      summary: `Serve: GET ${path} answered ${question.status} with the same ${sameRows(question, answer)} rows`,
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
  return `Keys and quotas: ${status} without a key; ${left} requests of the minute left with it`;
}

function nextCommands(program: string, mirror: string): readonly (readonly [string, string])[] {
  return [
    [`${program} fx gbp jpy --offline --mirror ${mirror}`, 'from the mirror'],
    [`${program} calendar usd --offline --mirror ${mirror}`, 'what comes'],
    [`${program} mirror status --mirror ${mirror}`, 'what it holds'],
    [`${program} serve --sandbox`, 'the whole synthetic data set over HTTP, until Ctrl-C'],
    [`${program} init`, 'choose a real service'],
  ];
}

interface Steps {
  readonly done: readonly Done[];
  run<T extends { readonly summary: string }>(work: (live: Live) => Promise<T>): Promise<T>;
}

/** Takes the time of each step, shows it while it runs, and says when it is done. */
function createSteps(stage: DemoStage): Steps {
  const { platform, signal } = stage;
  const done: Done[] = [];
  return {
    done,
    async run(work) {
      signal.throwIfAborted();
      const started = platform.clock.now();
      const result = await work((line) => void stage.progress(line));
      done.push({ what: result.summary, seconds: (platform.clock.now() - started) / 1000 });
      if (!isOn(stage.options, 'quiet')) await stage.say(`${done.length}/5 ${result.summary}`, 'demo_step');
      return result;
    },
  };
}

async function closeAll(closing: Close[]): Promise<void> {
  // The last opened first: a server before the mirror that it reads.
  for (let close = closing.pop(); close; close = closing.pop()) await close();
}

function newKey({ random }: Pick<Platform, 'random'>): string {
  return `demo_${Buffer.from(random.bytes(16)).toString('hex')}`;
}

function expectStatus(question: DemoQuestion, status: number): DemoQuestion {
  if (question.status === status) return question;
  throw new MacroError('internal', `The demo's server answered ${question.status} where ${status} was expected.`);
}
