import type { SyncStrategy } from '../contract/mapping.ts';
import { MacroError } from '../errors.ts';
import { accessOf } from '../source/kept/write-through.ts';
import { followersOf } from './feeds.ts';
import type { Step } from './plan/step.ts';
import { type SyncTarget, targetName } from './series/target.ts';
import { syncCursor } from './strategies/cursor.ts';
import { syncHistory } from './strategies/history.ts';
import { syncPages } from './strategies/pages.ts';
import { syncSequence } from './strategies/sequence.ts';
import { syncSingle } from './strategies/single.ts';
import { syncSpans } from './strategies/spans.ts';
import type { Pages, Strategy, Work } from './work.ts';

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

/**
 * Begins a step; nothing is asked before its first page is wanted.
 * @throws MacroError of kind `usage`.
 */
export function pagesOf(work: Work, step: Step): Pages {
  const kind = step.target.endpoint.mirror?.sync.kind;
  if (kind === undefined)
    throw new MacroError('usage', `${targetName(step.target)} is not kept in a mirror.`, {
      hint: 'Ask it with --live.',
    });
  return STRATEGIES[kind](work, step);
}

export async function drain(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

/** Makes a step; where the backfill goes on from its newest page, that page only. */
export async function advance(work: Work, step: Step, begun: Map<SyncTarget, Pages>): Promise<void> {
  const pages = pagesOf(work, step);
  if (!step.firstPage || step.target.endpoint.mirror?.sync.kind !== 'history') return drain(pages);
  if (!(await pages.next()).done) begun.set(step.target, pages);
}

/** Reads a feed to its end; what it did not name of the series that follow it is then known to be as it was. */
export async function readFeed(work: Work, step: Step): Promise<void> {
  const { mirror, client } = work;
  await drain(pagesOf(work, step));
  const { until } = work.feed;
  if (until === undefined) return;
  for (const endpoint of followersOf(step.target.endpoint))
    await mirror.confirmFollowed(endpoint.id, accessOf(endpoint, client.access), until);
}
