/** The `user_version` of a file that has this schema. Tables of rows count too: their texts are short since this version. */
export const SCHEMA_VERSION = 12;

/** The ledger: everything that is not rows. `json_valid(null)` is null in new SQLite, which a check lets through, and 0 before 3.42. */
export const LEDGER = `
  create table mirror (
    one integer primary key check (one = 1),
    id text not null,
    created integer not null,
    service text,
    nature text check (nature in ('real', 'synthetic'))
  ) strict;
  create table series (
    id integer primary key,
    endpoint text not null,
    scope text not null check (json_valid(scope)),
    origin text not null,
    generation integer not null,
    checked_at integer not null,
    envelope text,
    envelope_inputs text,
    envelope_commit integer,
    unique (endpoint, scope, origin)
  ) strict;
  create table scopes (
    name text not null,
    value text not null,
    series integer not null references series (id) on delete cascade,
    primary key (name, value, series)
  ) strict, without rowid;
  create table commits (
    number integer primary key,
    at integer not null,
    series integer not null references series (id),
    access text not null,
    request text not null,
    added integer not null,
    revised integer not null,
    vanished integer not null,
    unchanged integer not null
  ) strict;
  create index commits_of_series on commits (series, number);
  create table proofs (
    series integer not null references series (id) on delete cascade,
    access text not null,
    starts any not null,
    ends any not null,
    rows integer not null,
    proven_at integer not null,
    commit_number integer,
    held integer,
    skipped text,
    primary key (series, access, starts, ends)
  ) strict, without rowid;
  create table walks (
    series integer not null references series (id) on delete cascade,
    access text not null,
    walk text not null check (json_valid(walk)),
    primary key (series, access)
  ) strict, without rowid;
  create table validators (
    access text not null,
    question text not null,
    etag text not null,
    series integer not null references series (id) on delete cascade,
    commit_number integer not null,
    checked_at integer not null,
    primary key (access, question)
  ) strict, without rowid;
  create index validators_of_series on validators (series, access, checked_at);
  create table sums (
    series integer not null,
    part text not null,
    rows integer not null,
    sum text not null,
    primary key (series, part)
  ) strict, without rowid;
  create table follows (
    series integer not null references series (id) on delete cascade,
    access text not null,
    checked_at integer not null,
    due text,
    primary key (series, access)
  ) strict, without rowid;
  create table runs (
    id integer primary key,
    started integer not null,
    ended integer,
    holder text not null,
    words text not null,
    outcome text check (outcome in ('complete', 'incomplete', 'stopped', 'failed')),
    requests integer not null default 0,
    rows integer not null default 0,
    problem text,
    failed text
  ) strict;
  create table journal (
    position integer primary key autoincrement,
    series integer not null references series (id) on delete cascade,
    event text not null,
    timestamp integer not null,
    currency text not null,
    indicator text not null,
    release integer,
    text text not null,
    unique (event, series)
  ) strict;
  create table arrivals (
    position integer not null references journal (position) on delete cascade,
    via text not null check (via in ('stream', 'webhook', 'changes', 'local')),
    at integer not null,
    primary key (position, via)
  ) strict, without rowid;
  create table consumers (
    name text primary key,
    position integer not null,
    moved_at integer not null
  ) strict, without rowid;
  create table failures (
    consumer text not null,
    position integer not null,
    attempts integer not null,
    error text not null,
    failed_at integer not null,
    next_at integer,
    primary key (consumer, position)
  ) strict, without rowid;
  create table gaps (
    id integer primary key,
    origin text not null,
    starts integer,
    ends integer,
    reason text not null,
    via text not null,
    noted_at integer not null,
    closed_at integer
  ) strict;
  create table subscriptions (
    number integer primary key autoincrement,
    id text not null unique,
    owner text not null,
    url text not null,
    status text not null default 'active' check (status in ('active', 'disabled')),
    description text,
    since integer not null,
    successes integer not null default 0,
    failures integer not null default 0,
    consecutive_failures integer not null default 0,
    failing_since integer,
    created_at integer not null,
    updated_at integer,
    disabled_at integer,
    disabled_reason text,
    currencies text check (currencies is null or json_valid(currencies)),
    indicators text check (indicators is null or json_valid(indicators))
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
`;
