import { isJsonObject, parseJson } from '../../contract/json/json.ts';
import { MacroError, unlessRefused } from '../../errors.ts';
import { EVERY_WORDS } from '../../platform/schedule/scheduler.ts';
import type { App } from '../app/app.ts';
import { foldersOf, type Profile, readConfig } from '../app/config-file.ts';
import { findKey, type KeyOwner } from '../app/keys.ts';
import { capturedPlatform } from '../app/platforms.ts';
import { CUSTOM_PRESET, type Preset, presetNamed, readPresets } from '../app/presets.ts';
import { type Prompts, promptsOf } from '../app/prompts.ts';
import { baseUrlOrigin, checkBaseUrl } from '../app/settings.ts';
import { SHELLS } from '../completion/shells.ts';
import { isOn, textOption } from '../parse/options.ts';
import { runProgram } from '../program.ts';
import {
  checkService,
  decideRefused,
  KEEP_IN,
  KEEP_REFUSED,
  KEY_STDIN,
  keepKey,
  NO_CHECK,
  readSecret,
  refusedKey,
} from './auth.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { GENERAL, STREAM_ADDRESS } from './common-options.ts';
import { HEADER_PREFIX, profileOf, saveProfile } from './profile.ts';

/** Sets up a service, and the steps that follow: tracked series, the first sync, completions and a schedule. */
export default [
  {
    path: ['init'],
    summary: 'Choose a service, store its address and key, and choose series to track',
    options: [
      `--preset NAME: a service that is known by a name; macro profile presets shows them
      ${STREAM_ADDRESS}
      ${HEADER_PREFIX}
      ${KEY_STDIN}
      ${KEEP_IN}
      ${KEEP_REFUSED}
      ${NO_CHECK}
      --track WORDS: series for macro sync, such as calendar usd, fx eur usd; none tracks nothing
      --sync: sync the tracked series at once
      --completion SHELL (${SHELLS.join('|')}): install completions for a shell; none for none
      --every DUR (${EVERY_WORDS.join('|')}): let the machine run macro sync so often; none for never`,
      GENERAL,
    ],
    changes: true,
    examples: ['init', 'init --base-url https://api.example.com --profile work --yes'],
    changesWords: true,
    run: init,
  },
] satisfies readonly CommandDeclaration[];

/** How a person is asked; undefined where nobody is there, and options say everything. */
type Ask = Prompts | undefined;

/** Series for the start of a new mirror; without a key only what anybody may see. */
const START = ['calendar usd', 'announcements usd inflation', 'announcements usd policy_rate', 'sentiment'];
const START_WITH_KEY = [...START, 'fx eur usd'];

/** The value of an option that skips its step. */
const NONE = 'none';

interface Chosen {
  readonly ask: Ask;
  readonly name: string;
  readonly hasKey: boolean;
  /** The service answered and accepts the key, so a sync may go well. */
  readonly answers: boolean;
}

/** Chooses a service and checks it once before storing anything; then offers tracking, a sync, completions, a schedule. */
async function init(app: App, call: Call): Promise<void> {
  const { options } = call;
  const ask = isOn(options, 'yes') ? undefined : await promptsOf(app);
  const preset = await choosePreset(app, call, ask);
  const baseUrl = textOption(options, 'base-url') ?? preset.baseUrl ?? (await askAddress(ask));
  // Typed values count more than the preset.
  const profile = profileOf(options, { ...preset, baseUrl });
  const name = textOption(options, 'profile') ?? (await askName(ask, preset));
  const owner = ownerOf(app, name, profile);
  const { key, hasKey, answers } = await acceptedKey(app, call, { ask, profile, owner });
  await saveProfile(app, name, profile);
  if (key) await keepKey(app, owner, { baseUrl, key });
  else if (key === '') await app.note('No key was given, so none is stored.', 'no_key');
  await setUp(app, call, { ask, name, hasKey, answers });
  await app.note(
    `Try: macro announcements usd inflation${name === 'default' ? '' : ` --profile ${name}`}`,
    'next_step',
  );
}

/** Settings are not asked: they may still name another profile. */
function ownerOf({ platform }: App, name: string, profile: Profile): KeyOwner {
  const folders = foldersOf(platform);
  const config = readConfig(platform.files, folders);
  return {
    folders,
    config: { ...config, profiles: { ...config.profiles, [name]: profile } },
    profile: { value: name },
  };
}

async function choosePreset(app: App, { options }: Call, ask: Ask): Promise<Preset> {
  const presets = readPresets(app.platform);
  const named = textOption(options, 'preset');
  if (named !== undefined) return presetNamed(presets, named);
  if (textOption(options, 'base-url') !== undefined || !ask) return presetNamed(presets, CUSTOM_PRESET);
  const chosen = await ask.choose(
    'Which service?',
    presets.map(({ name, summary, baseUrl }) => ({
      value: name,
      label: [name, summary ?? baseUrl].filter((text) => text !== undefined).join(': '),
    })),
  );
  return presetNamed(presets, chosen);
}

async function askAddress(ask: Ask): Promise<string> {
  if (ask)
    return ask.text({ message: 'Address of the service', placeholder: 'https://api.example.com', check: checkBaseUrl });
  throw new MacroError('usage', 'macro init needs the address of the service.', {
    hint: 'Type: macro init --base-url https://api.example.com --profile work --yes',
  });
}

async function askName(ask: Ask, { name }: Preset): Promise<string> {
  const usual = name === CUSTOM_PRESET ? 'default' : name;
  if (!ask) return usual;
  return (await ask.text({ message: 'Name for it', placeholder: usual })) || usual;
}

/** The accepted key; empty when none came, undefined when none was requested. @throws MacroError with exit 4. */
async function acceptedKey(
  app: App,
  call: Call,
  { ask, profile, owner }: { ask: Ask; profile: Profile; owner: KeyOwner },
) {
  const { baseUrl, headerPrefix } = profile;
  for (let isAgain = false; ; isAgain = true) {
    const key = await readKeyFor(app, call, { ask, baseUrl, isAgain });
    const found = key ? undefined : findKey(app.platform, owner, baseUrl);
    const hasKey = Boolean(key || found);
    if (isOn(call.options, 'offline')) return { key, hasKey, answers: false };
    const { answers, refusal } = await checkService(app, {
      baseUrl,
      key: key || found?.key,
      from: found?.from,
      headerPrefix,
    });
    if (found && refusal) {
      await app.warn(
        `${baseUrlOrigin(baseUrl)} refuses the key in ${found.from}: ${refusal.message} With it every request that needs a key ends with exit 4.`,
        'key_refused',
      );
      return { key, hasKey, answers: false };
    }
    const decision = refusal ? await decideRefused(app, { ask, refusal }) : 'keep';
    if (decision === 'keep') return { key, hasKey, answers: answers && !refusal };
    if (decision === 'without') return { key: undefined, hasKey: false, answers };
    if (decision === 'stop' && refusal) throw refusedKey(baseUrl, refusal, 'macro init');
  }
}

async function readKeyFor(app: App, { options }: Call, from: { ask: Ask; baseUrl: string; isAgain: boolean }) {
  if (isOn(options, 'key-stdin')) return readSecret(app, `API key for ${from.baseUrl}`);
  if (!from.ask) return undefined;
  const keep = from.isAgain || (await from.ask.confirm('Keep an API key for it? It is needed for anything but USD.'));
  return keep ? from.ask.secret(`API key for ${from.baseUrl}`) : undefined;
}

/** Runs the commands that a person would type next, all of them. @throws MacroError the first failure, at the end. */
async function setUp(app: App, call: Call, chosen: Chosen): Promise<void> {
  const steps = createSteps(app, chosen.name === 'default' ? [] : ['--profile', chosen.name]);
  const isTracked = await track(app, call, { ...chosen, steps });
  await firstSync(app, call, { ...chosen, steps, isTracked });
  await completions(app, call, { ...chosen, steps });
  await schedule(app, call, { ...chosen, steps, isTracked });
  if (steps.failure()) throw steps.failure();
}

type Steps = ReturnType<typeof createSteps>;

interface Step extends Chosen {
  readonly steps: Steps;
  readonly isTracked?: boolean;
}

function createSteps(app: App, under: readonly string[]) {
  let failure: MacroError | undefined;
  const typed = (words: readonly string[]) => `macro ${[...words, ...under].join(' ')}`;
  return {
    typed,
    /** Runs a command as it would be typed; false when it failed. */
    async run(words: readonly string[], isProfiles = true): Promise<boolean> {
      const line = isProfiles ? [...words, ...under] : words;
      const run = async () => {
        await app.say(`macro ${line.join(' ')}`, 'typed');
        await runProgram([...line, ...(isOn(app.options, 'quiet') ? ['--quiet'] : [])], app.platform, app.signal);
        return true;
      };
      const tell = async (error: MacroError) => {
        failure ??= error;
        await app.warn([error.message, error.hint ?? ''].join(' ').trim(), error.code ?? error.kind);
        return false;
      };
      const done = await app.change(`run macro ${line.join(' ')}`, () => unlessRefused(run, tell));
      return done?.result ?? true;
    },
    /** The JSON output of a command, without its messages; undefined if it failed. */
    async ask(words: readonly string[]): Promise<unknown> {
      const captured = capturedPlatform(app.platform);
      const line = [...words, ...under, '--format', 'json'];
      const run = async () => {
        await runProgram(line, captured.platform, app.signal);
        return parseJson(captured.out());
      };
      return unlessRefused(run, () => undefined);
    },
    failure: () => failure,
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
    hint: "Add --track 'calendar usd, fx eur usd'. The profile is stored.",
  });
}
