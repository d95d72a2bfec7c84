/** How an engine spells the system tables. */
interface TableSpelling {
  readonly integer: string;
  /** A text that is compared and sorted by its bytes. */
  readonly word: string;
  /** A bound of dates, a text or a number. */
  readonly bound: string;
  /** A key that the database counts; `numbered`: it gives no number twice. */
  readonly counted: string;
  readonly numbered: string;
  /** A check of a column that has JSON, or nothing. */
  json(column: string): string;
  /** The end of a statement that makes a table; `rowless`: of a table found only by its key. */
  readonly end: string;
  readonly rowless: string;
}

/** The system tables: everything that is not rows, but the one row of the mirror itself. */
export function systemTables({ integer, word, bound, counted, numbered, json, end, rowless }: TableSpelling): string {
  return `
  create table series (
    id ${counted},
    endpoint ${word} not null,
    scope ${word} not null${json('scope')},
    origin ${word} not null,
    state text not null,
    history text not null,
    closed_at ${integer} not null default 0,
    checked_at ${integer} not null,
    envelope text,
    envelope_inputs text,
    envelope_rows text,
    unique (endpoint, scope, origin, closed_at)
  )${end};
  create table scopes (
    name ${word} not null,
    value ${word} not null,
    series ${integer} not null references series (id) on delete cascade,
    primary key (name, value, series)
  )${rowless};
  create table commits (
    number ${integer} primary key,
    at ${integer} not null,
    series ${integer} not null references series (id),
    access text not null,
    request text not null,
    added ${integer} not null,
    revised ${integer} not null,
    vanished ${integer} not null,
    unchanged ${integer} not null
  )${end};
  create index commits_of_series on commits (series, number);
  create table proofs (
    series ${integer} not null references series (id) on delete cascade,
    access ${word} not null,
    starts ${bound} not null,
    ends ${bound} not null,
    rows ${integer} not null,
    proven_at ${integer} not null,
    commit_number ${integer} not null,
    skipped text,
    primary key (series, access, starts, ends)
  )${rowless};
  create table walks (
    series ${integer} not null references series (id) on delete cascade,
    access ${word} not null,
    walk text not null${json('walk')},
    primary key (series, access)
  )${rowless};
  create table validators (
    access ${word} not null,
    question ${word} not null,
    etag text not null,
    series ${integer} not null references series (id) on delete cascade,
    commit_number ${integer} not null,
    checked_at ${integer} not null,
    primary key (access, question)
  )${rowless};
  create index validators_of_series on validators (series, access, checked_at);
  create table sums (
    series ${integer} not null,
    part ${word} not null,
    rows ${integer} not null,
    sum text not null,
    primary key (series, part)
  )${rowless};
  create table follows (
    series ${integer} not null references series (id) on delete cascade,
    access ${word} not null,
    checked_at ${integer} not null,
    due ${word},
    primary key (series, access)
  )${rowless};
  create table checks (
    series ${integer} not null references series (id) on delete cascade,
    access ${word} not null,
    facts text not null${json('facts')},
    primary key (series, access)
  )${rowless};
  create table runs (
    id ${counted},
    started ${integer} not null,
    ended ${integer},
    holder text not null,
    words text not null,
    outcome text check (outcome in ('complete', 'incomplete', 'stopped', 'failed')),
    requests ${integer} not null default 0,
    rows ${integer} not null default 0,
    problem text,
    failed text
  )${end};
  create table journal (
    position ${numbered},
    series ${integer} not null references series (id) on delete cascade,
    event ${word} not null,
    timestamp ${integer} not null,
    currency ${word} not null,
    indicator ${word} not null,
    release ${integer},
    text text not null,
    unique (event, series)
  )${end};
  create table arrivals (
    position ${integer} not null references journal (position) on delete cascade,
    via text not null check (via in ('stream', 'webhook', 'changes', 'local')),
    at ${integer} not null,
    primary key (position, via)
  )${rowless};
  create table consumers (
    name ${word} primary key,
    position ${integer} not null,
    moved_at ${integer} not null
  )${rowless};
  create table failures (
    consumer ${word} not null,
    position ${integer} not null,
    attempts ${integer} not null,
    error text not null,
    failed_at ${integer} not null,
    next_at ${integer},
    primary key (consumer, position)
  )${rowless};
  create table gaps (
    id ${counted},
    origin text not null,
    starts ${integer},
    ends ${integer},
    reason text not null,
    via text not null,
    noted_at ${integer} not null,
    closed_at ${integer}
  )${end};
  create table subscriptions (
    number ${numbered},
    id ${word} not null unique,
    owner text not null,
    url text not null,
    status text not null default 'active' check (status in ('active', 'disabled')),
    description text,
    since ${integer} not null,
    successes ${integer} not null default 0,
    failures ${integer} not null default 0,
    consecutive_failures ${integer} not null default 0,
    failing_since ${integer},
    created_at ${integer} not null,
    updated_at ${integer},
    disabled_at ${integer},
    disabled_reason text,
    currencies text${json('currencies')},
    indicators text${json('indicators')}
  )${end};
  create table deliveries (
    number ${numbered},
    id ${word} not null unique,
    subscription ${word} not null references subscriptions (id) on delete cascade,
    event text not null,
    body text not null,
    status text not null default 'pending' check (status in ('pending', 'retrying', 'succeeded', 'failed')),
    attempts ${integer} not null default 0,
    due_at ${integer},
    holder text,
    last_status ${integer},
    last_error text,
    created_at ${integer} not null,
    delivered_at ${integer}
  )${end};
  create index deliveries_due on deliveries (subscription, due_at) where due_at is not null;
`;
}
