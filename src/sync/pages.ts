import type { LivePage } from '../client/client.ts';
import { readJson } from '../contract/json/json.ts';
import type { Column } from '../contract/mapping.ts';
import type { Args } from '../contract/params/params.ts';
import { boundAfter } from '../contract/time/coverage.ts';
import { dateOf } from '../contract/time/time.ts';
import { covers, listSpan } from '../coverage/intervals.ts';
import { MacroError } from '../errors.ts';
import type { AnswerCommit, CommitReport, NewRow, UnfinishedWalk } from '../mirror/api/page-commit.ts';
import type { KeyValue } from '../mirror/api/series.ts';
import { questionText } from '../source/question.ts';
import { commitOfAnswer, headCoverage, rowsOf } from '../source/stored/answer-commit.ts';
import { RESTARTS } from '../source/stored/collect-pages.ts';
import { createPageOrder, isOrderedBy, keyValues } from '../source/stored/page-order.ts';
import { checkWhole, noteBeside, type SeenBeside, settleDoubts } from './check-whole.ts';
import type { Step } from './plan/step.ts';
import { type DateWindow, firstOf, headOf, uncovered } from './plan/windows.ts';
import { commit, confirm, currentSeries, type Pages, received, storedSeries, type Work } from './work.ts';

/** A walk over the pages of one question: what its kind of series does otherwise than the others. */
export interface PageWalk {
  /** Arguments of the first page. */
  readonly args: Args;
  /** Where the client goes on that an earlier walk left. */
  readonly resume?: { readonly offset: number; readonly total: number | undefined } | undefined;
  /** Validator of the first page, if "unchanged" is a whole answer to it. */
  readonly validator?: string | undefined;
  /** Facts confirmed by "unchanged", beside the document's own. */
  readonly unchanged?: Parameters<typeof confirm>[3];
  /** Where the walk stands before its first page. */
  readonly position: UnfinishedWalk;
  /** The arguments that one page answers. */
  argsOf(page: LivePage): Args;
  /** Checks a page that is stored, where it shows that nothing has moved: true for one. */
  isStored?(page: LivePage): boolean;
  /** Where the walk stands behind a page. */
  advance(position: UnfinishedWalk, page: LivePage, answer: AnswerCommit): UnfinishedWalk;
  /** Further parts of the commit of a page, in place of the page's own coverage. */
  beside(behind: UnfinishedWalk, page: LivePage, answer: AnswerCommit): Partial<AnswerCommit>;
  /** The date that a page reaches. */
  reached?(answer: AnswerCommit): string | undefined;
  /** Commits a page; the report where it is there at once. */
  keep?(page: AnswerCommit, isLast: boolean): Promise<CommitReport | undefined>;
  /** Ends the walk before its last page, by what a page brought. */
  isOver?(report: CommitReport | undefined, isLast: boolean): Promise<boolean>;
}

/**
 * Requests page after page and commits each with its position; yields the date reached. Variables keep no page
 * meanwhile: a sync has a walk over every series open.
 */
export async function* takePages(work: Work, walk: PageWalk): Pages {
  const { client, signal, counts, target } = work;
  const { endpoint } = target;
  const { args, validator } = walk;
  const inOrder = createPageOrder(endpoint, walk.position.lastKey);
  let { position } = walk;

  const take = async (page: LivePage): Promise<string | undefined | typeof OVER> => {
    counts.notes.push(...page.notes);
    if (page.status === 304) {
      await confirm(work, page, args, walk.unchanged);
      return OVER;
    }
    if (walk.isStored?.(page)) return undefined;
    const isLast = page.next === undefined;
    const came = commitOfAnswer(received(work, walk.argsOf(page), page), page.cut);
    const answer = inOrder(came, isLast && page.offset === 0);
    const { covered: _, ...rows } = answer;
    position = walk.advance(position, page, answer);
    const whole = { ...rows, ...walk.beside(position, page, answer) };
    const report = await (walk.keep ? walk.keep(whole, isLast) : commit(work, whole));
    work.onPage({ seen: position.seen, total: position.total });
    return (await walk.isOver?.(report, isLast)) ? OVER : walk.reached?.(answer);
  };

  const request = { endpoint, args, ...(signal && { signal }), ...(validator && { ifNoneMatch: validator }) };
  const pages = client.pages(request, walk.resume)[Symbol.asyncIterator]();
  const step = async () => {
    const next = await pages.next();
    return next.done ? OVER : take(next.value);
  };
  for (let taken = await step(); taken !== OVER; taken = await step()) yield taken;
}

const OVER = Symbol('over');

/** A walk over the pages of a question that begins now. */
export function newWalk(
  { clock }: Work,
  start: Pick<UnfinishedWalk, 'question' | 'from' | 'to' | 'next'>,
): UnfinishedWalk {
  return { ...start, total: undefined, seen: 0, lastKey: undefined, seams: [], startedAt: clock.now() };
}

/**
 * One window of a history, from where an earlier walk stopped and without covered parts. Positions and the last coverage go
 * with their pages; a moved result is read again.
 */
export async function* syncHistory(work: Work, step: Step): Pages {
  const readAll = (until?: string) => syncWindows(work, wholeOf(work, step, until));
  if (step.reason === 'proof') {
    yield* checkWhole(work, step, readAll);
    return;
  }
  const sight: SeenBeside = {};
  yield* syncWindows(work, step, sight);
  if (step.check) yield* settleDoubts(work, step, sight, readAll);
  else await beginChecks(work, step);
}

/** All that may be asked for of a series, in one window. */
function wholeOf({ access, clock, target: { endpoint } }: Work, { target, follows }: Step, until = ''): Step {
  const today = dateOf(clock.now());
  const { to } = headOf({ endpoint, access, coveredRanges: [], today });
  const window = { from: firstOf({ endpoint, access, today }), to: to > until ? to : until };
  return { target, reason: 'check', window, ...(follows && { follows }), why: 'all of it' };
}

/** From now on a series is checked of which all is stored. */
async function beginChecks(work: Work, { target: { endpoint } }: Step): Promise<void> {
  const { mirror, access, clock } = work;
  const stored = await storedSeries(work);
  const now = clock.now();
  const from = firstOf({ endpoint, access, today: dateOf(now) });
  if (!stored) return;
  const coveredRanges = await mirror.coveredRanges(stored, access);
  const to = coveredRanges.map((covered) => String(covered.to)).reduce((a, b) => (a > b ? a : b), '');
  if (to === '' || uncovered(coveredRanges, { from, to }).length > 0) return;
  const event = await mirror.journal.newest();
  const wholeAt = Math.min(...coveredRanges.map((covered) => covered.checkedAt));
  await mirror.noteCheck(stored.id, access, { askedAt: now, wholeAt, ways: [], event, comparedAt: now });
}

async function* syncWindows(work: Work, step: Step, sight: SeenBeside = {}): Pages {
  const window = { from: String(step.window?.from), to: String(step.window?.to) };
  const isBehind = !step.resumes && (step.reason === 'gap' || step.reason === 'backfill');
  const stored = isBehind ? await storedSeries(work) : undefined;
  const coveredRanges = stored ? await work.mirror.coveredRanges(stored, work.access) : [];
  const resumes = step.resumes === true;
  const drops = () => keepsPosition(step);
  for (const part of isBehind ? uncovered(coveredRanges, window) : [window])
    yield* untilUnmoved(work, { resumes, drops }, (resumed) => historyWalk(work, part, { step, sight }, resumed));
}

/** A list without a window, from where a walk left it, or only up to the first page without news. */
export function syncPages(work: Work, step: Step): Pages {
  const drops = (attempt: number) => attempt < RESTARTS;
  return untilUnmoved(work, { resumes: true, drops }, (resumed) => listWalk(work, step, resumed));
}

/** `resumes`: from where an earlier walk stopped. `drops`: whether a result that moved takes the position with it. */
async function* untilUnmoved(
  work: Work,
  { resumes, drops }: { readonly resumes: boolean; readonly drops: (attempt: number) => boolean },
  begin: (resumed: UnfinishedWalk | undefined) => Promise<PageWalk>,
): Pages {
  const { mirror, access, batch } = work;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const resumed = resumes ? await mirror.walk(currentSeries(work), access) : undefined;
      return yield* takePages(work, await begin(resumed));
    } catch (error) {
      await batch.settle();
      if (!(error instanceof MacroError) || error.kind !== 'incomplete') throw error;
      if (drops(attempt)) await mirror.dropWalk(currentSeries(work), access);
      if (attempt === RESTARTS) throw error;
    }
  }
}

/**
 * A new walk asks with the last validator, so an unchanged window is covered at once. A long walk keeps its position; a
 * head starts again.
 */
async function historyWalk(
  work: Work,
  window: DateWindow,
  { step, sight }: { readonly step: Step; readonly sight: SeenBeside },
  resumed: UnfinishedWalk | undefined,
): Promise<PageWalk> {
  const args = windowArgs(work, window);
  const question = questionText(work.target.endpoint, args, 'all');
  const from = resumed && resumePoint(resumed, Number(args.limit));
  const key = work.target.endpoint.mirror?.key ?? [];
  let isAgain = from?.isAgain ?? false;
  return {
    args: { ...args, ...(resumed?.version !== undefined && { dataset_version: resumed.version }) },
    resume: from,
    validator: resumed ? undefined : await coveredValidator(work, window, question),
    unchanged: { covered: window, ...followsOf(step) },
    position: resumed ?? newWalk(work, { question, ...window, next: '0' }),
    argsOf: ({ offset }) => ({ ...args, offset }),
    isStored(page) {
      const isFirst = isAgain;
      isAgain = false;
      if (isFirst && resumed) checkSamePage(key, resumed, page);
      return isFirst;
    },
    advance(position, page, { rows, extent }) {
      noteBeside(sight, page.cut.envelope, rows.at(-1)?.value);
      return advanceHistory(position, page, { key, rows, isListed: extent === 'listed' });
    },
    // Coverage is as old as the first page: what came before a kill may have changed since. A later page would cover what may
    // have moved since the walk began.
    beside(behind, page, { covered }) {
      const isLast = page.next === undefined;
      const position = keepsPosition(step) ? { walk: isLast ? null : behind } : {};
      const first = page.offset === 0 ? covered : undefined;
      if (!isLast)
        return { ...position, ...(first && { covered: first }), ...(first && step.firstPage && followsOf(step)) };
      const whole = { ...window, rows: behind.seen, checkedAt: behind.startedAt };
      return { ...position, covered: whole, seams: behind.seams, ...followsOf(step) };
    },
    reached: ({ rows }) => reachedBy(rows, key),
    keep: pageKeeper(work, step),
  };
}

/** How pages of a history are committed; a mirror with the walk's position knows about withheld rows itself. */
function pageKeeper(work: Work, step: Step): NonNullable<PageWalk['keep']> {
  let isKept = true;
  return async (page, isLast) => {
    if (keepsPosition(step)) await work.batch.add(page);
    else {
      const { covered: _, follows: __, ...untold } = page;
      const report = await commit(work, isKept ? page : untold);
      isKept &&= !report.heldBack;
    }
    if (isLast) await work.batch.settle();
    return undefined;
  };
}

/** Long walks can be continued. */
function keepsPosition({ reason, firstPage }: Step): boolean {
  return firstPage === true || reason === 'gap' || reason === 'backfill';
}

function followsOf({ follows }: Step): Pick<AnswerCommit, 'follows'> {
  return follows ? { follows } : {};
}

function windowArgs({ target }: Work, window: DateWindow): Args {
  const { paging, mirror } = target.endpoint;
  const bounds = mirror?.window ? { [mirror.window.from]: window.from, [mirror.window.to]: window.to } : {};
  return { ...target.args, ...bounds, limit: paging.kind === 'none' ? undefined : paging.max, offset: 0 };
}

/** The last validator, where it confirms a window of one page that is covered already. */
async function coveredValidator(work: Work, window: DateWindow, question: string): Promise<string | undefined> {
  const { target, mirror, access } = work;
  const stored = await storedSeries(work);
  const { paging } = target.endpoint;
  if (!stored || paging.kind === 'none') return undefined;
  if (!covers(await mirror.coveredRanges(stored, access), { ...window, isOpen: false })) return undefined;
  if ((await mirror.count(stored, window)) > paging.max) return undefined;
  return mirror.validator(access, question);
}

/** Where an earlier walk goes on: by the version of its data, or by the last page, which must end alike. */
function resumePoint(
  { next, version, total }: UnfinishedWalk,
  limit: number,
): { offset: number; total: number | undefined; isAgain: boolean } {
  const offset = Number(next);
  const isAgain = version === undefined && offset > 0;
  return { offset: isAgain ? Math.max(0, offset - limit) : offset, total, isAgain };
}

function checkSamePage(key: readonly Column[], { lastKey }: UnfinishedWalk, { cut }: LivePage): void {
  if (lastKey === undefined || String(keyValues(rowsOf(cut).at(-1), key)) === String(lastKey)) return;
  throw new MacroError('incomplete', 'The history has moved since the walk was interrupted.', {
    code: 'walk_moved',
    hint: 'The walk is started again.',
  });
}

/**
 * Marks the seam between ordered pages, where no stored row may lie; none between neighbouring days, to keep walks
 * short.
 */
function advanceHistory(
  before: UnfinishedWalk,
  { next, total, cut }: LivePage,
  { key, rows, isListed }: { key: readonly Column[]; rows: readonly NewRow[]; isListed: boolean },
): UnfinishedWalk {
  const isOrdered = isListed && isOrderedBy(key, rows);
  const first = isOrdered ? keyValues(rows[0], key) : undefined;
  const last = isOrdered ? keyValues(rows.at(-1), key) : undefined;
  const { dataset_version: version } = cut.envelope;
  const { lastKey, seams } = before;
  return {
    ...before,
    next: next ?? before.next,
    ...(typeof version === 'string' && /^[0-9a-f]{64}$/.test(version) && { version }),
    total,
    seen: before.seen + rows.length,
    lastKey: rows.length === 0 ? lastKey : last,
    seams: lastKey && first && !adjoin(lastKey, first) ? [...seams, [lastKey, first]] : seams,
  };
}

function adjoin([a, ...furtherA]: readonly KeyValue[], [b, ...furtherB]: readonly KeyValue[]): boolean {
  if (a === undefined || b === undefined || furtherA.length + furtherB.length > 0) return false;
  return boundAfter(a) === b || boundAfter(b) === a;
}

function reachedBy(rows: readonly NewRow[], key: readonly Column[]): string | undefined {
  const [date] = keyValues(rows.at(-1), key.slice(0, 1)) ?? [];
  return typeof date === 'string' ? date : undefined;
}

async function listWalk(work: Work, step: Step, resumed: UnfinishedWalk | undefined): Promise<PageWalk> {
  const { target, mirror, access, clock } = work;
  const { endpoint } = target;
  const { kind } = endpoint.paging;
  const first = { ...target.args, limit: pageLimit(work), ...(kind === 'offset' && { offset: 0 }) };
  const args: Args = { ...first, ...(resumed && readJson<Args>(resumed.next)) };
  const question = questionText(endpoint, args, 'all');
  return {
    args,
    resume: resumed && { offset: Number(args.offset ?? 0), total: resumed.total },
    validator: resumed ? undefined : await listValidator(work, question),
    unchanged: { covered: listSpan(clock.now()) },
    position: resumed ?? newWalk(work, { question, ...listSpan(clock.now()), next: '' }),
    // The first page of a walk by position stands nowhere.
    argsOf({ offset }) {
      if (kind === 'offset') return { ...args, offset };
      return offset === 0 ? args : { ...args, [kind === 'vintage' ? 'before_id' : 'cursor']: `after ${offset}` };
    },
    advance: (before, page) => ({
      ...before,
      next: JSON.stringify(nextPosition(page, kind)),
      total: page.total,
      seen: before.seen + page.cut.rows.length,
    }),
    beside(behind, page, { rows }) {
      const at = clock.now();
      if (page.next === undefined)
        return { walk: null, covered: { ...listSpan(at), rows: behind.seen, checkedAt: behind.startedAt } };
      const head = headCoverage(endpoint, { rows, at });
      return { walk: behind, ...(head && { covered: head }) };
    },
    async isOver(report, isLast) {
      const isNew = report && report.added + report.revised + report.vanished > 0;
      if (!step.firstPage || resumed || isLast || isNew) return false;
      await mirror.dropWalk(currentSeries(work), access);
      return true;
    },
  };
}

/** The largest page that may be asked for; undefined where there are none. */
export function pageLimit({ target: { endpoint } }: Work): number | undefined {
  return endpoint.paging.kind === 'none' ? undefined : endpoint.paging.max;
}

/** The validator of a list of one covered page; an abandoned walk left that of its first page. */
async function listValidator(work: Work, question: string): Promise<string | undefined> {
  const { mirror, access, clock } = work;
  const stored = await storedSeries(work);
  const limit = pageLimit(work);
  if (!stored || limit === undefined || (await mirror.count(stored, {})) > limit) return undefined;
  const { from } = listSpan(clock.now());
  const coveredRanges = await mirror.coveredRanges(stored, access);
  if (coveredRanges.every((covered) => String(covered.from) > from)) return undefined;
  return mirror.validator(access, question);
}

/** The arguments that the next page is asked with: an offset, an id, or a cursor with its checkpoint. */
function nextPosition({ cut, next = '' }: LivePage, kind: string): Args {
  const { checkpoint } = cut.envelope;
  if (kind === 'vintage') return { before_id: next };
  return typeof checkpoint === 'string' ? { cursor: next, checkpoint } : { offset: Number(next) };
}
