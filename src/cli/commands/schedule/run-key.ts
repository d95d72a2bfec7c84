// Whether a run that nobody begins at a terminal can read the key: it has neither its variables nor a desktop session.

import { KEY_VARIABLES } from '../../../client/http/key.ts';
import { isJsonObject, parseJson } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import type { Job } from '../../../platform/schedule/scheduler.ts';
import type { App } from '../../app/app.ts';
import { storedKey } from '../../app/keys.ts';

/** True for a key that is in a variable of this terminal and nowhere else. */
export function isTerminalKeyOnly({ platform, settings }: App): boolean {
  const { value: baseUrl } = settings.baseUrl;
  if (baseUrl === undefined || !KEY_VARIABLES.some((name) => platform.env[name])) return false;
  return storedKey(platform, settings, baseUrl) === undefined;
}

/** No bus of a desktop session has this address, so nothing that belongs to one can be asked. */
const NO_SESSION = 'unix:path=/nonexistent/macro-no-session';

/**
 * Reads the key as a scheduled run is going to: this program is started with the environment of a scheduler. A key in a file
 * is read by whoever may run the program at all, so nothing is started for it.
 *
 * @throws MacroError with exit 4 when it cannot be read
 */
export async function requireReadableKey(app: App, { env }: Pick<Job, 'env'>): Promise<void> {
  const { platform, settings } = app;
  const { value: baseUrl } = settings.baseUrl;
  if (baseUrl === undefined || storedKey(platform, settings, baseUrl)?.place !== 'keychain') return;
  const [program = '', ...words] = platform.program;
  const bare = { PATH: '/usr/bin:/bin', HOME: platform.home, ...env, DBUS_SESSION_BUS_ADDRESS: NO_SESSION };
  const ran = await platform.run(program, [...words, 'auth', 'status', '--format', 'json'], { env: bare });
  if (ran.code === 0 && isPresent(ran.stdout)) return;
  throw new MacroError(
    'auth',
    'Scheduled runs cannot read the key: it is in a keychain that needs a desktop session.',
    {
      code: 'key_needs_session',
      hint: 'Move it into a file that only you can read: macro auth move file. Then: macro schedule install',
    },
  );
}

function isPresent(text: string): boolean {
  const answer = parseJson(text);
  const [row] = isJsonObject(answer) && Array.isArray(answer.data) ? answer.data : [];
  return isJsonObject(row) && row.key === 'present';
}
