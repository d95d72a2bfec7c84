import type { SqliteConnection } from './database-file.ts';
import { damaged } from './failures.ts';
import { requireLedger } from './version.ts';

/**
 * Refuses a file whose pages do not hold together, or that has lost a table of the ledger. `quick` does not compare the indexes with their tables, which is most of
 * the time that a whole check takes.
 * @throws MacroError of kind `mirror`.
 */
export function assertIntegrity(db: SqliteConnection, path: string, how: 'quick' | 'whole'): void {
  const check = how === 'quick' ? 'quick_check(1)' : 'integrity_check(1)';
  const [first] = db.prepare<[], string>(`pragma ${check}`).pluck().all();
  if (first !== 'ok') throw damaged(path, `${first}`);
  requireLedger(db, path);
}
