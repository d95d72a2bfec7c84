import type { Database } from 'better-sqlite3';

/**
 * Texts of rows may be short from here on, which no earlier program can read. Those that are there stay as they are. The
 * views that would show short texts go: whoever opens the file for writing makes them anew.
 */
export function allowShortTexts(db: Database): void {
  for (const name of ['v_fx', 'v_fx_superseded']) db.exec(`drop view if exists ${name}`);
}
