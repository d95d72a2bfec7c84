import { EVENTS_KEPT } from '../../contract/release-event.ts';
import { parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { lostRange } from '../../mirror/api/journal.ts';
import type { PaginationRun } from '../../mirror/api/pagination-run.ts';
import { closeWatched } from '../../source/coverage/unwatched.ts';
import { beginIn, watchedSpan, watchedUntil } from '../../source/coverage/watched-span.ts';
import { commitOfAnswer } from '../../source/kept/write-through.ts';
import { questionText } from '../../source/question.ts';
import { namedBy, namesAll } from '../feeds.ts';
import type { Step } from '../plan/step.ts';
import { commit, currentSeries, type Pages, received, storedSeries, type Work } from '../work.ts';

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
  const { target, client, clock, signal } = work;
  const { endpoint } = target;
  const args = { ...target.args, limit: pageSize(work), since };
  let seen = position?.seen ?? 0;
  let missedBefore: string | undefined;
  let isFirst = true;
  let begin = from;
  let until = position?.to ?? '';
  for await (const page of client.pages({ endpoint, args, ...(signal && { signal }) })) {
    work.counts.notes.push(...page.notes);
    if (page.cut.envelope.gap === true)
      missedBefore = String(page.cut.envelope.oldest_available ?? 'a time that it does not say');
    seen += page.cut.rows.length;
    const reached = page.cut.envelope.next_cursor;
    const answer = { cut: page.cut, hasMore: page.next !== undefined, access: work.access, at: clock.now() };
    const proof = page.partial !== undefined ? undefined : watchedSpan({ from: begin, ...answer });
    begin = beginIn(page.cut, begin);
    until = proof?.to ?? until;
    const walk: PaginationRun = {
      question: questionText(endpoint, target.args, 'without paging'),
      from: '',
      to: until,
      next: typeof reached === 'string' ? reached : (page.next ?? position?.next ?? ''),
      total: undefined,
      seen,
      lastKey: undefined,
      seams: [],
      startedAt: position?.startedAt ?? clock.now(),
    };
    const isGap = (isFirst && isBroken) || page.cut.envelope.gap === true;
    const named = isGap ? namesAll(endpoint) : namedBy(endpoint, page.cut);
    const { proof: _, ...rows } = commitOfAnswer(received(work, args, page), page.cut);
    await commit(work, { ...rows, paginationRun: walk, named, ...(proof && { proof }) });
    if (page.next === undefined) work.feed.until = watchedUntil(work.access, page.cut, clock.now());
    isFirst = false;
    work.onPage({ seen, total: undefined });
    yield undefined;
  }
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

function pageSize({ target }: Work): number {
  const { paging } = target.endpoint;
  return paging.kind === 'none' ? 1 : paging.max;
}
