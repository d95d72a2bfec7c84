import type { LivePage } from '../../client/client.ts';
import type { Column } from '../../contract/mapping.ts';
import type { Args } from '../../contract/params.ts';
import type { Walk } from '../../mirror/mirror.ts';
import { isOrderedBy, keyValues } from '../../source/key-order.ts';
import { questionText } from '../../source/question.ts';
import { commitOf, rowsOf } from '../../source/write-through.ts';
import type { DateWindow } from '../plan.ts';
import { commit, currentSeries, received, type Work } from '../work.ts';

/**
 * Walks one closed window to its end, from where an earlier run left it. The first page of a fresh walk goes with the
 * validator of the last one: when nothing has changed, the window stays proven and the walk is over.
 */
export async function walkWindow(work: Work, window: DateWindow, resumed?: Walk): Promise<void> {
  const { target, client, mirror, clock, signal } = work;
  const { endpoint } = target;
  const args = windowArgs(work, window);
  const question = questionText(endpoint, args, 'all');
  const validator = resumed ? undefined : await mirror.validator(work.access, question);
  const resume = resumed && { offset: Number(resumed.next), total: resumed.total };
  const request = { endpoint, args, ...(signal && { signal }), ...(validator && { ifNoneMatch: validator }) };
  let walk: Walk = resumed ?? freshWalk(work, window, question);
  for await (const page of client.pages(request, resume)) {
    work.counts.requests += 1;
    work.counts.notes.push(...page.notes);
    if (page.status === 304) {
      await mirror.touch(await currentSeries(work), work.access, question, clock.now());
      return;
    }
    walk = advance(walk, page, keyColumns(work));
    const done = page.next === undefined;
    const asked = { ...args, offset: page.offset };
    // Only the last page proves anything, and it proves the whole window.
    const { proof: _, ...rows } = commitOf(received(work, asked, page), page.cut);
    const proven = { walk: null, proof: { ...window, rows: walk.seen }, seams: walk.seams };
    await commit(work, { ...rows, ...(done ? proven : { walk }) });
    work.onPage({ seen: walk.seen, total: walk.total });
  }
}

function windowArgs({ target }: Work, window: DateWindow): Args {
  const { paging, mirror } = target.endpoint;
  const bounds = mirror?.window ? { [mirror.window.from]: window.from, [mirror.window.to]: window.to } : {};
  return { ...target.args, ...bounds, limit: paging.kind === 'none' ? undefined : paging.max, offset: 0 };
}

function freshWalk(work: Work, window: DateWindow, question: string): Walk {
  return {
    question,
    ...window,
    next: '0',
    total: undefined,
    seen: 0,
    lastKey: undefined,
    seams: [],
    startedAt: work.clock.now(),
  };
}

/**
 * The position behind a page. Between two pages lies a seam: a row held inside of it is not listed any more, where the pages
 * come in the order of the key.
 */
function advance(walk: Walk, page: LivePage, key: readonly Column[]): Walk {
  const rows = rowsOf(page.cut);
  const isOrdered = isOrderedBy(key, rows);
  const first = isOrdered ? keyValues(rows[0], key) : undefined;
  const last = isOrdered ? keyValues(rows.at(-1), key) : undefined;
  return {
    ...walk,
    next: page.next ?? walk.next,
    total: page.total,
    seen: walk.seen + rows.length,
    lastKey: rows.length === 0 ? walk.lastKey : last,
    seams: walk.lastKey && first ? [...walk.seams, [walk.lastKey, first]] : walk.seams,
  };
}

function keyColumns({ target }: Work): readonly Column[] {
  return target.endpoint.mirror?.key ?? [];
}
