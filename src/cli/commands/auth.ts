import { onlyVerified } from '../../client/http/address.ts';
import { fingerprint, KEY_VARIABLES, readApiKey, redact } from '../../client/http/key.ts';
import { createWire } from '../../client/http/wire.ts';
import { MacroError, unlessRefused } from '../../errors.ts';
import type { App } from '../app/app.ts';
import { choosePlace, findKey, forgetKey, type KeyOwner, storedKey, storeKey } from '../app/keys.ts';
import { type Prompts, promptsOf } from '../app/prompts.ts';
import { noService, noteProxy, pingService } from '../app/service.ts';
import { baseUrlOrigin } from '../app/settings.ts';
import { isOn, readChoice, readWord } from '../parse/options.ts';
import { clockText, MAX_CLOCK_DIFFERENCE_MS } from './checks.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { GENERAL } from './common-options.ts';
import { onlyWord } from './require.ts';
import { scheduleEntries } from './schedule/schedule.ts';

const KEY_PLACES = ['keychain', 'file'] as const;

export const KEEP_IN = `--keep-in PLACE (${KEY_PLACES.join('|')}): where to store the key; default: the keychain of the system, else a file that only you can read`;
export const KEY_STDIN = '--key-stdin: read the API key from standard input';
export const KEEP_REFUSED = '--keep-refused: keep a key although the service refuses it';

/** The service is asked once whether it answers and accepts the key, unless this is given. */
export const NO_CHECK = '--offline: do not ask the service: store the key unchecked';

export default [
  {
    path: ['auth', 'login'],
    summary: 'Store the API key of a service; typing does not show it',
    options: [KEY_STDIN, NO_CHECK, KEEP_IN, KEEP_REFUSED, GENERAL],
    changes: true,
    examples: ['auth login', 'auth login --key-stdin --base-url https://api.example.com < key.txt'],
    run: login,
  },
  {
    path: ['auth', 'logout'],
    summary: 'Forget the API key of a service',
    changes: true,
    examples: ['auth logout', 'auth logout --base-url https://api.example.com'],
    run: logout,
  },
  {
    path: ['auth', 'move'],
    summary: 'Move the stored key into the keychain of the system, or out of it into a file',
    words: `place (${KEY_PLACES.join('|')}): where to store it from now on`,
    changes: true,
    examples: ['auth move file', 'auth move keychain'],
    run: moveKey,
  },
  {
    path: ['auth', 'status'],
    summary: 'Show which key is used for which service',
    examples: ['auth status', 'auth status --format json'],
    rows: 'service text, key present|none, from text?, fingerprint text?',
    run: status,
  },
] satisfies readonly CommandDeclaration[];

/** Milliseconds that a person waits for it. */
const DEADLINE_MS = 10_000;

/** Asks for the key of the service and keeps it for its profile, or else for its origin. */
async function login(app: App, call: Call): Promise<void> {
  const baseUrl = serviceOf(app);
  const ask = isOn(call.options, 'key-stdin') ? undefined : await promptsOf(app);
  for (;;) {
    const key = await readSecret(app, `API key for ${baseUrlOrigin(baseUrl)}`);
    const isChecked = key !== '' && !isOn(call.options, 'offline');
    const headerPrefix = app.settings.headerPrefix.value;
    const { refusal } = isChecked ? await checkService(app, { baseUrl, key, headerPrefix }) : { refusal: undefined };
    const decision = refusal ? await decideRefused(app, { ask, refusal }) : 'keep';
    if (decision === 'again') continue;
    if (decision === 'keep') return keepKey(app, app.settings, { baseUrl, key });
    if (decision === 'without') return app.note('No key is stored.', 'no_key');
    if (refusal) throw refusedKey(baseUrl, refusal, 'macro auth login');
  }
}

async function logout(app: App): Promise<void> {
  const baseUrl = serviceOf(app);
  const origin = baseUrlOrigin(baseUrl);
  const stored = storedKey(app.platform, app.settings, baseUrl);
  if (!stored) await app.note(`No key is stored for ${origin}.`, 'key_removed');
  else {
    const gone = await app.change(`remove the key in ${stored.from}`, () =>
      forgetKey(app.platform, app.settings, baseUrl),
    );
    if (gone) await app.note(`The key in ${gone.result ?? stored.from} is removed.`, 'key_removed');
  }
  if (app.isDryRun) return;
  const left =
    KEY_VARIABLES.find((name) => app.platform.env[name]) ?? storedKey(app.platform, app.settings, baseUrl)?.from;
  if (left !== undefined) await app.note(`${left} still has a key.`, 'key_still_held');
}

async function status(app: App): Promise<void> {
  const baseUrl = serviceOf(app);
  const found = findKey(app.platform, app.settings, baseUrl);
  const row = {
    service: baseUrlOrigin(baseUrl),
    key: found ? 'present' : 'none',
    from: found?.from ?? null,
    fingerprint: found ? fingerprint(redact(found.key)) : null,
  };
  await app.list({ rows: [row], title: ['Key'] });
}

function serviceOf(app: App): string {
  const { value } = app.settings.baseUrl;
  if (value !== undefined) return value;
  throw noService(
    'there is no key to keep or to show.',
    'Choose one with macro init, or name one with --base-url URL.',
  );
}

interface ServiceToCheck {
  readonly baseUrl: string;
  readonly key?: string | undefined;
  /** Where the key stands that nobody typed now. */
  readonly from?: string | undefined;
  readonly headerPrefix?: string | undefined;
}

/** Asks the service once, and says what follows. `refusal`: of a key; `answers`: false where it could not be asked at all. */
export async function checkService(app: App, service: ServiceToCheck) {
  const { baseUrl, key, from, headerPrefix } = service;
  const { platform, signal } = app;
  const origin = baseUrlOrigin(baseUrl);
  const world = key === undefined ? platform : { ...platform, fetch: onlyVerified(platform) };
  const wire = createWire({
    ...{ platform: world, baseUrl, proxy: noteProxy(app, baseUrl), deadline: DEADLINE_MS },
    ...{ key, headerPrefix },
  });
  const ask = async () => {
    const { headers } = await pingService(wire, signal);
    const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
    const parts = [
      `${origin} answers`,
      key === undefined
        ? 'without a key it tells USD of the last 90 days only'
        : `the key${from === undefined ? '' : ` in ${from}`} is accepted`,
      ...leftText(header('ratelimit-remaining'), header('ratelimit-limit')),
    ];
    await app.note(`${parts.join(', ')}.`, 'service_checked');
    const ahead = platform.clock.now() - Date.parse(header('date') ?? '');
    if (Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS)
      await app.warn(
        `the clock of this machine is ${clockText(ahead)} the service. Releases seem early or late, and signed deliveries may be refused. macro doctor says how to fix it.`,
        'clock_differs',
      );
    return { answers: true, refusal: undefined };
  };
  return unlessRefused(ask, async (error) => {
    if (error.kind === 'auth' && key !== undefined) return { answers: true, refusal: error };
    await app.warn(
      `${origin} cannot be checked now: ${error.message} ${followsFrom(error)} ${app.isDryRun ? 'It would be stored' : 'Your input is stored'}; macro doctor checks it again.`,
      'service_unchecked',
    );
    return { answers: false, refusal: undefined };
  });
}

function followsFrom({ kind }: MacroError): string {
  return kind === 'quota'
    ? 'Until its quota is back, questions wait or end with exit 5; macro quota shows when that is.'
    : 'Until it answers, macro sync brings nothing and questions are answered from the mirror alone.';
}

export function refusedKey(baseUrl: string, { message, code, status }: MacroError, again: string): MacroError {
  return new MacroError('auth', `${baseUrlOrigin(baseUrl)} refuses this key, so it is not stored: ${message}`, {
    hint: `Look at the key again, then: ${again}. To keep it all the same, add --keep-refused.`,
    ...{ code, status },
  });
}

function leftText(left: string | undefined, limit: string | undefined): readonly string[] {
  if (left === undefined || limit === undefined) return [];
  const follows = left === '0' ? ': until they are back, questions wait or end with exit 5' : '';
  return [`${left} of ${limit} requests are left${follows}`];
}

/** A key from the prompt, or from standard input when nobody can be asked; never from the command line. */
export async function readSecret(app: App, message: string): Promise<string> {
  const ask = isOn(app.options, 'key-stdin') ? undefined : await promptsOf(app);
  if (ask) return ask.secret(message);
  const bytes = await app.platform.io.stdin.readBytes();
  return new TextDecoder().decode(bytes).trim();
}

/** The next step for a key that the service refuses. A program decides with `--keep-refused`, a person is asked. */
export async function decideRefused(
  app: App,
  { ask, refusal }: { readonly ask: Prompts | undefined; readonly refusal: MacroError },
): Promise<'again' | 'keep' | 'without' | 'stop'> {
  if (isOn(app.options, 'keep-refused')) {
    await app.warn(
      `the service refuses this key: ${refusal.message} It is stored anyway; every request that needs a key will end with exit 4.`,
      'key_refused',
    );
    return 'keep';
  }
  if (!ask) return 'stop';
  return ask.choose(`The service refuses this key: ${refusal.message}`, [
    { value: 'again', label: 'Type it again' },
    { value: 'without', label: 'Go on without a key: USD of the last 90 days only' },
    { value: 'keep', label: 'Keep it all the same: requests that need a key end with exit 4' },
    { value: 'stop', label: 'Stop and keep nothing' },
  ]);
}

const WHERE = { file: 'a file that only you can read', keychain: 'the keychain of this system' } as const;

export async function keepKey(app: App, owner: KeyOwner, kept: { baseUrl: string; key: string }): Promise<void> {
  const { platform } = app;
  const origin = baseUrlOrigin(kept.baseUrl);
  if (!readApiKey(kept.key))
    throw new MacroError('usage', 'No key was given.', { hint: 'Give it at the prompt, or on standard input.' });
  // A scheduler that cannot be asked counts as none.
  const hasSchedule = async () => (await scheduleEntries(app)).length > 0;
  const option = readChoice(app.options, 'keep-in', KEY_PLACES);
  const isScheduled = option === undefined && (await unlessRefused(hasSchedule, () => false));
  const chosen = choosePlace(platform, { option, isScheduled });
  const done = await app.change(`keep the key for ${origin} in ${WHERE[chosen.place]}`, () =>
    storeKey(platform, owner, { ...kept, chosen }),
  );
  if (!done) return;
  const { stored, why } = done.result;
  if (stored.place === 'keychain') return app.note(`The key for ${origin} is stored in ${stored.from}.`, 'key_kept');
  await app.warn(
    `the key for ${origin} is stored unencrypted in ${stored.from}, readable by you only${why === undefined ? '' : `. ${why}`}`,
    'secret_kept_unencrypted',
  );
}

/** Puts the stored key into the keychain, or out of it into a file, without asking for it again. */
async function moveKey(app: App, call: Call): Promise<void> {
  const { platform, settings } = app;
  const place = readWord(onlyWord(call, 'auth move', 'PLACE'), KEY_PLACES, 'PLACE');
  const baseUrl = serviceOf(app);
  const origin = baseUrlOrigin(baseUrl);
  const stored = storedKey(platform, settings, baseUrl);
  if (!stored)
    throw new MacroError('notFound', `No key is stored for ${origin}.`, {
      code: 'no_key',
      hint: 'Keep one: macro auth login',
    });
  if (stored.place === place) return app.note(`The key for ${origin} is there already: ${stored.from}.`, 'key_kept');
  const key = stored.read();
  const moved = await app.change(`move the key for ${origin} from ${stored.from} into ${WHERE[place]}`, () => {
    const chosen = { place, why: undefined, isAsked: true };
    return storeKey(platform, settings, { baseUrl, key, chosen }).stored;
  });
  if (moved) await app.note(`The key for ${origin} is now stored in ${moved.result.from}.`, 'key_kept');
}
