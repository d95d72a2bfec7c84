import { fingerprint, KEY_VARIABLES, redact } from '../../../client/http/key.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { findKey, forgetKey, storedKey } from '../../app/keys.ts';
import { canAsk, openPrompts } from '../../app/prompts.ts';
import { baseUrlOrigin } from '../../app/settings.ts';
import { isOn } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import type { Call } from '../command.ts';
import { onlyWord } from '../only-word.ts';
import { checkService, refusedKey } from './check-service.ts';
import { decideRefused, keepKey, moveStoredKey, readPlace, readSecret } from './keep-key.ts';

/** Asks for the key of the service and keeps it for its profile, or else for its origin. */
export async function login(app: App, call: Call): Promise<void> {
  const baseUrl = serviceOf(app);
  const ask = canAsk(app.platform) ? await openPrompts(app.platform, app.signal) : undefined;
  for (;;) {
    const key = await readSecret(app, `API key for ${baseUrlOrigin(baseUrl)}`);
    const isChecked = key !== '' && !isOn(call.options, 'offline');
    const headerPrefix = app.settings.headerPrefix.value;
    const { refusal } = isChecked ? await checkService(app, { baseUrl, key, headerPrefix }) : { refusal: undefined };
    const decision = refusal ? await decideRefused(app, { ask, refusal }) : 'keep';
    if (decision === 'again') continue;
    if (decision === 'keep') return keepKey(app, app.settings, { baseUrl, key });
    if (decision === 'without') return app.note('No key is kept.', 'no_key');
    if (refusal) throw refusedKey(baseUrl, refusal, 'macro auth login');
  }
}

/** Puts the stored key into the keychain, or out of it into a file. */
export async function moveKey(app: App, call: Call): Promise<void> {
  const place = readPlace(onlyWord(call, 'auth move', 'PLACE'), 'a key');
  await moveStoredKey(app, { baseUrl: serviceOf(app), place });
}

export async function logout(app: App): Promise<void> {
  const baseUrl = serviceOf(app);
  const origin = baseUrlOrigin(baseUrl);
  const stored = storedKey(app.platform, app.settings, baseUrl);
  if (!stored) await app.note(`No key was kept for ${origin}.`, 'key_removed');
  else {
    const gone = await app.change(`remove the key in ${stored.from}`, () =>
      forgetKey(app.platform, app.settings, baseUrl),
    );
    if (gone) await app.note(`The key in ${gone.result ?? stored.from} is removed.`, 'key_removed');
  }
  if (app.isDryRun) return;
  const left =
    KEY_VARIABLES.find((name) => app.platform.env[name]) ?? storedKey(app.platform, app.settings, baseUrl)?.from;
  if (left !== undefined) await app.note(`${left} still holds a key.`, 'key_still_held');
}

export async function status(app: App): Promise<void> {
  const baseUrl = serviceOf(app);
  const found = findKey(app.platform, app.settings, baseUrl);
  const row = {
    service: baseUrlOrigin(baseUrl),
    key: found ? 'present' : 'none',
    from: found?.from ?? null,
    fingerprint: found ? fingerprint(redact(found.key)) : null,
  };
  await app.print(listOwn({ columns: ['service', 'key', 'from', 'fingerprint'], rows: [row], title: ['Key'] }));
}

function serviceOf(app: App): string {
  const { value } = app.settings.baseUrl;
  if (value !== undefined) return value;
  throw new MacroError('auth', 'No service is chosen, so there is no key to keep or to show.', {
    code: 'not_configured',
    hint: 'Choose one with macro init, or name one with --base-url URL.',
  });
}
