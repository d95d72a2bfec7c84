import type { LivePage } from '../../client/client.ts';
import type { Column } from '../../contract/mapping.ts';
import type { Args } from '../../contract/params.ts';
import { MacroError } from '../../errors.ts';
import type { Walk } from '../../mirror/mirror.ts';
import { covers } from '../../source/coverage.ts';
import { isOrderedBy, keyValues } from '../../source/key-order.ts';
import { questionText, seriesOf } from '../../source/question.ts';
import { commitOf, rowsOf } from '../../source/write-through.ts';
import type { DateWindow } from '../plan.ts';
import { commit, confirm, currentSeries, received, type Work } from '../work.ts';

/**
 * Walks one closed window to its end, from where an earlier run left it. The first page of a fresh walk goes with the
 * validator of the last one: when nothing has changed, the window stays proven and the walk is over.
 */
export async function walkWindow(work: Work, window: DateWindow, resumed?: Walk): Promise<void> {
  const { target, client, signal } = work;
  const { endpoint } = target;
  const args = windowArgs(work, window);
  const question = questionText(endpoint, args, 'all');
  const validator = resumed ? undefined : await provenValidator(work, window, question);
  const from = resumed && resumePoint(resumed, Number(args.limit));
  const asks = { ...args, ...(resumed?.version !== undefined && { dataset_version: resumed.version }) };
  const request = { endpoint, args: asks, ...(signal && { signal }), ...(validator && { ifNoneMatch: validator }) };
  const resume = from && { offset: from.offset, total: from.total };
  let isAgain = from?.isAgain ?? false;
  let walk: Walk = resumed ?? freshWalk(work, window, question);
  for await (const page of client.pages(request, resume)) {
    work.counts.requests += 1;
    work.counts.notes.push(...page.notes);
    if (page.status === 304) {
      await confirm(work, page, args, window);
      return;
    }
    if (isAgain) {
      checkSamePage(work, walk, page);
      isAgain = false;
      continue;
    }
    walk = advance(walk, page, keyColumns(work));
    const done = page.next === undefined;
    const asked = { ...args, offset: page.offset };
    // Only the last page proves anything, and it proves the whole window.
    const { proof: _, ...rows } = commitOf(received(work, asked, page), page.cut);
    // The proof is as old as the first page of the walk: what came before a kill may have changed since.
    const proof = { ...window, rows: walk.seen, provenAt: walk.startedAt };
    const proven = { walk: null, proof, seams: walk.seams };
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
 * The validator of the last answer, where hearing that it still holds proves the window: the window is proven already, and
 * the one page that the validator speaks of is all of it.
 */
async function provenValidator(work: Work, window: DateWindow, question: string): Promise<string | undefined> {
  const { target, mirror, access } = work;
  const { origin } = await currentSeries(work);
  const held = (await mirror.find(seriesOf(target.endpoint, target.args))).find((series) => series.origin === origin);
  const { paging } = target.endpoint;
  if (!held || paging.kind === 'none') return undefined;
  if (!covers(await mirror.proofs(held, access), { ...window, isOpen: false })) return undefined;
  if ((await mirror.count(held, window)) > paging.max) return undefined;
  return mirror.validator(access, question);
}

/**
 * Where a walk goes on that an earlier run left. With the version of its data the service itself refuses what has changed;
 * without one, the last page is asked for again and must end where it ended.
 */
function resumePoint(walk: Walk, limit: number): { offset: number; total: number | undefined; isAgain: boolean } {
  const offset = Number(walk.next);
  const isAgain = walk.version === undefined && offset > 0;
  return { offset: isAgain ? Math.max(0, offset - limit) : offset, total: walk.total, isAgain };
}

function checkSamePage(work: Work, walk: Walk, page: LivePage): void {
  const key = keyColumns(work);
  const last = keyValues(rowsOf(page.cut).at(-1), key);
  if (walk.lastKey === undefined || String(last) === String(walk.lastKey)) return;
  throw new MacroError('incomplete', 'The history has moved since the walk was interrupted.', {
    code: 'walk_moved',
    hint: 'The walk is started again.',
  });
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
    ...versionOf(page),
    total: page.total,
    seen: walk.seen + rows.length,
    lastKey: rows.length === 0 ? walk.lastKey : last,
    seams: walk.lastKey && first ? [...walk.seams, [walk.lastKey, first]] : walk.seams,
  };
}

function versionOf({ cut }: LivePage): Pick<Walk, 'version'> {
  const { dataset_version: version } = cut.envelope;
  return typeof version === 'string' && /^[0-9a-f]{64}$/.test(version) ? { version } : {};
}

function keyColumns({ target }: Work): readonly Column[] {
  return target.endpoint.mirror?.key ?? [];
}
