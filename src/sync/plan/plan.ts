import { isSameForAll } from '../../contract/access.ts';
import { addDays, dateOf, daysBetween } from '../../contract/time/time.ts';
import { ALL_DATES, counting, doubtsOf } from '../../coverage/doubts.ts';
import { covers, listSpan } from '../../coverage/intervals.ts';
import type { UnfinishedWalk } from '../../mirror/api/page-commit.ts';
import type { StoredCoverage } from '../../mirror/api/series.ts';
import { cutSpan, planSingleStep, planSpanSteps } from './spans.ts';
import {
  isFresh,
  isKeyMissing,
  newestInterval,
  type PlannedRequest,
  type PlanTime,
  phaseOf,
  type SeriesState,
  type Step,
} from './step.ts';
import { certainEnd, type DateWindow, firstOf, headOf, planHistory, uncovered } from './windows.ts';

/** The max time between two walks to the very end, in milliseconds: old rows may be corrected too. */
const WHOLE_EVERY = 7 * 86_400_000;

interface Price {
  readonly requests: number;
  readonly open: boolean;
}

const DAY = 86_400_000;

/** The requests of a run, in order: feeds, which spare other requests, then heads, gaps and backfills. Pure. */
export async function planSync(states: readonly SeriesState[], time: PlanTime): Promise<readonly PlannedRequest[]> {
  const planned: PlannedRequest[] = [];
  for (const state of states)
    for (const step of await planSeries(state, time)) planned.push(await priceStep(step, state));
  return planned.sort((a, b) => phaseOf(a) - phaseOf(b));
}

/** The steps of one series; none when nothing of it is due. */
async function planSeries(state: SeriesState, time: PlanTime): Promise<readonly Step[]> {
  const { target } = state;
  switch (target.endpoint.mirror?.sync.kind) {
    case 'history':
      return planHistorySteps(state, time);
    case 'spans':
      return planSpanSteps(state, time);
    case 'pages':
      return planPageSteps(state, time);
    case 'cursor':
    case 'sequence':
      return [{ target, reason: 'changes', why: state.id === undefined ? 'from now on' : 'what has happened since' }];
    default:
      return planSingleStep(state, time);
  }
}

/** Steps of a list without a window: to a page without news once it was complete; checkpointed ones whole at times. */
function planPageSteps(state: SeriesState, time: PlanTime): readonly Step[] {
  const { target, walk, coveredRanges } = state;
  if (walk) return [{ target, reason: 'backfill', why: 'goes on where an earlier run stopped' }];
  const whole = coveredRanges.filter(({ from }) => String(from) <= listSpan(time.now).from);
  const checkedAt = newestInterval(whole);
  if (checkedAt === undefined) return [{ target, reason: 'head', why: 'nothing is covered yet: the whole series' }];
  const wholeDue = time.check || time.now - walkedWhole(state) >= WHOLE_EVERY;
  if (wholeDue) return [{ target, reason: 'check', why: 'to the end, in case old rows were corrected' }];
  if (isFresh(state, time, newestInterval(coveredRanges) ?? checkedAt)) return [];
  if (target.endpoint.paging.kind === 'checkpoint') return [{ target, reason: 'head', why: 'it grows at its end' }];
  return [{ target, reason: 'head', firstPage: true, why: 'newest rows, until a page brings none' }];
}

/** When the list was last read to its end. */
function walkedWhole({ coveredRanges }: SeriesState): number {
  return newestInterval(coveredRanges.filter(({ from }) => String(from) <= '0000-01-01')) ?? 0;
}

/** The known cost of a step: stored rows show the number of pages of covered ranges. */
async function priceStep(step: Step, state: SeriesState): Promise<PlannedRequest> {
  if (isKeyMissing(state)) return { ...step, requests: 0, open: false, why: 'needs an API key' };
  return { ...step, ...(await priceOf(step, state)) };
}

async function priceOf(step: Step, state: SeriesState): Promise<Price> {
  const { endpoint } = state.target;
  switch (endpoint.mirror?.sync.kind) {
    case 'history':
      return priceOfWindow(step, state);
    case 'spans':
      return priceOfSpans(step, endpoint.mirror.sync);
    case 'pages':
      return priceOfPages(step, state);
    case 'cursor':
    case 'sequence':
      return { requests: 1, open: true };
    default:
      return { requests: 1, open: false };
  }
}

/** One request, and all pages where it will not show that all is stored: it was not exact, or something raised a doubt. */
async function priceOfCheck({ check, isStrict, doubts }: Step, { target, count }: SeriesState): Promise<Price> {
  const { paging, versioned } = target.endpoint;
  const isRead = isStrict === 'full' || (isStrict && !versioned);
  const isLikelyExact = doubts === undefined && (!isStrict || (check?.isExact && !isRead));
  if (isLikelyExact || paging.kind === 'none') return { requests: 1, open: true };
  return { requests: Math.max(1, Math.ceil((await count()) / paging.max)) + (isRead ? 0 : 1), open: false };
}

async function priceOfWindow(step: Step, state: SeriesState): Promise<Price> {
  const { window, reason, firstPage } = step;
  const { target, coveredRanges, count } = state;
  const { paging } = target.endpoint;
  if (firstPage) return { requests: 1, open: false };
  if (step.reason === 'proof') return priceOfCheck(step, state);
  if (coveredRanges.length === 0 && reason === 'backfill' && target.endpoint.mirror?.key.length === 1)
    return { requests: 0, open: true };
  if (!window || paging.kind === 'none' || reason === 'gap' || reason === 'backfill')
    return { requests: 1, open: true };
  const rows = await count(window);
  const pages = (stored: number) => Math.max(1, Math.ceil(stored / paging.max));
  const [from, to] = [String(window.from), String(window.to)];
  if (covers(coveredRanges, { from, to, isOpen: false })) return { requests: pages(rows), open: false };
  // As many rows a day may have come since as came before.
  const reached = coveredRanges.map((covered) => String(covered.to)).reduce((a, b) => (a > b ? a : b), from);
  const perDay = Math.max(1, Math.ceil(rows / Math.max(1, daysBetween(from, reached))));
  const fresh = perDay * Math.max(0, daysBetween(reached, to));
  return { requests: pages(rows), open: reached < from || pages(rows + fresh) > pages(rows) };
}

function priceOfSpans({ window, reason }: Step, sync: Parameters<typeof cutSpan>[0] & { quietDays: number }): Price {
  if (!window || reason === 'head') return { requests: 1, open: false };
  const least = Math.ceil(sync.quietDays / sync.days);
  const most = cutSpan(sync, { from: Number(window.from), to: Number(window.to) }).length;
  return { requests: Math.min(least, most), open: most > least };
}

async function priceOfPages({ firstPage }: Step, state: SeriesState): Promise<Price> {
  const { target, walk, count } = state;
  const { paging } = target.endpoint;
  if (paging.kind === 'none' || firstPage) return { requests: 1, open: false };
  if (walk) return priceOfRest(walk, state);
  const rows = await count();
  return { requests: Math.max(1, Math.ceil(rows / paging.max)), open: rows === 0 };
}

/** The pages that an open walk has left; without a version of the data the last one is asked for again, as a check. */
function priceOfRest({ total, seen, version, next }: UnfinishedWalk, { target }: SeriesState): Price {
  const { paging } = target.endpoint;
  if (total === undefined || paging.kind === 'none') return { requests: 1, open: true };
  const again = paging.kind === 'offset' && version === undefined && target.endpoint.mirror?.window && Number(next) > 0;
  return { requests: Math.max(1, Math.ceil((total - seen) / paging.max)) + (again ? 1 : 0), open: false };
}

/** Steps of a history: the head unless its feed or freshness rules it out, then a gap or the backfill. */
async function planHistorySteps(state: SeriesState, time: PlanTime): Promise<readonly Step[]> {
  const { target, access, coveredRanges } = state;
  const history = {
    endpoint: target.endpoint,
    access,
    coveredRanges,
    today: later(dateOf(time.now), time.today ?? ''),
  };
  const walk = state.walk && { from: String(state.walk.from), to: String(state.walk.to) };
  if (coveredRanges.length === 0 && !walk) return planFirst(state, planHistory(history));
  const head = headOf(history);
  const step = await headStep(state, time, head);
  const first = firstOf(history);
  const end = step ? addDays(String(step.window?.from), -1) : head.to;
  const underway = walk ? [{ ...walk, rows: 0, checkedAt: 0 }] : [];
  const behind = uncovered([...coveredRanges, ...underway], {
    from: first,
    to: earlier(end, newestDate(coveredRanges)),
  });
  const why = 'goes on where an earlier run stopped';
  const doubts = await doubtsOfEvents(state, step);
  const ofWhole = behind.length === 0 && !walk ? checkStep(state, time, doubts) : undefined;
  const { check } = state;
  return [
    ...(step ? [check ? { ...step, check } : step] : []),
    ...(ofWhole ? [ofWhole] : []),
    ...(walk ? [{ target, reason: 'backfill', window: walk, resumes: true, why } as const] : []),
    ...behind.map((window): Step => {
      const reason = window.from === first ? 'backfill' : 'gap';
      const why = reason === 'gap' ? 'not covered, between covered dates' : 'history that is not covered yet';
      return { target, reason, window, why };
    }),
  ];
}

/** The doubts that stored events will leave once the rows of a step are read: it can change no more rows than it reads. */
async function doubtsOfEvents({ check, announced, count }: SeriesState, step: Step | undefined) {
  const { written } = await announced();
  if (!check || !step?.window || written.length === 0) return [];
  const from = String(step.window.from);
  const ends = { first: undefined, previous: undefined };
  const seen = written.map(({ rows, date }) => ({ rows, isBefore: date !== undefined && date < from }));
  const stored = { ...ends, rows: await count(), changed: (await count(step.window)) + written.length };
  return counting(doubtsOf({ ...ends, written: seen }, stored), check.ways);
}

/** Checks that the stored rows are all: once a week, or now. Without a key the service does not show all. */
function checkStep(
  { target, access, check }: SeriesState,
  time: PlanTime,
  doubts: readonly string[],
): Step | undefined {
  const { endpoint } = target;
  const showsAll = access !== 'keyless' || isSameForAll(endpoint.access);
  if (!check || !showsAll || endpoint.paging.kind !== 'offset' || endpoint.mirror?.window?.unit !== 'date')
    return undefined;
  const step = { target, reason: 'proof', window: ALL_DATES } as const;
  if (time.full) return { ...step, check, isStrict: 'full', why: 'all of it is read' };
  if (time.check) return { ...step, check, isStrict: true, why: 'one request, or all of it where that shows no proof' };
  const found = [...(check.doubt?.found ?? []), ...doubts];
  if (found.length > 0)
    return { ...step, check, doubts: found, why: `other rows exist than the stored ones: ${found.join(', ')}` };
  const age = time.now - check.askedAt;
  if (age >= 0 && age < WHOLE_EVERY) return undefined;
  return { ...step, check, why: 'whether all of it is as it was: one request a week' };
}

const earlier = (a: string, b: string): string => (a < b ? a : b);

const later = (a: string, b: string): string => (a > b ? a : b);

function newestDate(coveredRanges: readonly StoredCoverage[]): string {
  return coveredRanges.map(({ to }) => String(to)).reduce((a, b) => (a > b ? a : b), '');
}

/** Steps of a series without coverage: the newest page of everything where rows have dates, else a head window. */
function planFirst({ target, id }: SeriesState, windows: readonly DateWindow[]): readonly Step[] {
  const { mirror } = target.endpoint;
  const [head, ...rest] = windows;
  if (!head) return [];
  const feeds = mirror?.sync.kind === 'history' && mirror.sync.feed !== undefined;
  const follows = feeds ? { follows: { checked: true } } : {};
  const whole = { from: windows.at(-1)?.from ?? head.from, to: head.to };
  const pageProves = mirror?.key.length === 1 && mirror.order === 'newest';
  const why = id === undefined ? 'nothing is stored yet' : 'stored with another key, or from events: read again once';
  if (!pageProves)
    return [
      { target, reason: 'head', window: head, ...follows, why },
      ...rest.map((window): Step => ({ target, reason: 'backfill', window, why: 'history before it' })),
    ];
  return [
    { target, reason: 'head', window: whole, firstPage: true, ...follows, why },
    { target, reason: 'backfill', window: whole, why: 'what the first page leaves' },
  ];
}

async function headStep(state: SeriesState, time: PlanTime, head: DateWindow): Promise<Step | undefined> {
  const { target, follow, coveredRanges } = state;
  const sync = target.endpoint.mirror?.sync;
  if (sync?.kind !== 'history') return undefined;
  const { feed } = sync;
  const { unlistedAt } = target;
  if (unlistedAt !== undefined && (newestInterval(coveredRanges) ?? 0) < unlistedAt)
    return { target, reason: 'head', window: head, why: 'not in the catalogue any more: the series itself is asked' };
  if (!feed) {
    const recent = { from: addDays(dateOf(time.now), -sync.revisionDays), to: dateOf(time.now), isOpen: true };
    const checkedAt = newestInterval(coveredRanges.filter((covered) => covers([covered], recent)));
    if (checkedAt !== undefined && isFresh(state, time, checkedAt)) return undefined;
    return { target, reason: 'head', window: head, why: 'newest rows, and what may still be corrected' };
  }
  const age = follow ? time.now - follow.checkedAt : 0;
  if (follow && (time.check || age >= feed.checkDays * DAY || age < 0))
    return {
      ...{ target, reason: 'check', window: reaching(head, follow.due), follows: { checked: true } },
      why: 'corrections that no feed named',
    };
  if (!follow)
    return { target, reason: 'head', window: head, follows: { checked: true }, why: 'not followed by its feed' };
  if (follow.due === undefined) return undefined;
  const why = 'named by its feed';
  const from = await narrowed(state, head, follow.due);
  const window = { from, to: reaching(head, follow.due).to };
  return { target, reason: 'head', window, follows: { checked: from <= head.from }, why };
}

/** A window that has the day that a feed named: it may lie ahead of ours, or before all that is usually corrected. */
function reaching({ from, to }: DateWindow, due = ''): DateWindow {
  return due === '' ? { from, to } : { from: earlier(from, due), to: later(to, due) };
}

/** Where a named head begins: with all correctable rows of one page, else with the earliest named date. */
async function narrowed({ target, count, coveredRanges }: SeriesState, head: DateWindow, due: string): Promise<string> {
  const { paging } = target.endpoint;
  const spare = paging.kind === 'none' ? 0 : paging.max - (await count(head));
  if (due === '' || spare > 1) return due !== '' && due < head.from ? due : head.from;
  return earlier(due, certainEnd(coveredRanges) ?? newestDate(coveredRanges));
}
