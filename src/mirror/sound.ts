import { MacroError } from '../errors.ts';
import type { Connection } from './connect.ts';

/**
 * Refuses a file whose pages do not hold together. `quick` does not compare the indexes with their tables, which is most of
 * the time that a whole check takes.
 */
export function requireSound(db: Connection, path: string, how: 'quick' | 'whole'): void {
  const check = how === 'quick' ? 'quick_check(1)' : 'integrity_check(1)';
  const [first] = db.prepare<[], string>(`pragma ${check}`).pluck().all();
  if (first === 'ok') return;
  throw new MacroError('mirror', `The mirror ${path} is damaged: ${first}.`, {
    hint: 'Keep a copy of the file, then restore a backup, or name a new file with --mirror and run `macro sync`.',
    code: 'mirror_damaged',
  });
}
