import type { Database } from 'better-sqlite3';

/** Subscriptions of webhooks, and deliveries to them, whose ids are those of subscription and event. Secrets are not among it. */
export function addOutbox(db: Database): void {
  db.exec(`
    create table subscriptions (
      number integer primary key autoincrement,
      id text not null unique,
      owner text not null,
      url text not null,
      status text not null default 'active' check (status in ('active', 'disabled')),
      currencies text check (json_valid(currencies)),
      indicators text check (json_valid(indicators)),
      description text,
      since integer not null,
      successes integer not null default 0,
      failures integer not null default 0,
      consecutive_failures integer not null default 0,
      failing_since integer,
      created_at integer not null,
      updated_at integer,
      disabled_at integer,
      disabled_reason text
    ) strict;

    create table deliveries (
      number integer primary key autoincrement,
      id text not null unique,
      subscription text not null references subscriptions (id) on delete cascade,
      event text not null,
      body text not null,
      status text not null default 'pending' check (status in ('pending', 'retrying', 'succeeded', 'failed')),
      attempts integer not null default 0,
      due_at integer,
      holder text,
      last_status integer,
      last_error text,
      created_at integer not null,
      delivered_at integer
    ) strict;

    create index deliveries_due on deliveries (subscription, due_at) where due_at is not null;
  `);
}
