import { fingerprint, redact } from '../../../client/http/key.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { canAsk, openPrompts } from '../../app/prompts.ts';
import { baseUrlOrigin } from '../../app/settings/base-url.ts';
import { findKey, forgetKey, type KeyOwner, storeKey } from '../../app/settings/keys.ts';
import { listOwn } from '../../output/own-listing.ts';
import { isOn } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { checkService } from './check-service.ts';

/** Asks for the key of the service and keeps it for its profile, or else for its origin. */
export async function login(app: App, call: Call): Promise<void> {
  const baseUrl = serviceOf(app);
  const key = await readSecret(app, `API key for ${baseUrlOrigin(baseUrl)}`);
  if (key !== '' && !isOn(call.options, 'offline')) await checkService(app, { baseUrl, key });
  await keepKey(app, app.settings, { baseUrl, key });
}

/** A key from the prompt, or from standard input when nobody can be asked; never from the command line. */
export async function readSecret(app: App, message: string): Promise<string> {
  if (canAsk(app.platform)) return (await openPrompts(app.platform, app.signal)).secret(message);
  const bytes = await app.platform.io.stdin.readBytes();
  return new TextDecoder().decode(bytes).trim();
}

/** Stores a key and says where. */
export async function keepKey(app: App, owner: KeyOwner, kept: { baseUrl: string; key: string }): Promise<void> {
  const path = storeKey(app.platform, owner, kept);
  await app.warn(
    `the key for ${baseUrlOrigin(kept.baseUrl)} is kept unencrypted in ${path}, readable by you only`,
    'secret_kept_unencrypted',
  );
}

export async function logout(app: App): Promise<void> {
  const baseUrl = serviceOf(app);
  const path = forgetKey(app.platform, app.settings, baseUrl);
  await app.note(
    path ? `The key in ${path} is removed.` : `No key was kept for ${baseUrlOrigin(baseUrl)}.`,
    'key_removed',
  );
  const left = findKey(app.platform, app.settings, baseUrl);
  if (left) await app.note(`${left.from} still holds a key.`, 'key_still_held');
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
