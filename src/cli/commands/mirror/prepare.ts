// A mirror on a server, made by its owner for users who may not make tables.

import { MacroError } from '../../../errors.ts';
import { prepareEngine } from '../../../library/mirror/open-engine.ts';
import { isServerAddress } from '../../../mirror/rules/engine.ts';
import type { App } from '../../app/app.ts';
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';

/** Makes all tables and views of a mirror on a server, and gives a role its rights. @throws MacroError of kind `usage` or `mirror`. */
export async function runPrepare(app: App, { options }: Call): Promise<void> {
  const { value: path } = app.settings.mirror;
  if (!isServerAddress(path))
    throw new MacroError(
      'usage',
      `macro mirror prepare is about a mirror on a server, and this one is a file: ${path}.`,
      {
        code: 'mirror_is_file',
        hint: 'Name one with --mirror postgres://user@host/database. A file needs no preparation.',
      },
    );
  const role = textOption(options, 'grant-to');
  const what = `make all tables and views of ${path}${role === undefined ? '' : `, and let ${role} use them`}`;
  const done = await app.change(what, () => prepareEngine(app.platform, path, role));
  if (!done) return;
  await app.list({ rows: [{ ...done.result, role: role ?? null }], title: ['Prepared', path] });
}
