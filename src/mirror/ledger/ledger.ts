import type { Generated } from 'kysely';

/**
 * Rows of the ledger: what the mirror knows beside the data. One interface for all tables, so that a statement and the
 * migration that made its table cannot drift apart unseen. Times are milliseconds since the epoch.
 */
export interface LedgerSchema {
  /** One row: who the file is and whose answers it holds. */
  mirror: {
    id: string;
    created: number;
    service: string | null;
    nature: string | null;
  };
  /** Every change of what can be read, in order. */
  commits: {
    number: number;
    at: number;
    series: number;
    access: string;
    request: string;
    added: number;
    revised: number;
    vanished: number;
    unchanged: number;
  };
  series: {
    id: number;
    endpoint: string;
    /** JSON object with sorted names. */
    scope: string;
    origin: string;
    generation: number;
    checked_at: number;
    envelope: string | null;
    envelope_inputs: string | null;
    envelope_commit: number | null;
  };
  /** The scope of each series once more, one pair a row, to find series by a part of it. */
  scopes: { name: string; value: string; series: number };
  proofs: {
    series: number;
    access: string;
    starts: string | number;
    ends: string | number;
    rows: number;
    proven_at: number;
    /** The last commit when it was proven, and how many rows of the window were stored then. Null: proven before this was kept. */
    commit_number: number | null;
    held: number | null;
    /** Rows that the answer has before the window, as JSON; see `SkippedRows`. */
    skipped: string | null;
  };
  /** An unfinished walk, as JSON. */
  walks: { series: number; access: string; walk: string };
  validators: {
    access: string;
    question: string;
    etag: string;
    series: number;
    commit_number: number;
    checked_at: number;
  };
  /** Sums of digests by series and part, as hexadecimal digits; series 0 is the file itself. */
  sums: { series: number; part: string; rows: number; sum: string };
  follows: {
    series: number;
    access: string;
    /** When all that its publisher may still correct was last asked for. */
    checked_at: number;
    /** Earliest date that may have changed since; empty when any may, null when none has. */
    due: string | null;
  };
  runs: {
    id: number;
    started: number;
    ended: number | null;
    holder: string;
    words: string;
    outcome: string | null;
    requests: number;
    rows: number;
    problem: string | null;
    /** JSON list of words; null for a run that failed with none. */
    failed: string | null;
  };
  journal: {
    position: number;
    series: number;
    event: string;
    timestamp: number;
    currency: string;
    indicator: string;
    release: number | null;
    text: string;
  };
  arrivals: { position: number; via: string; at: number };
  consumers: { name: string; position: number; moved_at: number };
  failures: {
    consumer: string;
    position: number;
    attempts: number;
    error: string;
    failed_at: number;
    /** Null: it is not tried again by itself. */
    next_at: number | null;
  };
  /** Stretches of processing time in Unix seconds; null where nobody knows the end. */
  gaps: {
    id: number;
    origin: string;
    starts: number | null;
    ends: number | null;
    reason: string;
    via: string;
    noted_at: number;
    closed_at: number | null;
  };
  subscriptions: {
    number: number;
    id: string;
    owner: string;
    url: string;
    status: string;
    /** JSON lists; null for all. */
    currencies: string | null;
    indicators: string | null;
    description: string | null;
    since: number;
    successes: number;
    failures: number;
    consecutive_failures: number;
    failing_since: number | null;
    created_at: number;
    updated_at: number | null;
    disabled_at: number | null;
    disabled_reason: string | null;
  };
  deliveries: {
    number: number;
    id: string;
    subscription: string;
    event: string;
    body: string;
    status: string;
    attempts: number;
    /** Null for one that is done; of a claimed one, when the claim runs out. */
    due_at: number | null;
    holder: string | null;
    last_status: number | null;
    last_error: string | null;
    created_at: number;
    delivered_at: number | null;
  };
}

/** The tables as statements write them: what the database fills in by itself may be left out. */
export interface LedgerTables extends Omit<LedgerSchema, NumberedTable> {
  series: Filled<'series', 'id' | 'envelope' | 'envelope_inputs' | 'envelope_commit'>;
  runs: Filled<'runs', 'id' | 'ended' | 'outcome' | 'requests' | 'rows' | 'problem' | 'failed'>;
  journal: Filled<'journal', 'position'>;
  gaps: Filled<'gaps', 'id' | 'closed_at'>;
  subscriptions: Filled<
    'subscriptions',
    | 'number'
    | 'status'
    | 'successes'
    | 'failures'
    | 'consecutive_failures'
    | 'failing_since'
    | 'updated_at'
    | 'disabled_at'
    | 'disabled_reason'
  >;
  deliveries: Filled<
    'deliveries',
    'number' | 'status' | 'attempts' | 'holder' | 'last_status' | 'last_error' | 'delivered_at'
  >;
}

type NumberedTable = 'series' | 'runs' | 'journal' | 'gaps' | 'subscriptions' | 'deliveries';

type Filled<Name extends NumberedTable, Later extends keyof LedgerSchema[Name]> = {
  [K in keyof LedgerSchema[Name]]: K extends Later ? Generated<LedgerSchema[Name][K]> : LedgerSchema[Name][K];
};
