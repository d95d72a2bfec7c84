// How a key is read from a person, judged with the service, and kept.

import { readApiKey } from '../../../client/http/key.ts';
import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { choosePlace, type KeyOwner, type KeyPlace, storedKey, storeKey } from '../../app/keys.ts';
import { canAsk, openPrompts, type Prompts } from '../../app/prompts.ts';
import { baseUrlOrigin } from '../../app/settings.ts';
import { isOn, type Options, textOption } from '../../parse/options.ts';
import { scheduleEntries } from '../schedule/schedule.ts';
import { KEY_PLACES } from './key-options.ts';

/** A key from the prompt, or from standard input when nobody can be asked; never from the command line. */
export async function readSecret(app: App, message: string): Promise<string> {
  if (canAsk(app.platform)) return (await openPrompts(app.platform, app.signal)).secret(message);
  const bytes = await app.platform.io.stdin.readBytes();
  return new TextDecoder().decode(bytes).trim();
}

/** What is to become of a key that the service refuses. A program decides with `--keep-refused`, a person is asked. */
export async function decideRefused(
  app: App,
  { ask, refusal }: { readonly ask: Prompts | undefined; readonly refusal: MacroError },
): Promise<'again' | 'keep' | 'without' | 'stop'> {
  if (isOn(app.options, 'keep-refused')) {
    await app.warn(
      `the service refuses this key: ${refusal.message} It is kept all the same; with it every request that needs a key ends with exit 4.`,
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

/** Stores a key and says where. */
export async function keepKey(app: App, owner: KeyOwner, kept: { baseUrl: string; key: string }): Promise<void> {
  const { platform } = app;
  const origin = baseUrlOrigin(kept.baseUrl);
  requireKey(kept.key);
  const option = placeOption(app.options);
  const isScheduled = option === undefined && (await hasSchedule(app));
  const chosen = choosePlace(platform, { option, isScheduled });
  const where = chosen.place === 'file' ? 'a file that only you can read' : 'the keychain of this system';
  const done = await app.change(`keep the key for ${origin} in ${where}`, () =>
    storeKey(platform, owner, { ...kept, chosen }),
  );
  if (!done) return;
  const { stored, why } = done.result;
  if (stored.place === 'keychain') return app.note(`The key for ${origin} is kept in ${stored.from}.`, 'key_kept');
  await app.warn(
    `the key for ${origin} is kept unencrypted in ${stored.from}, readable by you only${why === undefined ? '' : `. ${why}`}`,
    'secret_kept_unencrypted',
  );
}

/** @throws MacroError for an empty key, and for one that cannot be any */
function requireKey(key: string): void {
  if (readApiKey(key)) return;
  throw new MacroError('usage', 'No key was given.', { hint: 'Give it at the prompt, or on standard input.' });
}

/** Puts the stored key into the other place, without asking for it again. */
export async function moveStoredKey(app: App, { baseUrl, place }: { baseUrl: string; place: KeyPlace }): Promise<void> {
  const { platform, settings } = app;
  const origin = baseUrlOrigin(baseUrl);
  const stored = storedKey(platform, settings, baseUrl);
  if (!stored)
    throw new MacroError('notFound', `No key is kept for ${origin}.`, {
      code: 'no_key',
      hint: 'Keep one: macro auth login',
    });
  if (stored.place === place) return app.note(`The key for ${origin} is there already: ${stored.from}.`, 'key_kept');
  const key = stored.read();
  const where = place === 'file' ? 'a file that only you can read' : 'the keychain of this system';
  const moved = await app.change(`move the key for ${origin} from ${stored.from} into ${where}`, () => {
    const chosen = { place, why: undefined, isAsked: true };
    return storeKey(platform, settings, { baseUrl, key, chosen }).stored;
  });
  if (moved) await app.note(`The key for ${origin} is kept in ${moved.result.from} now.`, 'key_kept');
}

function placeOption(options: Options): KeyPlace | undefined {
  const text = textOption(options, 'keep-in');
  return text === undefined ? undefined : readPlace(text, '--keep-in');
}

export function readPlace(text: string, of: string): KeyPlace {
  const place = KEY_PLACES.find((one) => one === text.toLowerCase());
  if (place) return place;
  throw new MacroError('usage', `'${text}' is no place for ${of}.`, {
    hint: hintFor(text, KEY_PLACES, `Legal: ${KEY_PLACES.join(', ')}.`),
  });
}

/** Whether a scheduler runs syncs here. One that cannot be asked runs none that counts. */
async function hasSchedule(app: App): Promise<boolean> {
  try {
    return (await scheduleEntries(app)).length > 0;
  } catch (error) {
    if (error instanceof MacroError) return false;
    throw error;
  }
}
