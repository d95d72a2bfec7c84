import { MacroError } from '../../errors.ts';
import type { Walk } from '../../mirror/mirror.ts';
import { questionText } from '../../source/question.ts';
import { commitOf } from '../../source/write-through.ts';
import { commit, currentSeries, received, type Work } from '../work.ts';

/**
 * Continues from the position that the last answer gave. The position is committed with the rows that lead to it, so a
 * killed run goes on where it stopped. A reported gap cannot be filled from here: what lies in it was missed, and
 * the run says so.
 */
export async function syncCursor(work: Work): Promise<void> {
  const { target, client, mirror, clock, signal } = work;
  const position = await mirror.walk(await currentSeries(work), work.access);
  const args = { ...target.args, limit: pageSize(work), ...(position && { since: position.next }) };
  let seen = position?.seen ?? 0;
  let missedBefore: string | undefined;
  for await (const page of client.pages({ endpoint: target.endpoint, args, ...(signal && { signal }) })) {
    work.counts.requests += 1;
    work.counts.notes.push(...page.notes);
    if (page.cut.envelope.gap === true) missedBefore = String(page.cut.envelope.oldest_available);
    seen += page.cut.rows.length;
    const reached = page.cut.envelope.next_cursor;
    const walk: Walk = {
      question: questionText(target.endpoint, target.args, 'without paging'),
      from: '',
      to: '',
      next: typeof reached === 'string' ? reached : (page.next ?? position?.next ?? ''),
      total: undefined,
      seen,
      lastKey: undefined,
      seams: [],
      startedAt: position?.startedAt ?? clock.now(),
    };
    await commit(work, { ...commitOf(received(work, args, page), page.cut), walk });
    work.onPage({ seen, total: undefined });
  }
  if (missedBefore !== undefined && position)
    throw new MacroError('incomplete', `Changes before ${missedBefore} can no longer be had.`, {
      code: 'gap',
      hint: 'Sync the series themselves: their histories hold what the changes announced.',
    });
}

function pageSize({ target }: Work): number {
  const { paging } = target.endpoint;
  return paging.kind === 'none' ? 1 : paging.max;
}
