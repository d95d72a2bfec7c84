import type { SyncStrategy } from '../contract/mapping.ts';
import type { Args } from '../contract/params/params.ts';
import { isoSeconds } from '../contract/time/time.ts';
import { MacroError } from '../errors.ts';
import { type TimeRange, timeRangesOf } from '../source/coverage/coverage.ts';
import { commitOfAnswer } from '../source/kept/write-through.ts';
import { syncCursor, syncSequence } from './feed-pages.ts';
import { syncHistory, syncPages } from './pages.ts';
import { isQuiet, nextSpan, scheduleStart } from './plan/spans.ts';
import type { Step } from './plan/step.ts';
import { targetName } from './series/select.ts';
import { askChanged, commit, type Pages, received, type Strategy, storedSeries, type Work } from './work.ts';

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

/**
 * One request gives a document, whose missing rows are gone; a snapshot, which says nothing of earlier ones; or a schedule
 * with an open end, of which a row that is not listed any more has been called off.
 */
async function* syncSingle(work: Work, step: Step): Pages {
  const { target, clock } = work;
  const from = target.endpoint.mirror?.window?.from ?? 'start_date';
  const args = step.window ? { ...target.args, [from]: scheduleStart(clock.now()) } : target.args;
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOfAnswer(received(work, args, reply)));
  work.onPage({ seen: 1, total: 1 });
  yield undefined;
}

/**
 * A head is one span. What lies behind is asked for span by span, newest first, until a long stretch has no row or the first
 * date that any series can have is reached. A span, its rows and its proof are one commit, so a killed run goes on where it
 * stopped.
 */
async function* syncSpans(work: Work, { reason, window }: Step): Pages {
  const { target, clock, mirror } = work;
  const sync = target.endpoint.mirror?.sync;
  if (sync?.kind !== 'spans' || !window) return;
  if (reason === 'head') {
    yield await askSpan(work, { from: Number(window.from), to: Number(window.to) });
    return;
  }
  const now = Math.floor(clock.now() / 1000);
  for (let end = Number(window.to); ; ) {
    const stored = await storedSeries(work);
    const proven = stored ? timeRangesOf(await mirror.proofs(stored, work.access)) : [];
    const next = nextSpan(sync, proven, end);
    const count = async (bounds = {}) => (stored ? mirror.count(stored, bounds) : 0);
    if (!next || (await isQuiet({ target, id: stored?.id, count }, { end: next.to, now }))) return;
    yield await askSpan(work, next);
    end = next.from - 1;
  }
}

/** Asks for one span and keeps it; gives the date that is reached. */
async function askSpan(work: Work, { from, to }: Pick<TimeRange, 'from' | 'to'>): Promise<string> {
  const { target, onPage, counts } = work;
  const window = target.endpoint.mirror?.window;
  const args: Args = {
    ...target.args,
    ...(window && { [window.from]: isoSeconds(from), [window.to]: isoSeconds(to) }),
  };
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOfAnswer(received(work, args, reply)));
  onPage({ seen: counts.rows.added + counts.rows.revised + counts.rows.unchanged, total: undefined });
  return isoSeconds(from).slice(0, 10);
}
