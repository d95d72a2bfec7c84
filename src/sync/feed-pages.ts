import type { LivePage } from '../client/client.ts';
import { EVENTS_KEPT } from '../contract/release-event.ts';
import { parseInstant } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';
import { lostRange } from '../mirror/api/journal.ts';
import type { PaginationRun } from '../mirror/api/pagination-run.ts';
import { closeWatched } from '../source/coverage/unwatched.ts';
import { beginIn, watchedSpan, watchedUntil } from '../source/coverage/watched-span.ts';
import { questionText } from '../source/question.ts';
import { namedBy, namesAll } from './feeds.ts';
import { freshRun, pageLimit, takePages } from './pages.ts';
import type { Step } from './plan/step.ts';
import { currentSeries, type Pages, storedSeries, type Work } from './work.ts';

/** Seconds before the last confirmation from which changes are asked by time: without a key some become readable late. */
const SLACK = 3600;

/**
 * Continues from the position that the last answer gave. The position is committed with the rows that lead to it, and with
 * the series that they name, so a killed run goes on where it stopped and no name is lost. Where the position is new, too
 * old, or not known to the service any more, every series that follows may have changed.
 */
export async function* syncCursor(work: Work, step: Step): Pages {
  const stored = await storedSeries(work);
  const position = await work.mirror.paginationRun(await currentSeries(work), work.access);
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
  readonly position: PaginationRun | undefined;
  /** When the feed was last confirmed, in Unix seconds. */
  readonly knownUntil: number | undefined;
  /** What is asked behind: a position of the service, or Unix seconds. */
  readonly since: string;
  /** From when on the pages have every event, in Unix seconds. */
  readonly from: number | undefined;
  /** What came since the position may be more than the pages tell. */
  readonly isBroken: boolean;
}

async function* readOn(work: Work, step: Step, { position, knownUntil, since, from, isBroken }: Reading): Pages {
  const { target, clock, access } = work;
  const { endpoint } = target;
  const args = { ...target.args, limit: pageLimit(work) ?? 1, since };
  let missedBefore: string | undefined;
  let isFirst = true;
  let begin = from;
  let proof: ReturnType<typeof watchedSpan>;
  yield* takePages(work, {
    args,
    position: feedPosition(work, position, { from: '', to: position?.to ?? '' }),
    argsOf: () => args,
    advance(before, page) {
      const { cut, next, partial } = page;
      const { next_cursor: reached } = cut.envelope;
      const answer = { cut, hasMore: next !== undefined, access, at: clock.now() };
      proof = partial !== undefined ? undefined : watchedSpan({ from: begin, ...answer });
      begin = beginIn(cut, begin);
      return {
        ...behindPage(work, position, { before, page }),
        to: proof?.to ?? before.to,
        next: typeof reached === 'string' ? reached : (next ?? position?.next ?? ''),
      };
    },
    beside(behind, { cut, next }) {
      const { gap, oldest_available: oldest } = cut.envelope;
      if (gap === true) missedBefore = String(oldest ?? 'a time that it does not say');
      const named = (isFirst && isBroken) || gap === true ? namesAll(endpoint) : namedBy(endpoint, cut);
      isFirst = false;
      if (next === undefined) work.feed.until = watchedUntil(access, cut, clock.now());
      return { paginationRun: behind, named, ...(proof && { proof }) };
    },
  });
  await closeWatched(work.mirror, (await currentSeries(work)).origin, clock.now());
  if (missedBefore === undefined || !position) return;
  await noteMissed(work, knownUntil, missedBefore);
  if (step.implied) work.counts.notes.push(`Changes before ${missedBefore} are gone, so the series are asked again.`);
  else
    throw new MacroError('incomplete', `Changes before ${missedBefore} can no longer be had.`, {
      code: 'gap',
      hint: 'Sync the series themselves: their histories hold what the changes announced.',
    });
}

/** Notes the hole in the journal; where the stream reports it as well it is the same one. */
async function noteMissed(work: Work, knownUntil: number | undefined, missedBefore: string): Promise<void> {
  const oldest = parseInstant(missedBefore);
  const isBounded = knownUntil !== undefined && oldest !== undefined;
  // Where the two clocks contradict each other, the hole ends where the service begins.
  const lost = isBounded ? (lostRange(knownUntil, oldest) ?? { from: oldest - 1, to: oldest - 1 }) : undefined;
  await work.mirror.journal.noteGap({
    origin: (await currentSeries(work)).origin,
    from: lost?.from ?? (knownUntil === undefined ? undefined : knownUntil + 1),
    to: lost?.to ?? (oldest === undefined ? undefined : oldest - 1),
    reason: 'the service no longer keeps these events',
    via: 'changes',
    notedAt: work.clock.now(),
  });
}

/**
 * Continues after the last sequence that an earlier run reached. Rows are only ever added, and the position is committed
 * with the rows that lead to it and the series that they name, so a killed run goes on where it stopped and a gap between
 * two runs cannot arise.
 */
export async function* syncSequence(work: Work, _step: Step): Pages {
  const { target, mirror, access, clock } = work;
  const { endpoint } = target;
  const position = await mirror.paginationRun(await currentSeries(work), access);
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
      const proof = { from: 0, to: behind.to, rows: behind.seen };
      return { paginationRun: behind, named, ...(isWhole && { proof }) };
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
  known: PaginationRun | undefined,
  bounds: Pick<PaginationRun, 'from' | 'to'>,
): PaginationRun {
  const question = questionText(work.target.endpoint, work.target.args, 'without paging');
  return { ...freshRun(work, { question, ...bounds, next: '' }), seen: known?.seen ?? 0 };
}

/** A feed that was never read to an end begins with each page anew. */
function behindPage(
  { clock }: Work,
  known: PaginationRun | undefined,
  { before, page }: { readonly before: PaginationRun; readonly page: LivePage },
): PaginationRun {
  const startedAt = known?.startedAt ?? clock.now();
  return { ...before, seen: before.seen + page.cut.rows.length, startedAt };
}
