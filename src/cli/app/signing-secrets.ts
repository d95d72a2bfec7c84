import { resolve } from 'node:path';
import { MacroError } from '../../errors.ts';
import type { Call } from '../commands/command.ts';
import { textOption } from '../parse/options.ts';
import type { App } from './app.ts';
import { goodSecrets } from './settings/webhook-secrets.ts';

/**
 * The secrets that deliveries may be signed with: those of a file when one is named, else those of the environment and
 * those that `webhooks create` kept. A secret never stands in the command line.
 * @throws MacroError of kind `auth`.
 */
export function signingSecrets(app: App, call: Call): readonly string[] {
  const { env, files, cwd } = app.platform;
  const file = textOption(call.options, 'secret-file');
  const { baseUrl, folders } = app.settings;
  const kept = () => (baseUrl.value === undefined ? [] : goodSecrets(app.platform, folders, baseUrl.value));
  const found =
    file === undefined
      ? [...(env.MACRO_WEBHOOK_SECRET ?? '').split(','), ...kept()]
      : files.readText(resolve(cwd, file)).split(/\r?\n/);
  const secrets = [...new Set(found.map((secret) => secret.trim()).filter((secret) => secret !== ''))];
  if (secrets.length > 0) return secrets;
  throw new MacroError('auth', 'There is no signing secret to check with.', {
    code: 'no_signing_secret',
    hint: 'Give it in MACRO_WEBHOOK_SECRET (several are separated by commas), or in a file with --secret-file.',
  });
}
