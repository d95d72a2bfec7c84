import type { Database } from 'better-sqlite3';

/**
 * Lets the filters of a subscription be null in every SQLite. `json_valid(null)` is null in new ones, which a check lets
 * through, and 0 in those before 3.42, which find a file damaged that has such a row. A check cannot be changed in place.
 */
export function allowNullFilters(db: Database): void {
  for (const name of ['currencies', 'indicators'])
    db.exec(`
      alter table subscriptions add column new_${name} text check (new_${name} is null or json_valid(new_${name}));
      update subscriptions set new_${name} = ${name};
      alter table subscriptions drop column ${name};
      alter table subscriptions rename column new_${name} to ${name};
    `);
}
