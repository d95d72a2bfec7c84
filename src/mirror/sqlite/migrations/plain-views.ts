import type { Database } from 'better-sqlite3';

/**
 * Takes away the views that are written with `->`, which SQLite has since 3.38: before that it reads nothing of a file with
 * such a view. Whoever opens the file for writing makes them anew.
 */
export function dropArrowViews(db: Database): void {
  const named = db
    .prepare<[], string>("select name from sqlite_schema where type = 'view' and sql like '%->%'")
    .pluck();
  for (const name of named.all()) if (/^v_[a-z0-9_]+$/.test(name)) db.exec(`drop view "${name}"`);
}
