// What follows the choice of a service: what to track, the first sync, completions and a schedule, each as its own command.
import { isJsonObject, parseJson } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { capturedPlatform } from '../../app/platforms/captured-platform.ts';
import type { Prompts } from '../../app/prompts.ts';
import { readConfig } from '../../app/settings/config-file.ts';
import { foldersOf } from '../../app/settings/folders.ts';
import { SHELLS } from '../../completion/shells.ts';
import { isOn, textOption } from '../../parse/options.ts';
import { runProgram } from '../../program.ts';
import type { Call } from '../command.ts';

/** What a new mirror may well start with; without a key only what anybody may see. */
const START = ['calendar usd', 'announcements usd inflation', 'announcements usd policy_rate', 'sentiment'];
const START_WITH_KEY = [...START, 'fx eur usd'];

/** What an option says of a step that is not wanted. */
const NONE = 'none';

interface Chosen {
  readonly ask: Prompts | undefined;
  /** Of the profile. */
  readonly name: string;
  readonly hasKey: boolean;
  /** The service answered and accepts the key, so a sync may go well. */
  readonly answers: boolean;
}

/**
 * Runs the commands that a person would type next. One that fails is told, and the others still run.
 *
 * @throws MacroError the first failure, at the end
 */
export async function setUp(app: App, call: Call, chosen: Chosen): Promise<void> {
  const under = chosen.name === 'default' ? [] : ['--profile', chosen.name];
  const steps = createSteps(app, under);
  const isTracked = await track(app, call, { ...chosen, steps });
  await firstSync(app, call, { ...chosen, steps, isTracked });
  await completions(app, call, { ...chosen, steps });
  await schedule(app, call, { ...chosen, steps, isTracked });
  steps.end();
}

interface Steps {
  /** Runs a command as it would be typed; false when it failed. */
  run(words: readonly string[], isProfiles?: boolean): Promise<boolean>;
  /** What a command prints as JSON, without its messages; undefined when it failed. */
  ask(words: readonly string[]): Promise<unknown>;
  /** How a command is typed, for notes. */
  typed(words: readonly string[]): string;
  end(): void;
}

interface Step extends Chosen {
  readonly steps: Steps;
  readonly isTracked?: boolean;
}

function createSteps(app: App, under: readonly string[]): Steps {
  let failure: unknown;
  const typed = (words: readonly string[]) => `macro ${[...words, ...under].join(' ')}`;
  return {
    typed,
    async run(words, isProfiles = true) {
      const line = isProfiles ? [...words, ...under] : words;
      const done = await app.change(`run macro ${line.join(' ')}`, async () => {
        await app.say(`macro ${line.join(' ')}`, 'typed');
        try {
          await runProgram([...line, ...(isOn(app.options, 'quiet') ? ['--quiet'] : [])], app.platform, app.signal);
          return true;
        } catch (error) {
          if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
          failure ??= error;
          await app.warn([error.message, error.hint ?? ''].join(' ').trim(), error.code ?? error.kind);
          return false;
        }
      });
      return done?.result ?? true;
    },
    async ask(words) {
      const captured = capturedPlatform(app.platform);
      try {
        await runProgram([...words, ...under, '--format', 'json'], captured.platform, app.signal);
        return parseJson(captured.out());
      } catch (error) {
        if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
        return undefined;
      }
    },
    end() {
      if (failure !== undefined) throw failure;
    },
  };
}

/** Whether anything is tracked in the end. */
async function track(app: App, { options }: Call, { ask, name, hasKey, steps }: Step): Promise<boolean> {
  const config = readConfig(app.platform.files, foldersOf(app.platform));
  const already = config.profiles[name]?.tracks ?? config.tracks ?? [];
  const typed = textOption(options, 'track');
  if (typed === NONE) return already.length > 0;
  if (typed !== undefined) return steps.run(['track', 'add', ...typed.split(/\s+/)]);
  if (already.length > 0) return true;
  const words = (hasKey ? START_WITH_KEY : START).join(', ');
  const line = ['track', 'add', ...words.split(' ')];
  if (await ask?.confirm(`Keep a small mirror up to date with macro sync: ${words}?`)) return steps.run(line);
  await app.note(`To keep a mirror: ${steps.typed(line)}`, 'next_step');
  return false;
}

async function firstSync(app: App, { options }: Call, { ask, answers, steps, isTracked }: Step): Promise<void> {
  const isWanted = isOn(options, 'sync');
  if (isWanted && !isTracked) throw nothingTracked('--sync');
  if (!isTracked || (!answers && !isWanted)) return;
  const plan = app.isDryRun ? undefined : await steps.ask(['sync', '--plan']);
  const cost = costIn(plan);
  if (isWanted || ask) await app.note(`A first sync sends ${cost}.`, 'first_sync');
  if (isWanted || (await ask?.confirm('Sync now?'))) await steps.run(['sync']);
  else await app.note(`A first sync sends ${cost}: ${steps.typed(['sync'])}`, 'next_step');
}

function costIn(plan: unknown): string {
  if (!isJsonObject(plan)) return 'as many requests as macro sync --plan says';
  const { requests, series, seconds, open } = plan;
  const waits = typeof seconds === 'number' && seconds > 0 ? `, with ${seconds} s of waiting for budgets` : ', at once';
  return `${open === 0 ? '' : 'about '}${requests} requests for ${series} series${waits}`;
}

async function completions(app: App, { options }: Call, { ask, steps }: Step): Promise<void> {
  const typed = textOption(options, 'completion');
  if (typed === NONE) return;
  if (typed !== undefined) return void (await steps.run(['completion', 'install', typed], false));
  const own = app.platform.env.SHELL?.split('/').at(-1);
  const shell = SHELLS.find((known) => known === own);
  if (shell === undefined || !ask) return;
  if (await ask.confirm(`Install completions for ${shell}?`)) await steps.run(['completion', 'install', shell], false);
}

async function schedule(app: App, { options }: Call, { ask, steps, isTracked }: Step): Promise<void> {
  const typed = textOption(options, 'every');
  if (typed === NONE) return;
  if (typed !== undefined && !isTracked) throw nothingTracked('--every');
  if (typed !== undefined) return void (await steps.run(['schedule', 'install', '--every', typed]));
  if (!isTracked || !ask || app.platform.os === 'windows') return;
  if (await ask.confirm('Let this machine run macro sync every hour?'))
    await steps.run(['schedule', 'install', '--every', '1h']);
}

function nothingTracked(option: string): MacroError {
  return new MacroError('usage', `${option} needs something that is tracked, and nothing is.`, {
    hint: "Add --track 'calendar usd, fx eur usd'. The profile is kept.",
  });
}
