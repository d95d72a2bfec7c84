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

/**
 * The system tables: everything that is not rows, but the mirror's own row. A column has its type, `?` where it may be
 * null, `json` where it has JSON, and the rest as in SQL. `owned` is a series: its rows go with it. Times are milliseconds.
 */
const COLUMNS = {
  series: {
    id: 'counted',
    endpoint: 'word',
    /** An object with sorted names. */
    scope: 'word json',
    origin: 'word',
    state: 'text',
    history: 'text',
    /** 0 if it is open. */
    closed_at: 'integer default 0',
    checked_at: 'integer',
    envelope: 'text?',
    envelope_inputs: 'text?',
    envelope_rows: 'text?',
  },
  /** The scope of each series once more, one pair a row, to find series by a part of it. */
  scopes: { name: 'word', value: 'word', series: 'owned' },
  /** Every change of what can be read, in order. */
  commits: {
    number: 'integer primary key',
    at: 'integer',
    series: 'integer references series (id)',
    access: 'text',
    request: 'text',
    added: 'integer',
    revised: 'integer',
    vanished: 'integer',
    unchanged: 'integer',
  },
  /** Covered ranges. `commit_number`: the last one before the check; `skipped`: `SkippedRows` as JSON. */
  proofs: {
    series: 'owned',
    access: 'word',
    starts: 'bound',
    ends: 'bound',
    rows: 'integer',
    proven_at: 'integer',
    commit_number: 'integer',
    skipped: 'text?',
  },
  /** Unfinished walks. */
  walks: { series: 'owned', access: 'word', walk: 'text json' },
  validators: {
    access: 'word',
    question: 'word',
    etag: 'text',
    series: 'owned',
    commit_number: 'integer',
    checked_at: 'integer',
  },
  /** Sums of digests by series and part, as hexadecimal digits; series 0 is the mirror itself. */
  sums: { series: 'integer', part: 'word', rows: 'integer', sum: 'text' },
  /** `checked_at`: of all that may be corrected. `due`: the earliest date changed since; empty for any, null for none. */
  follows: { series: 'owned', access: 'word', checked_at: 'integer', due: 'word?' },
  /** The findings of checks of whole series. */
  checks: { series: 'owned', access: 'word', facts: 'text json' },
  runs: {
    id: 'counted',
    started: 'integer',
    ended: 'integer?',
    holder: 'text',
    words: 'text',
    outcome: "text? check (outcome in ('complete', 'incomplete', 'stopped', 'failed'))",
    requests: 'integer default 0',
    rows: 'integer default 0',
    problem: 'text?',
    /** JSON list of words; null for a run that failed with none. */
    failed: 'text?',
  },
  journal: {
    position: 'numbered',
    series: 'owned',
    event: 'word',
    timestamp: 'integer',
    currency: 'word',
    indicator: 'word',
    release: 'integer?',
    text: 'text',
  },
  arrivals: {
    position: 'integer references journal (position) on delete cascade',
    via: "text check (via in ('stream', 'webhook', 'changes', 'local'))",
    at: 'integer',
  },
  consumers: { name: 'word primary key', position: 'integer', moved_at: 'integer' },
  /** `next_at`: null if it is not tried again by itself. */
  failures: {
    consumer: 'word',
    position: 'integer',
    attempts: 'integer',
    error: 'text',
    failed_at: 'integer',
    next_at: 'integer?',
  },
  /** Ranges of processing time in Unix seconds; null if nobody knows the end. */
  gaps: {
    id: 'counted',
    origin: 'text',
    starts: 'integer?',
    ends: 'integer?',
    reason: 'text',
    via: 'text',
    noted_at: 'integer',
    closed_at: 'integer?',
  },
  /** `currencies` and `indicators`: lists; null for all. */
  subscriptions: {
    number: 'numbered',
    id: 'word unique',
    owner: 'text',
    url: 'text',
    status: "text default 'active' check (status in ('active', 'disabled'))",
    description: 'text?',
    since: 'integer',
    successes: 'integer default 0',
    failures: 'integer default 0',
    consecutive_failures: 'integer default 0',
    failing_since: 'integer?',
    created_at: 'integer',
    updated_at: 'integer?',
    disabled_at: 'integer?',
    disabled_reason: 'text?',
    currencies: 'text? json',
    indicators: 'text? json',
  },
  /** `due_at`: null for a settled delivery; for a claimed delivery, when the claim runs out. */
  deliveries: {
    number: 'numbered',
    id: 'word unique',
    subscription: 'word references subscriptions (id) on delete cascade',
    event: 'text',
    body: 'text',
    status: "text default 'pending' check (status in ('pending', 'retrying', 'succeeded', 'failed'))",
    attempts: 'integer default 0',
    due_at: 'integer?',
    holder: 'text?',
    last_status: 'integer?',
    last_error: 'text?',
    created_at: 'integer',
    delivered_at: 'integer?',
  },
} as const;

type Value<Column extends string> =
  | (Column extends `${'integer' | 'counted' | 'numbered' | 'owned'}${string}` ? number : string)
  | (Column extends `bound${string}` ? number : never)
  | (Column extends `${string}?${string}` ? null : never);

type RowOf<Columns> = { -readonly [Name in keyof Columns]: Value<Columns[Name] & string> };

/** Rows of the system tables. */
export type SystemRows = { readonly [Name in keyof typeof COLUMNS]: RowOf<(typeof COLUMNS)[Name]> } & {
  /** One row: who the mirror is and whose answers it holds. `bindings`: addresses that the service had before, as JSON. */
  readonly mirror: RowOf<
    Record<'id', 'text'> & Record<'created', 'integer'> & Record<'service' | 'nature' | 'bindings', 'text?'>
  >;
};

/** Keys of several columns. */
const KEYS: Partial<Record<keyof typeof COLUMNS, string>> = {
  series: 'unique (endpoint, scope, origin, closed_at)',
  scopes: 'primary key (name, value, series)',
  proofs: 'primary key (series, access, starts, ends)',
  walks: 'primary key (series, access)',
  validators: 'primary key (access, question)',
  sums: 'primary key (series, part)',
  follows: 'primary key (series, access)',
  checks: 'primary key (series, access)',
  journal: 'unique (event, series)',
  arrivals: 'primary key (position, via)',
  failures: 'primary key (consumer, position)',
};

const INDEXES: Partial<Record<keyof typeof COLUMNS, string>> = {
  commits: 'commits_of_series on commits (series, number)',
  validators: 'validators_of_series on validators (series, access, checked_at)',
  deliveries: 'deliveries_due on deliveries (subscription, due_at) where due_at is not null',
};

const OWNED = 'integer references series (id) on delete cascade';

/** The statements that make the tables of `COLUMNS` and their indexes. */
export function systemTables(spelling: TableSpelling): string {
  const typeOf = (name: string, column: string) => {
    const [, type = '', isNullable, isJson, rest = ''] =
      /^(\w+)(\?)?( json)?(.*)$/.exec(column.replace('owned', OWNED)) ?? [];
    const spelled = { ...spelling, text: 'text' }[
      type as 'text' | 'integer' | 'word' | 'bound' | 'counted' | 'numbered'
    ]; // as `COLUMNS` says
    const isKey = rest === ' primary key' || type === 'counted' || type === 'numbered';
    return `${spelled}${isNullable || isKey ? '' : ' not null'}${isJson ? spelling.json(name) : ''}${rest}`;
  };
  return Object.entries<Readonly<Record<string, string>>>(COLUMNS)
    .map(([table, columns]) => {
      const name = table as keyof typeof COLUMNS; // a key of it
      const [key, index] = [KEYS[name], INDEXES[name]];
      const lines = Object.entries(columns).map(([column, type]) => `${column} ${typeOf(column, type)}`);
      const isRowless = key?.startsWith('primary') || table === 'consumers';
      const end = isRowless ? spelling.rowless : spelling.end;
      return `
  create table ${table} (
    ${[...lines, ...(key ? [key] : [])].join(',\n    ')}
  )${end};${index ? `\n  create index ${index};` : ''}`;
    })
    .concat('\n')
    .join('');
}
