import type { LivePage } from '../../client/client.ts';
import type { Args } from '../../contract/params.ts';
import { MacroError } from '../../errors.ts';
import type { HeldSeries, Walk } from '../../mirror/mirror.ts';
import { listSpan } from '../../source/coverage.ts';
import { questionText, seriesOf } from '../../source/question.ts';
import { commitOf, headProof } from '../../source/write-through.ts';
import { commit, currentSeries, received, type Work } from '../work.ts';

/** A result that moves under a walk, or a checkpoint that is too old, is walked again, so often. */
const RESTARTS = 3;

/** Longest time between two walks to the very end, in milliseconds: old rows may be corrected too. */
const WHOLE_EVERY = 7 * 86_400_000;

/**
 * A list without a window, page by page. A list by offset or by vintage has its newest rows first, so once its end was
 * reached a later walk stops at the first page that brings nothing new; a checkpointed one is always walked whole, because
 * it grows at its end. Every page is committed with the position behind it, the last one with the proof.
 */
export async function syncPages(work: Work): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await walkList(work, await work.mirror.walk(await currentSeries(work), work.access));
    } catch (error) {
      if (!(error instanceof MacroError) || error.kind !== 'incomplete' || attempt === RESTARTS) throw error;
      await work.mirror.dropWalk(await currentSeries(work), work.access);
    }
  }
}

async function walkList(work: Work, resumed: Walk | undefined): Promise<void> {
  const { target, client, mirror, signal } = work;
  const { endpoint } = target;
  const args = { ...firstArgs(work), ...(resumed && readPosition(resumed.next)) };
  const question = questionText(endpoint, args, 'all');
  const held = await heldSeries(work);
  const validator = resumed ? undefined : await firstValidator(work, held, question);
  const mayStop = !resumed && endpoint.paging.kind !== 'checkpoint' && (await isRecentlyWhole(work, held));
  const request = {
    endpoint,
    args,
    ...(signal && { signal }),
    ...(validator !== undefined && { ifNoneMatch: validator }),
  };
  const resume = resumed && { offset: Number(args.offset ?? 0), total: resumed.total };
  let walk = resumed ?? freshWalk(work, question);
  for await (const page of client.pages(request, resume)) {
    work.counts.requests += 1;
    work.counts.notes.push(...page.notes);
    if (page.status === 304) {
      await mirror.touch(await currentSeries(work), work.access, question, work.clock.now());
      return;
    }
    walk = advance(walk, page, endpoint.paging.kind);
    const asked = { ...args, ...positionOf(endpoint.paging.kind, page) };
    const at = work.clock.now();
    const { proof: _, ...rows } = commitOf(received(work, asked, page), page.cut);
    const done = page.next === undefined;
    const head = headProof(endpoint, { rows: rows.rows, at });
    const whole = { walk: null, proof: { ...listSpan(at), rows: walk.seen } };
    const report = await commit(work, { ...rows, ...(done ? whole : { walk, ...(head && { proof: head }) }) });
    work.onPage({ seen: walk.seen, total: walk.total });
    if (mayStop && !done && report.added + report.revised + report.vanished === 0) {
      await mirror.dropWalk(await currentSeries(work), work.access);
      return;
    }
  }
}

function firstArgs({ target }: Work): Args {
  const { paging } = target.endpoint;
  const limit = paging.kind === 'none' ? undefined : paging.max;
  return { ...target.args, limit, ...(paging.kind === 'offset' && { offset: 0 }) };
}

async function heldSeries(work: Work): Promise<HeldSeries | undefined> {
  const { origin } = await currentSeries(work);
  const { endpoint, args } = work.target;
  return (await work.mirror.find(seriesOf(endpoint, args))).find((series) => series.origin === origin);
}

/** A validator speaks of one page: it spares the walk only where that page was everything. */
async function firstValidator(work: Work, held: HeldSeries | undefined, question: string): Promise<string | undefined> {
  const { paging } = work.target.endpoint;
  if (!held || paging.kind === 'none' || (await work.mirror.count(held, {})) > paging.max) return undefined;
  return work.mirror.validator(work.access, question);
}

async function isRecentlyWhole(work: Work, held: HeldSeries | undefined): Promise<boolean> {
  if (!held) return false;
  const now = work.clock.now();
  const proofs = await work.mirror.proofs(held, work.access);
  return proofs.some(({ from, provenAt }) => String(from) <= listSpan(now).from && now - provenAt < WHOLE_EVERY);
}

function freshWalk({ clock }: Work, question: string): Walk {
  return {
    question,
    ...listSpan(clock.now()),
    next: '',
    total: undefined,
    seen: 0,
    lastKey: undefined,
    seams: [],
    startedAt: clock.now(),
  };
}

function advance(walk: Walk, page: LivePage, kind: string): Walk {
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
  const position: Args = JSON.parse(next);
  return position;
}

/** Where a page stood that was asked for in the middle of a walk; the first page of one by position stands nowhere. */
function positionOf(kind: string, { offset }: LivePage): Args {
  if (kind === 'offset') return { offset };
  return offset === 0 ? {} : { [kind === 'vintage' ? 'before_id' : 'cursor']: `after ${offset}` };
}
