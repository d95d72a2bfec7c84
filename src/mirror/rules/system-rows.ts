import type { SeriesRef } from '../../contract/hooks.ts';
import { asJsonText, readJson, toJsonText } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { PageCommit, UnfinishedWalk } from '../api/page-commit.ts';
import type { Binding, DataKind, SeriesTime, Stamp, StoredEnvelope, StoredSeries } from '../api/series.ts';

/** Rows of the system tables, in one interface, so that statements and schema agree. Times are milliseconds. */
export interface SystemRows {
  /** One row: who the file is and whose answers it holds. */
  mirror: {
    id: string;
    created: number;
    service: string | null;
    nature: string | null;
    /** Addresses that the service had before, as JSON. */
    bindings: string | null;
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
    state: string;
    history: string;
    /** Milliseconds; 0 if it is open. */
    closed_at: number;
    checked_at: number;
    envelope: string | null;
    envelope_inputs: string | null;
    envelope_rows: string | null;
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
    /** The last commit before the check. */
    commit_number: number;
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
  /** The findings of checks of whole series, as JSON. */
  checks: { series: number; access: string; facts: string };
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
  /** Ranges of processing time in Unix seconds; null if nobody knows the end. */
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
    /** Null for a settled delivery; for a claimed delivery, when the claim runs out. */
    due_at: number | null;
    holder: string | null;
    last_status: number | null;
    last_error: string | null;
    created_at: number;
    delivered_at: number | null;
  };
}

type StampRow = SystemRows['mirror'];

type SeriesRow = SystemRows['series'];

/** The record of a walk: some of its pages may have stored rows back. */
export interface UnfinishedWalkRow extends UnfinishedWalk {
  readonly heldBack?: boolean;
}
/** Requests contain dates, so new ones come every day: only this many validators of a series and access are stored. */
export const MAX_VALIDATORS = 50;

/** The mirror's one row about it. @throws MacroError of kind `mirror`. */
export function stampFrom(row: StampRow | undefined, path: string): Stamp {
  if (!row) throw new MacroError('mirror', `The mirror ${path} has lost its stamp.`, { hint: RESTORE });
  const { id, service, nature, bindings } = row;
  return {
    ...{ id, service: service ?? undefined, nature: natureOf(nature) },
    ...(bindings && { bindings: readJson<readonly Binding[]>(bindings) }),
  };
}

/** The stamp after an answer; undefined when it decides nothing. @throws MacroError of kind `mirror`. */
export function decideStamp(
  stamp: Stamp,
  { series, nature }: Pick<PageCommit, 'series' | 'nature'>,
  path: string,
): Pick<StampRow, 'service' | 'nature'> | undefined {
  const service = series.origin.startsWith('import:') ? undefined : series.origin;
  if (stamp.nature !== undefined && stamp.nature !== nature)
    throw new MacroError('mirror', `The mirror ${path} has ${stamp.nature} data; this is ${nature}.`, {
      hint: 'Keep it in a mirror of its own: --mirror FILE.',
      code: 'mirror_nature',
    });
  if (stamp.service !== undefined && service !== undefined && stamp.service !== service)
    throw ofAnotherService(path, stamp.service, service);
  const decides = stamp.nature === undefined || (stamp.service === undefined && service !== undefined);
  return decides ? { service: stamp.service ?? service ?? null, nature } : undefined;
}

export function ofAnotherService(path: string, bound: string | undefined, service: string): MacroError {
  return new MacroError('mirror', `The mirror ${path} has answers of ${bound}, not of ${service}.`, {
    hint: `Keep the other service in a mirror of its own: --mirror FILE. If it has moved: macro mirror bind ${service}`,
    code: 'mirror_service',
  });
}

const RESTORE = 'Restore a backup, or name another file with --mirror.';

function natureOf(text: string | null): DataKind | undefined {
  return text === 'real' || text === 'synthetic' ? text : undefined;
}

/** The stamp of a new mirror. */
export interface Birth {
  readonly id: string;
  /** Milliseconds. */
  readonly created: number;
}

/** One spelling for one scope: names sorted, nothing undefined. */
export function scopeText(scope: Readonly<Record<string, string>>): string {
  return toJsonText(Object.fromEntries(Object.entries(scope).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Does a reference name all that there is to name of a series? */
export function isWhole(ref: SeriesRef, scopeNames: readonly string[]): boolean {
  return ref.exact === true || scopeNames.every((name) => Object.hasOwn(ref.scope, name));
}

export function storedSeriesOf(row: SystemRows['series']): StoredSeries {
  return {
    id: row.id,
    origin: row.origin,
    endpoint: row.endpoint,
    scope: readJson(row.scope),
    state: row.state,
    chain: row.history,
    envelope: envelopeOf(row),
    checkedAt: row.checked_at,
    ...(row.closed_at > 0 && { closedAt: row.closed_at }),
  };
}

/** The found series that hold at a time. Several series may have one name: closed ones hold until they were closed. */
export function seriesAt(found: readonly StoredSeries[], time: SeriesTime = 'now'): readonly StoredSeries[] {
  if (time === 'ever' || found.every(({ closedAt }) => closedAt === undefined)) return found;
  const at = time === 'now' ? Number.MAX_VALUE : time;
  const endOf = ({ closedAt = Number.POSITIVE_INFINITY }: StoredSeries) => closedAt;
  const first = new Map<string, StoredSeries>();
  for (const series of found) {
    const name = `${scopeText(series.scope)} ${series.origin}`;
    const known = first.get(name);
    if (endOf(series) > at && (!known || endOf(series) < endOf(known))) first.set(name, series);
  }
  const meant = new Set(first.values());
  return found.filter((series) => meant.has(series));
}

function envelopeOf(row: SeriesRow): StoredEnvelope | undefined {
  const { envelope, envelope_inputs: inputs, envelope_rows: rows } = row;
  if (envelope === null || inputs === null || rows === null) return undefined;
  return { text: asJsonText(envelope), inputs, rows };
}

export function unfinishedWalkOf({ heldBack: _, ...walk }: UnfinishedWalkRow): UnfinishedWalk {
  // JSON leaves undefined members out; the type says that they are there.
  return { ...walk, total: walk.total, lastKey: walk.lastKey };
}

/** Rows of earlier pages of this walk were withheld. A page that belongs to no walk says nothing of one. */
export function wasWithheld(kept: UnfinishedWalkRow | undefined, walk: UnfinishedWalk | null | undefined): boolean {
  if (walk === undefined) return false;
  return kept?.heldBack === true && (walk === null || walk.startedAt === kept.startedAt);
}
