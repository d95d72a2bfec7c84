import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SandboxSize } from '../../sandbox/world.ts';
import { type App, usesColor } from '../app.ts';
import { type Call, isOn } from '../command.ts';
import { counted, type Done, pageText } from '../demo/page.ts';
import {
  type Asked,
  askOffline,
  askServer,
  demoMirrorPath,
  openFreshMirror,
  sameRows,
  serveMirror,
  startSandbox,
  syncSelection,
} from '../demo/steps.ts';
import { programName, typedPath } from '../demo/typed.ts';
import { foldersOf } from '../settings/folders.ts';
import { noWords } from './only-word.ts';

/** Shows the tool at work, without a key and without a network. */
export async function demo(app: App, call: Call): Promise<void> {
  noWords(call, 'demo');
  await runDemo(app);
}

/** What the demo needs of an app. */
export type Stage = Pick<App, 'platform' | 'options' | 'signal' | 'say' | 'warn' | 'progress' | 'printText'>;

/**
 * Walk: serve the sandbox under a key; show that its doors are guarded; sync a selection into a fresh mirror through the
 * real client; answer from that mirror alone; serve it and ask over HTTP; say on one screen what was done. Whatever
 * happens, nothing is left listening.
 */
export async function runDemo(stage: Stage, options: { size?: SandboxSize } = {}): Promise<void> {
  const { platform, signal } = stage;
  const { size = 'full' } = options;
  const folder = foldersOf(platform).mirrors;
  const path = demoMirrorPath(folder);
  const key = newKey(platform);
  const steps = createSteps(stage);
  const closing: (() => Promise<void> | void)[] = [];
  await stage.warn('everything in this demo is synthetic: made by a seeded generator, published by nobody');
  try {
    const sandbox = await steps.run(async (live) => {
      const opened = await startSandbox(platform, { folder, key, size }, live);
      closing.push(() => opened.mirror.close(), opened.server.close);
      return {
        ...opened,
        told: `Sandbox service on 127.0.0.1: ${counted(opened.rows)} rows in ${opened.series} series`,
      };
    });
    await steps.run(async () => {
      const path = '/v1/forex/EUR/USD?limit=1';
      const outside = expectStatus(await askServer(platform, sandbox.server, { path }), 401);
      const inside = expectStatus(await askServer(platform, sandbox.server, { path, key }), 200);
      const quota = `${inside.headers.get('ratelimit-remaining')} of ${inside.headers.get('ratelimit-limit')}`;
      return { told: `Keys and quotas: ${outside.status} without a key; ${quota} requests of the minute left with it` };
    });
    const mirror = await openFreshMirror(platform, path);
    closing.push(() => mirror.close());
    await steps.run(async (live) => {
      const { requests, rows, series } = await syncSelection(
        platform,
        { mirror, server: sandbox.server, key, signal },
        live,
      );
      return {
        told: `Sync: ${requests} requests brought ${counted(rows.added)} rows of ${series.length} series, each proven complete`,
      };
    });
    const answer = await steps.run(async () => {
      const told = 'Offline: fx eur usd --indicators all, answered from the mirror alone';
      return { ...(await askOffline(platform, mirror)), told };
    });
    await steps.run(async () => {
      const server = await serveMirror(platform, mirror, key);
      closing.push(server.close);
      const path = '/v1/forex/EUR/USD?indicators=all';
      const asked = expectStatus(await askServer(platform, server, { path, key }), 200);
      return { told: `Serve: GET ${path} answered ${asked.status} with the same ${sameRows(asked, answer)} rows` };
    });
    await closeAll(closing);
    const { rows, envelope } = answer;
    const color = usesColor(platform, stage.options, platform.io.stdout);
    const typed = typedPath(path, platform);
    const next = nextCommands(programName(platform), typed);
    await stage.printText(pageText({ done: steps.done, rows, envelope, next, mirror: typed, color }));
  } finally {
    await closeAll(closing);
  }
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

/** Takes the time of each step, shows it while it runs, and says when it is done. */
function createSteps(stage: Stage) {
  const { platform, signal } = stage;
  const done: Done[] = [];
  return {
    done,
    async run<T extends { readonly told: string }>(work: (live: (line: string) => void) => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      const started = platform.clock.now();
      const result = await work((line) => void stage.progress(line));
      done.push({ what: result.told, seconds: (platform.clock.now() - started) / 1000 });
      if (!isOn(stage.options, 'quiet')) await stage.say(`${done.length}/5 ${result.told}`);
      return result;
    },
  };
}

async function closeAll(closing: (() => Promise<void> | void)[]): Promise<void> {
  // The last opened first: a server before the mirror that it reads.
  for (let close = closing.pop(); close; close = closing.pop()) await close();
}

function newKey({ random }: Pick<Platform, 'random'>): string {
  return `demo_${Buffer.from(random.bytes(16)).toString('hex')}`;
}

function expectStatus(asked: Asked, status: number): Asked {
  if (asked.status === status) return asked;
  throw new MacroError('internal', `The demo's server answered ${asked.status} where ${status} was expected.`);
}
