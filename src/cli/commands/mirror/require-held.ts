import { MacroError } from '../../../errors.ts';
import { isServerAddress } from '../../../mirror/rules/engine.ts';
import type { App } from '../../app/app.ts';
import type { MirrorHandle } from '../../app/mirror-handle.ts';

/**
 * The mirror for reading, for commands that are about nothing else.
 * @throws MacroError of kind `notFound`.
 */
export async function requireMirror(app: App, hint?: string): Promise<MirrorHandle> {
  const handle = await app.mirrorIfAny();
  if (handle) return handle;
  throw noMirror(app.settings.mirror.value, hint);
}

/**
 * The path of the mirror, for commands that are about a file; on a server something else does it.
 * @throws MacroError of kind `usage`.
 */
export function requireFile(app: App, command: string, instead: string): string {
  const path = app.settings.mirror.value;
  if (!isServerAddress(path)) return path;
  throw new MacroError('usage', `macro ${command} is about a mirror file, and this mirror is on a server: ${path}.`, {
    code: 'mirror_is_no_file',
    hint: instead,
  });
}

const FILL = 'Fill one with macro sync fx eur usd or macro import FILE, or name one with --mirror FILE.';

export function noMirror(path: string, hint = FILL): MacroError {
  return new MacroError('notFound', `There is no mirror at ${path}.`, { code: 'no_mirror', hint });
}
