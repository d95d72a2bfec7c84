import type { Args } from '../../contract/params/params.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { type TimeRange, timeRangesOf } from '../../source/coverage/coverage.ts';
import { commitOfAnswer } from '../../source/kept/write-through.ts';
import { isQuiet, nextSpan } from '../plan/spans.ts';
import type { Step } from '../plan/step.ts';
import { askChanged, commit, type Pages, received, storedSeries, type Work } from '../work.ts';

/**
 * A head is one span. What lies behind is asked for span by span, newest first, until a long stretch has no row or the first
 * date that any series can have is reached. A span, its rows and its proof are one commit, so a killed run goes on where it
 * stopped.
 */
export async function* syncSpans(work: Work, { reason, window }: Step): Pages {
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
