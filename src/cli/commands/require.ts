// Checks that commands make of a line or of the machine before they go on.

import { MacroError } from '../../errors.ts';
import type { Mirror, SyncLock } from '../../mirror/api/mirror.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import { ownMirror } from '../../source/named-service.ts';
import type { App } from '../app/app.ts';
import type { MirrorHandle } from '../app/mirror-handle.ts';
import { wrongWords } from '../parse/question.ts';
import type { Call } from './command.ts';

/** The one word that a command takes. @throws MacroError of kind `usage`. */
export function onlyWord({ words }: Call, command: string, name: string): string {
  const [word] = words;
  if (word !== undefined && words.length === 1) return word;
  throw wrongWords(`macro ${command} takes one word: ${name}.`, `See macro ${command} --help.`);
}

/** Refuses words without repeating them: one could be a secret. @throws MacroError of kind `usage`. */
export function noWords({ words }: Call, command: string): void {
  if (words.length === 0) return;
  throw wrongWords(`macro ${command} takes no words.`, `See macro ${command} --help.`);
}

/** The mirror for reading, for commands that are about nothing else. @throws MacroError of kind `notFound`. */
export async function requireMirror(app: App, hint?: string): Promise<MirrorHandle> {
  const handle = await app.mirrorIfAny();
  if (handle) return handle;
  throw noMirror(app.settings.mirror.value, hint);
}

/** The same for what it answers: without what another service than the named one said. @throws MacroError of kind `notFound` or `mirror`. */
export async function requireOwnMirror(app: App): Promise<Mirror> {
  return ownMirror(await requireMirror(app));
}

/** The path of a mirror that must be a file. @throws MacroError of kind `usage`. */
export function requireFile(app: App, command: string, instead: string): string {
  const path = app.settings.mirror.value;
  if (!isServerAddress(path)) return path;
  throw new MacroError('usage', `macro ${command} is about a mirror file, and this mirror is on a server: ${path}.`, {
    code: 'mirror_is_no_file',
    hint: instead,
  });
}

/** Does work under a lock, which is given back whatever happens. */
export async function underLock<T>(taking: Promise<SyncLock> | SyncLock, work: () => T | Promise<T>): Promise<T> {
  const lock = await taking;
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

const FILL = 'Fill one with macro sync fx eur usd or macro import FILE, or name one with --mirror FILE.';

export function noMirror(path: string, hint = FILL): MacroError {
  return new MacroError('notFound', `There is no mirror at ${path}.`, { code: 'no_mirror', hint });
}
