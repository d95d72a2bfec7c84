import type { LivePage } from '../../client/client.ts';
import type { Column } from '../../contract/mapping.ts';
import type { Args } from '../../contract/params/params.ts';
import { MacroError } from '../../errors.ts';
import type { AnswerCommit, NewRow } from '../../mirror/api/page-commit.ts';
import type { PaginationRun } from '../../mirror/api/pagination-run.ts';
import type { KeyValue } from '../../mirror/api/rows.ts';
import { following } from '../../mirror/ledger/coverage.ts';
import { covers } from '../../source/coverage/coverage.ts';
import { isOrderedBy, keyValues } from '../../source/kept/key-order.ts';
import { createPageOrder } from '../../source/kept/page-order.ts';
import { commitOfAnswer, rowsOf } from '../../source/kept/write-through.ts';
import { questionText } from '../../source/question.ts';
import type { Step } from '../plan/step.ts';
import { type DateWindow, uncovered } from '../plan/windows.ts';
import {
  commit,
  confirm,
  currentSeries,
  OVER,
  type Pages,
  received,
  storedSeries,
  type Taken,
  takePages,
  type Work,
} from '../work.ts';
import { freshRun } from './fresh-run.ts';

/** A result that moves under a walk is walked again, so often. */
const RESTARTS = 3;

/**
 * One window of a history, page by page. A walk that an earlier run left open is finished from where it stopped; of a window
 * that lies behind the head only what is not proven is walked. Every page is committed with the position behind it, the
 * last one with the proof. A result that moved is walked again from its newest row.
 */
export async function* syncHistory(work: Work, step: Step): Pages {
  const window = { from: String(step.window?.from), to: String(step.window?.to) };
  if (step.resumes) return yield* walkUntilProven(work, window, step);
  const isBehind = step.reason === 'gap' || step.reason === 'backfill';
  for (const part of isBehind ? await missing(work, window) : [window]) yield* walkUntilProven(work, part, step);
}

async function* walkUntilProven(work: Work, window: DateWindow, step: Step): Pages {
  let resumed = step.resumes && (await work.mirror.paginationRun(await currentSeries(work), work.access));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return yield* walkWindow(work, window, step, resumed);
    } catch (error) {
      await work.batch.settle();
      if (!(error instanceof MacroError) || error.kind !== 'incomplete') throw error;
      if (keepsPosition(step)) await work.mirror.dropWalk(await currentSeries(work), work.access);
      if (attempt === RESTARTS) throw error;
      resumed = undefined;
    }
  }
}

/** The stretches of a window that are not proven, newest first. */
async function missing(work: Work, within: DateWindow): Promise<readonly DateWindow[]> {
  const stored = await storedSeries(work);
  return uncovered(stored ? await work.mirror.proofs(stored, work.access) : [], within);
}

/**
 * Walks one closed window to its end, from where an earlier run left it. The first page of a fresh walk goes with the
 * validator of the last one: when nothing has changed, the window stays proven and the walk is over. A long walk keeps its
 * position beside its rows; a head is short, starts again, and leaves the position of a long one alone. Yields the date
 * that is reached.
 */
async function* walkWindow(work: Work, window: DateWindow, step: Step, resumed?: PaginationRun): Pages {
  const { target, client, signal } = work;
  const { endpoint } = target;
  const args = windowArgs(work, window);
  const question = questionText(endpoint, args, 'all');
  const validator = resumed ? undefined : await provenValidator(work, window, question);
  const from = resumed && resumePoint(resumed, Number(args.limit));
  const asks = { ...args, ...(resumed?.version !== undefined && { dataset_version: resumed.version }) };
  const request = { endpoint, args: asks, ...(signal && { signal }), ...(validator && { ifNoneMatch: validator }) };
  const walk = resumed ?? freshRun(work, { question, ...window, next: '0' });
  const taker = pageTaker(work, { args, window, step, walk, isAgain: from?.isAgain ?? false });
  yield* takePages(client.pages(request, from && { offset: from.offset, total: from.total }), taker);
}

interface Start {
  readonly args: Args;
  readonly window: DateWindow;
  readonly step: Step;
  readonly walk: PaginationRun;
  /** The first page is one that is stored: it shows that nothing has moved. */
  readonly isAgain: boolean;
}

/** Commits the pages of a walk, one after the other. */
function pageTaker(work: Work, { args, window, step, ...start }: Start): (page: LivePage) => Promise<Taken> {
  const key = keyColumns(work);
  const keep = pageKeeper(work, step);
  let { walk, isAgain } = start;
  const inOrder = createPageOrder(work.target.endpoint, walk.lastKey);
  return async (page) => {
    work.counts.notes.push(...page.notes);
    if (page.status === 304) {
      await confirm(work, page, args, { proof: window, ...followsOf(step) });
      return OVER;
    }
    if (isAgain) {
      checkSamePage(work, walk, page);
      isAgain = false;
      return undefined;
    }
    const isOnly = page.offset === 0 && page.next === undefined;
    // A later page would prove what may have moved since the walk began.
    const behind = page.offset > 0 && { provesNothing: true };
    const came = commitOfAnswer({ ...received(work, { ...args, offset: page.offset }, page), ...behind }, page.cut);
    const { proof, ...answer } = inOrder(came, isOnly);
    walk = advance(walk, page, { key, rows: answer.rows, isListed: answer.extent === 'listed' });
    const isDone = page.next === undefined;
    await keep({ ...answer, ...toldBy({ step, walk, window, isDone, first: proof }) });
    if (isDone) await work.batch.settle();
    work.onPage({ seen: walk.seen, total: walk.total });
    return reachedBy(answer.rows, key);
  };
}

/**
 * How pages are committed. Where the mirror keeps the position of the walk it knows itself that it stored rows back, and takes
 * no proof from the walk any more.
 */
function pageKeeper(work: Work, step: Step): (page: AnswerCommit) => Promise<void> {
  if (keepsPosition(step)) return work.batch.add;
  let isKept = true;
  return async (page) => {
    const { proof: _, follows: __, ...untold } = page;
    const report = await commit(work, isKept ? page : untold);
    isKept &&= !report.heldBack;
  };
}

interface Reached {
  readonly step: Step;
  readonly walk: PaginationRun;
  readonly window: DateWindow;
  readonly isDone: boolean;
  /** What the page proves by itself: the first one does. */
  readonly first: AnswerCommit['proof'];
}

/** What a page says beside its rows. A proof is as old as the first page: what came before a kill may have changed since. */
function toldBy({ step, walk, window, isDone, first }: Reached): Partial<AnswerCommit> {
  const position = keepsPosition(step) ? { paginationRun: isDone ? null : walk } : {};
  if (!isDone) return { ...position, ...(first && { proof: first }), ...(first && step.firstPage && followsOf(step)) };
  const proof = { ...window, rows: walk.seen, provenAt: walk.startedAt };
  return { ...position, proof, seams: walk.seams, ...followsOf(step) };
}

/** Long walks can be continued. */
function keepsPosition({ reason, firstPage }: Step): boolean {
  return firstPage === true || reason === 'gap' || reason === 'backfill';
}

function followsOf({ follows }: Step): Pick<AnswerCommit, 'follows'> {
  return follows ? { follows } : {};
}

function reachedBy(rows: readonly NewRow[], key: readonly Column[]): string | undefined {
  const [date] = keyValues(rows.at(-1), key.slice(0, 1)) ?? [];
  return typeof date === 'string' ? date : undefined;
}

function windowArgs({ target }: Work, window: DateWindow): Args {
  const { paging, mirror } = target.endpoint;
  const bounds = mirror?.window ? { [mirror.window.from]: window.from, [mirror.window.to]: window.to } : {};
  return { ...target.args, ...bounds, limit: paging.kind === 'none' ? undefined : paging.max, offset: 0 };
}

/**
 * The validator of the last answer, where hearing that it still holds proves the window: the window is proven already, and
 * the one page that the validator speaks of is all of it.
 */
async function provenValidator(work: Work, window: DateWindow, question: string): Promise<string | undefined> {
  const { target, mirror, access } = work;
  const stored = await storedSeries(work);
  const { paging } = target.endpoint;
  if (!stored || paging.kind === 'none') return undefined;
  if (!covers(await mirror.proofs(stored, access), { ...window, isOpen: false })) return undefined;
  if ((await mirror.count(stored, window)) > paging.max) return undefined;
  return mirror.validator(access, question);
}

/**
 * Where a walk goes on that an earlier run left. With the version of its data the service itself refuses what has changed;
 * without one, the last page is asked for again and must end where it ended.
 */
function resumePoint(
  walk: PaginationRun,
  limit: number,
): { offset: number; total: number | undefined; isAgain: boolean } {
  const offset = Number(walk.next);
  const isAgain = walk.version === undefined && offset > 0;
  return { offset: isAgain ? Math.max(0, offset - limit) : offset, total: walk.total, isAgain };
}

function checkSamePage(work: Work, walk: PaginationRun, page: LivePage): void {
  const key = keyColumns(work);
  const last = keyValues(rowsOf(page.cut).at(-1), key);
  if (walk.lastKey === undefined || String(last) === String(walk.lastKey)) return;
  throw new MacroError('incomplete', 'The history has moved since the walk was interrupted.', {
    code: 'walk_moved',
    hint: 'The walk is started again.',
  });
}

/**
 * The position behind a page. Between two pages lies a seam: a row stored inside of it is not listed any more, where the pages
 * come in the order of the key. Nothing lies between one day and the next: there is none, so that a long walk stays short
 * beside its rows, with which it is written once a page.
 */
function advance(
  walk: PaginationRun,
  page: LivePage,
  {
    key,
    rows,
    isListed,
  }: { readonly key: readonly Column[]; readonly rows: readonly NewRow[]; readonly isListed: boolean },
): PaginationRun {
  const isOrdered = isListed && isOrderedBy(key, rows);
  const first = isOrdered ? keyValues(rows[0], key) : undefined;
  const last = isOrdered ? keyValues(rows.at(-1), key) : undefined;
  return {
    ...walk,
    next: page.next ?? walk.next,
    ...versionOf(page),
    total: page.total,
    seen: walk.seen + rows.length,
    lastKey: rows.length === 0 ? walk.lastKey : last,
    seams: walk.lastKey && first && !adjoin(walk.lastKey, first) ? [...walk.seams, [walk.lastKey, first]] : walk.seams,
  };
}

function adjoin([a, ...furtherA]: readonly KeyValue[], [b, ...furtherB]: readonly KeyValue[]): boolean {
  if (a === undefined || b === undefined || furtherA.length + furtherB.length > 0) return false;
  return following(a) === b || following(b) === a;
}

function versionOf({ cut }: LivePage): Pick<PaginationRun, 'version'> {
  const { dataset_version: version } = cut.envelope;
  return typeof version === 'string' && /^[0-9a-f]{64}$/.test(version) ? { version } : {};
}

function keyColumns({ target }: Work): readonly Column[] {
  return target.endpoint.mirror?.key ?? [];
}
