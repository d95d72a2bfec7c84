import type { LivePage } from '../client/client.ts';
import type { SyncStrategy } from '../contract/mapping.ts';
import type { Args } from '../contract/params/params.ts';
import { EVENTS_KEPT } from '../contract/release-event.ts';
import { isoSeconds, parseInstant } from '../contract/time/time.ts';
import { type TimeRange, timeRangesOf } from '../coverage/intervals.ts';
import { beginIn, watchedSpan, watchedUntil } from '../coverage/watched-span.ts';
import { MacroError } from '../errors.ts';
import { missingRange } from '../mirror/api/journal.ts';
import type { UnfinishedWalk } from '../mirror/api/page-commit.ts';
import { questionText } from '../source/question.ts';
import { commitOfAnswer } from '../source/stored/answer-commit.ts';
import { closeWatched } from '../source/watched-times.ts';
import { namedBy, namesAll } from './feeds.ts';
import { newWalk, pageLimit, syncHistory, syncPages, takePages } from './pages.ts';
import { isQuiet, nextSpan, scheduleStart } from './plan/spans.ts';
import type { Step } from './plan/step.ts';
import { targetName } from './series/select.ts';
import {
  askChanged,
  commit,
  currentSeries,
  type Pages,
  received,
  type Strategy,
  storedSeries,
  type Work,
} from './work.ts';

/** Seconds before the last confirmation from which changes are asked by time: without a key some become readable late. */
const SLACK = 3600;

const STRATEGIES: Readonly<Record<SyncStrategy['kind'], Strategy>> = {
  document: syncSingle,
  snapshot: syncSingle,
  window: syncSingle,
  history: syncHistory,
  pages: syncPages,
  sequence: syncSequence,
  spans: syncSpans,
  cursor: syncCursor,
};

/** Begins a step; it sends no request before its first page is read. @throws MacroError of kind `usage`. */
export function pagesOf(work: Work, step: Step): Pages {
  const kind = step.target.endpoint.mirror?.sync.kind;
  if (kind === undefined)
    throw new MacroError('usage', `A mirror does not store ${targetName(step.target)}.`, {
      hint: 'Ask it with --live.',
    });
  return STRATEGIES[kind](work, step);
}

/**
 * One request: a document or open schedule, whose missing rows are gone, or a snapshot, which says nothing of others.
 */
async function* syncSingle(work: Work, step: Step): Pages {
  const { target, clock } = work;
  const from = target.endpoint.mirror?.window?.from ?? 'start_date';
  const args = step.window ? { ...target.args, [from]: scheduleStart(clock.now()) } : target.args;
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOfAnswer(received(work, args, reply)));
  work.onPage({ seen: 1, total: 1 });
  yield undefined;
}

/**
 * A head is one span; what lies behind is asked newest first until rows end. Each span is one commit, so a killed run
 * goes on.
 */
async function* syncSpans(work: Work, { reason, window }: Step): Pages {
  const { target, clock, mirror } = work;
  const sync = target.endpoint.mirror?.sync;
  if (sync?.kind !== 'spans' || !window) return;
  if (reason === 'head') {
    yield await askSpan(work, { from: Number(window.from), to: Number(window.to) });
    return;
  }
  const now = Math.floor(clock.now() / 1000);
  for (let end = Number(window.to); ; ) {
    const stored = await storedSeries(work);
    const proven = stored ? timeRangesOf(await mirror.coveredRanges(stored, work.access)) : [];
    const next = nextSpan(sync, proven, end);
    const count = async (bounds = {}) => (stored ? mirror.count(stored, bounds) : 0);
    if (!next || (await isQuiet({ target, id: stored?.id, count }, { end: next.to, now }))) return;
    yield await askSpan(work, next);
    end = next.from - 1;
  }
}

/** Asks for one span and keeps it; gives the date that is reached. */
async function askSpan(work: Work, { from, to }: Pick<TimeRange, 'from' | 'to'>): Promise<string> {
  const { target, onPage, counts } = work;
  const window = target.endpoint.mirror?.window;
  const args: Args = {
    ...target.args,
    ...(window && { [window.from]: isoSeconds(from), [window.to]: isoSeconds(to) }),
  };
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOfAnswer(received(work, args, reply)));
  onPage({ seen: counts.rows.added + counts.rows.revised + counts.rows.unchanged, total: undefined });
  return isoSeconds(from).slice(0, 10);
}

/**
 * Continues from a committed position, stored with its rows and the series that they name. After a lost position every
 * follower may have changed.
 */
async function* syncCursor(work: Work, step: Step): Pages {
  const stored = await storedSeries(work);
  const position = await work.mirror.walk(currentSeries(work), work.access);
  // After so long the service may have left a position behind without saying so.
  const isOld = stored !== undefined && work.clock.now() - stored.checkedAt > EVENTS_KEPT * 1000;
  const known = { position, knownUntil: stored && Math.floor(stored.checkedAt / 1000) };
  // Positions of an older version of the program do not tell until when the feed was watched.
  const until = typeof position?.to === 'number' ? position.to : known.knownUntil;
  const oldest = Math.floor(work.clock.now() / 1000) - EVENTS_KEPT;
  const start = position ? { since: position.next, from: until } : { since: String(oldest), from: oldest };
  try {
    yield* readOn(work, step, { ...known, ...start, isBroken: position === undefined || isOld });
  } catch (error) {
    if (!(error instanceof MacroError) || error.code !== 'invalid_cursor' || !position) throw error;
    work.counts.notes.push('The service does not know its position any more, so the series are asked again.');
    const from = known.knownUntil === undefined ? oldest : known.knownUntil - SLACK;
    yield* readOn(work, step, { ...known, since: String(from), from, isBroken: true });
  }
}

interface Reading {
  /** Where the last run stood. */
  readonly position: UnfinishedWalk | undefined;
  /** When the feed was last confirmed, in Unix seconds. */
  readonly knownUntil: number | undefined;
  /** The request asks for events after this: a position of the service, or Unix seconds. */
  readonly since: string;
  /** From when on the pages have every event, in Unix seconds. */
  readonly from: number | undefined;
  /** Events since the position may be missing in the pages. */
  readonly isBroken: boolean;
}

async function* readOn(work: Work, step: Step, { position, knownUntil, since, from, isBroken }: Reading): Pages {
  const { target, clock, access } = work;
  const { endpoint } = target;
  const args = { ...target.args, limit: pageLimit(work) ?? 1, since };
  let missedBefore: string | undefined;
  let isFirst = true;
  let begin = from;
  let covered: ReturnType<typeof watchedSpan>;
  yield* takePages(work, {
    args,
    position: feedPosition(work, position, { from: '', to: position?.to ?? '' }),
    argsOf: () => args,
    advance(before, page) {
      const { cut, next, partial } = page;
      const { next_cursor: reached } = cut.envelope;
      const answer = { cut, hasMore: next !== undefined, access, at: clock.now() };
      covered = partial !== undefined ? undefined : watchedSpan({ from: begin, ...answer });
      begin = beginIn(cut, begin);
      return {
        ...behindPage(work, position, { before, page }),
        to: covered?.to ?? before.to,
        next: typeof reached === 'string' ? reached : (next ?? position?.next ?? ''),
      };
    },
    beside(behind, { cut, next }) {
      const { gap, oldest_available: oldest } = cut.envelope;
      if (gap === true) missedBefore = String(oldest ?? 'a time that it does not say');
      const named = (isFirst && isBroken) || gap === true ? namesAll(endpoint) : namedBy(endpoint, cut);
      isFirst = false;
      if (next === undefined) work.feed.until = watchedUntil(access, cut, clock.now());
      return { walk: behind, named, ...(covered && { covered }) };
    },
  });
  await closeWatched(work.mirror, work.client.service, clock.now());
  if (missedBefore === undefined || !position) return;
  await noteMissed(work, knownUntil, missedBefore);
  if (step.implied) work.counts.notes.push(`Changes before ${missedBefore} are gone, so the series are asked again.`);
  else
    throw new MacroError('incomplete', `Changes before ${missedBefore} can no longer be had.`, {
      code: 'gap',
      hint: 'Sync the series themselves: their histories hold what the changes announced.',
    });
}

/** Notes the missing range in the journal; where the stream reports it as well it is the same one. */
async function noteMissed(work: Work, knownUntil: number | undefined, missedBefore: string): Promise<void> {
  const oldest = parseInstant(missedBefore);
  const isBounded = knownUntil !== undefined && oldest !== undefined;
  // Where the two clocks contradict each other, the missing range ends where the service begins.
  const lost = isBounded ? (missingRange(knownUntil, oldest) ?? { from: oldest - 1, to: oldest - 1 }) : undefined;
  await work.mirror.journal.noteGap({
    origin: work.client.service,
    from: lost?.from ?? (knownUntil === undefined ? undefined : knownUntil + 1),
    to: lost?.to ?? (oldest === undefined ? undefined : oldest - 1),
    reason: 'the service no longer keeps these events',
    via: 'changes',
    notedAt: work.clock.now(),
  });
}

/** Continues after the last sequence, committed with its rows and series, so that no gap can arise. */
async function* syncSequence(work: Work, _step: Step): Pages {
  const { target, mirror, access, clock } = work;
  const { endpoint } = target;
  const position = await mirror.walk(currentSeries(work), access);
  let args = { ...target.args, limit: pageLimit(work), after_sequence: Number(position?.next ?? 0) };
  yield* takePages(work, {
    args,
    position: feedPosition(work, position, { from: 0, to: args.after_sequence }),
    argsOf: () => args,
    advance(before, page) {
      args = { ...args, after_sequence: Math.max(args.after_sequence, ...page.cut.rows.map(sequenceOf)) };
      const to = args.after_sequence;
      return { ...behindPage(work, position, { before, page }), to, next: page.next ?? String(to) };
    },
    beside(behind, { cut, next }) {
      const named = position ? namedBy(endpoint, cut) : namesAll(endpoint);
      if (next === undefined) work.feed.until = clock.now();
      // An end that more follow looks like one behind which there is nothing.
      const isWhole = next === undefined && !work.counts.isPartial;
      const covered = { from: 0, to: behind.to, rows: behind.seen };
      return { walk: behind, named, ...(isWhole && { covered }) };
    },
  });

  function sequenceOf({ value }: { readonly value: Readonly<Record<string, unknown>> }): number {
    const number = value[endpoint.mirror?.key[0]?.name ?? ''];
    return typeof number === 'number' ? number : 0;
  }
}

/** Where a feed stands before its first page of this run. */
function feedPosition(
  work: Work,
  known: UnfinishedWalk | undefined,
  bounds: Pick<UnfinishedWalk, 'from' | 'to'>,
): UnfinishedWalk {
  const question = questionText(work.target.endpoint, work.target.args, 'without paging');
  return { ...newWalk(work, { question, ...bounds, next: '' }), seen: known?.seen ?? 0 };
}

/** A feed that was never read to an end begins with each page anew. */
function behindPage(
  { clock }: Work,
  known: UnfinishedWalk | undefined,
  { before, page }: { readonly before: UnfinishedWalk; readonly page: LivePage },
): UnfinishedWalk {
  const startedAt = known?.startedAt ?? clock.now();
  return { ...before, seen: before.seen + page.cut.rows.length, startedAt };
}
