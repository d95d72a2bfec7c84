import type { LivePage } from '../../client/client.ts';
import { readJson } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';
import { MacroError } from '../../errors.ts';
import type { PaginationRun } from '../../mirror/api/pagination-run.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { listSpan } from '../../source/coverage/coverage.ts';
import { createPageOrder } from '../../source/kept/page-order.ts';
import { commitOfAnswer, headCoverage } from '../../source/kept/write-through.ts';
import { questionText } from '../../source/question.ts';
import type { Step } from '../plan/step.ts';
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

/** A result that moves under a walk, or a checkpoint that is too old, is walked again, so often. */
const RESTARTS = 3;

/**
 * A list without a window, page by page, from where an earlier run left it; where the plan wants the newest rows only, up to
 * the first page that brings nothing new. Every page is committed with the position behind it, the last one with the proof.
 */
export async function* syncPages(work: Work, step: Step): Pages {
  for (let attempt = 1; ; attempt += 1) {
    try {
      yield* walkList(work, step, await work.mirror.paginationRun(await currentSeries(work), work.access));
      return;
    } catch (error) {
      if (!(error instanceof MacroError) || error.kind !== 'incomplete' || attempt === RESTARTS) throw error;
      await work.mirror.dropWalk(await currentSeries(work), work.access);
    }
  }
}

async function* walkList(work: Work, step: Step, resumed: PaginationRun | undefined): Pages {
  const { target, client, signal } = work;
  const { endpoint } = target;
  const args = { ...firstArgs(work), ...(resumed && readPosition(resumed.next)) };
  const question = questionText(endpoint, args, 'all');
  const validator = resumed ? undefined : await firstValidator(work, await storedSeries(work), question);
  const request = {
    endpoint,
    args,
    ...(signal && { signal }),
    ...(validator !== undefined && { ifNoneMatch: validator }),
  };
  const resume = resumed && { offset: Number(args.offset ?? 0), total: resumed.total };
  const walk = resumed ?? freshRun(work, { question, ...listSpan(work.clock.now()), next: '' });
  const taker = pageTaker(work, { args, step, walk, isResumed: !!resumed });
  yield* takePages(client.pages(request, resume), taker);
}

interface Start {
  readonly args: Args;
  readonly step: Step;
  readonly walk: PaginationRun;
  readonly isResumed: boolean;
}

/** Commits the pages of a walk, one after the other. */
function pageTaker(work: Work, { args, step, isResumed, ...start }: Start): (page: LivePage) => Promise<Taken> {
  const { endpoint } = work.target;
  let { walk } = start;
  const inOrder = createPageOrder(endpoint, undefined);
  return async (page) => {
    work.counts.notes.push(...page.notes);
    if (page.status === 304) {
      await confirm(work, page, args, { proof: listSpan(work.clock.now()) });
      return OVER;
    }
    walk = advance(walk, page, endpoint.paging.kind);
    const request = { ...args, ...positionOf(endpoint.paging.kind, page) };
    const at = work.clock.now();
    const done = page.next === undefined;
    const isOnly = done && page.offset === 0;
    const { proof: _, ...rows } = inOrder(commitOfAnswer(received(work, request, page), page.cut), isOnly);
    const head = headCoverage(endpoint, { rows: rows.rows, at });
    const whole = { paginationRun: null, proof: { ...listSpan(at), rows: walk.seen, provenAt: walk.startedAt } };
    const report = await commit(work, {
      ...rows,
      ...(done ? whole : { paginationRun: walk, ...(head && { proof: head }) }),
    });
    work.onPage({ seen: walk.seen, total: walk.total });
    const isKnown = report.added + report.revised + report.vanished === 0;
    if (!step.firstPage || isResumed || done || !isKnown) return undefined;
    await work.mirror.dropWalk(await currentSeries(work), work.access);
    return OVER;
  };
}

function firstArgs({ target }: Work): Args {
  const { paging } = target.endpoint;
  const limit = paging.kind === 'none' ? undefined : paging.max;
  return { ...target.args, limit, ...(paging.kind === 'offset' && { offset: 0 }) };
}

/**
 * A validator speaks of one page: it spares the walk only where that page was everything, and everything is proven already. A
 * walk that was begun and given up left the validator of its first page.
 */
async function firstValidator(
  work: Work,
  stored: StoredSeries | undefined,
  question: string,
): Promise<string | undefined> {
  const { paging } = work.target.endpoint;
  if (!stored || paging.kind === 'none' || (await work.mirror.count(stored, {})) > paging.max) return undefined;
  const { from } = listSpan(work.clock.now());
  const proofs = await work.mirror.proofs(stored, work.access);
  if (proofs.every((proof) => String(proof.from) > from)) return undefined;
  return work.mirror.validator(work.access, question);
}

function advance(walk: PaginationRun, page: LivePage, kind: string): PaginationRun {
  const { cut, total } = page;
  return { ...walk, next: JSON.stringify(nextPosition(page, kind)), total, seen: walk.seen + cut.rows.length };
}

/** The arguments that the next page is asked with: an offset, an id, or a cursor with its checkpoint. */
function nextPosition({ cut, next = '' }: LivePage, kind: string): Args {
  const { checkpoint } = cut.envelope;
  if (kind === 'vintage') return { before_id: next };
  return typeof checkpoint === 'string' ? { cursor: next, checkpoint } : { offset: Number(next) };
}

function readPosition(next: string): Args {
  const position: Args = readJson(next);
  return position;
}

/** Where a page stood that was asked for in the middle of a walk; the first page of one by position stands nowhere. */
function positionOf(kind: string, { offset }: LivePage): Args {
  if (kind === 'offset') return { offset };
  return offset === 0 ? {} : { [kind === 'vintage' ? 'before_id' : 'cursor']: `after ${offset}` };
}
