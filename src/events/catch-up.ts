import { type ErrorKind, MacroError } from '../errors.ts';
import { type Journal, type JournalGap, missingRange } from '../mirror/api/journal.ts';
import type { NewRow } from '../mirror/api/page-commit.ts';
import type { Clock } from '../platform/platform.ts';

/** One page of the changes since a moment. */
export interface ChangesPage {
  readonly rows: readonly NewRow[];
  readonly synthetic: boolean;
  /** Events before this moment (Unix seconds) are no longer stored, though they were requested. */
  readonly missedBefore: number | undefined;
}

interface CatchUpParts {
  readonly journal: Journal;
  readonly clock: Pick<Clock, 'now'>;
  readonly origin: string;
  /** Until when (Unix seconds) all events are stored; undefined before the first stream. */
  readonly completeUntil: number | undefined;
  /** Requests the changes since a moment (Unix seconds); if undefined, as many as the service still has. */
  readonly changesSince: (since: number | undefined) => AsyncIterable<ChangesPage>;
  /** The position of a new event; undefined if it was known already. */
  readonly record: (row: NewRow, synthetic: boolean) => Promise<number | undefined>;
  /** Called with a time (Unix seconds) whose events are all stored now, and whether the service makes its events up. */
  readonly onWatched: (from: number, to: number, synthetic: boolean) => Promise<void>;
  /** Until when (Unix seconds) nothing is withheld any more, at a moment in milliseconds. */
  readonly wholeUntil: (now: number) => number;
  /** Seconds before that time from which changes are asked: what becomes readable late is among them. */
  readonly slack: number;
  /** Called once for a gap that can never be filled. */
  readonly onGap: (gap: Lost) => Promise<void>;
  /** Called if changes cannot be requested now; they are requested again. */
  readonly onFailure: (error: MacroError) => Promise<void>;
}

/** A missing range for good. */
export type Lost = Pick<JournalGap, 'id' | 'origin' | 'from' | 'to' | 'reason'>;

/** The result of a request for missed events. */
export interface CaughtUp {
  /** Since when all of them are known, in Unix seconds. */
  readonly since: number;
  /** How many were new. */
  readonly missed: number;
}

/** Keeps a follower's journal without silent missing ranges. */
export interface CatchUp {
  /** Asks for everything after the last complete moment; undefined when that cannot be asked now. */
  run(reason: string): Promise<CaughtUp | undefined>;
  /** Tries again what could not be asked, when it is time. */
  again(): Promise<void>;
  /** An event came in order. */
  seen(timestamp: number): Promise<void>;
  /** The stream is silent, and open. */
  silent(): Promise<void>;
}

/** Failures that a later try may not meet. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['upstream', 'incomplete', 'quota', 'protocol']);
/** Milliseconds until changes are asked again after a failure. */
const RETRY_INTERVAL_MS = 60_000;
/** Milliseconds between two commits that record the covered time. */
const NOTE_INTERVAL_MS = 60_000;
/** Seconds for which the service tells changes that nobody gave a beginning for. */
const DAY = 86_400;

/** Fills gaps. While changes cannot be asked, the gap stays open in the journal for a later run. */
export async function createCatchUp(parts: CatchUpParts): Promise<CatchUp> {
  const { journal, clock, origin } = parts;
  let { completeUntil } = parts;
  const [last] = await journal.events({ after: Math.max(0, (await journal.newest()) - 1), limit: 1 });
  // Clocks differ, and an event may be readable late: changes are requested from the last known one, or a day before.
  let lastEvent = last?.timestamp ?? Number.POSITIVE_INFINITY;
  const startedAt = Math.floor(clock.now() / 1000);
  let watchedFrom: number | undefined;
  let synthetic = false;
  let notedAt = 0;
  let owed: { readonly id: number; readonly reason: string; readonly at: number } | undefined;

  async function fill(): Promise<CaughtUp> {
    const before = completeUntil;
    const asked = before === undefined ? undefined : Math.min(before, laterOf(lastEvent, before - DAY)) - parts.slack;
    const began = Math.floor(clock.now() / 1000);
    let missedBefore: number | undefined;
    let missed = 0;
    for await (const page of parts.changesSince(asked)) {
      synthetic = page.synthetic;
      missedBefore ??= page.missedBefore;
      for (const row of page.rows) {
        if ((await parts.record(row, page.synthetic)) !== undefined) missed += 1;
        lastEvent = Number(row.value.timestamp);
      }
    }
    // The gap noted while the service was unreachable covers the same dates: part of it is lost now.
    const lost = before === undefined || missedBefore === undefined ? undefined : missingRange(before, missedBefore);
    if (lost) await noteLost(lost);
    owed = undefined;
    const since = laterOf(asked ?? began - DAY, missedBefore);
    watchedFrom = since;
    completeUntil = laterOf(since, before);
    await watched(began);
    return { since, missed };
  }

  /** Records events as complete up to the last streamed event, or up to now while the stream is silent. */
  async function watched(until: number): Promise<void> {
    if (watchedFrom === undefined || owed) return;
    const to = Math.min(until, parts.wholeUntil(clock.now()));
    if (to < watchedFrom) return;
    await parts.onWatched(watchedFrom, to, synthetic);
    notedAt = clock.now();
    watchedFrom = to;
    completeUntil = laterOf(to, completeUntil);
  }

  /** Covered time is recorded once a minute, since each record is a commit; the next start requests the rest. */
  function isDue(): boolean {
    return clock.now() - notedAt >= NOTE_INTERVAL_MS;
  }

  async function noteLost(missingRange: { from: number; to: number }): Promise<void> {
    const gap = { origin, ...missingRange, reason: 'the service no longer keeps these events' };
    const id = await journal.noteGap({ ...gap, via: 'changes', notedAt: clock.now() });
    await parts.onGap({ id, ...gap });
  }

  async function owe(reason: string, error: MacroError): Promise<void> {
    // Nothing before the first stream of a mirror is missing.
    completeUntil ??= startedAt;
    const gap = { origin, from: completeUntil + 1, to: undefined, reason };
    const id = owed?.id ?? (await journal.noteGap({ ...gap, via: 'stream', notedAt: clock.now() }));
    owed = { id, reason, at: clock.now() + Math.max(RETRY_INTERVAL_MS, (error.retryAfter ?? 0) * 1000) };
    await parts.onFailure(error);
  }

  async function run(reason: string): Promise<CaughtUp | undefined> {
    try {
      return await fill();
    } catch (error) {
      if (!(error instanceof MacroError) || !PASSING.has(error.kind)) throw error;
      await owe(reason, error);
      return undefined;
    }
  }

  return {
    run,
    async again() {
      if (owed && clock.now() >= owed.at) await run(owed.reason);
    },
    async seen(timestamp) {
      if (owed) return;
      lastEvent = timestamp;
      completeUntil = laterOf(timestamp, completeUntil);
      if (isDue()) await watched(timestamp);
    },
    async silent() {
      if (isDue()) await watched(Math.floor(clock.now() / 1000) - parts.slack);
    },
  };
}

function laterOf(a: number, b: number | undefined): number {
  return b === undefined ? a : Math.max(a, b);
}
