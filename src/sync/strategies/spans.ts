import type { SyncStrategy } from '../../contract/mapping.ts';
import type { Args } from '../../contract/params.ts';
import { dateToMs, isoSeconds } from '../../contract/time.ts';
import { type Span, spansOf } from '../../source/coverage.ts';
import { seriesOf } from '../../source/question.ts';
import { commitOf } from '../../source/write-through.ts';
import { askChanged, commit, currentSeries, received, type Work } from '../work.ts';

type Spans = SyncStrategy & { readonly kind: 'spans' };

const DAY = 86_400;

/**
 * History by closed spans of time, from now back. Walk: the head, from a little before the newest proven instant, in as many
 * spans as it takes; then what is not proven before it, newest first, until a long stretch has no row or the first date that
 * any series can have is reached. A span, its rows and its proof are one commit, so a killed run goes on where it stopped.
 */
export async function syncSpans(work: Work): Promise<void> {
  const sync = work.target.endpoint.mirror?.sync;
  if (sync?.kind !== 'spans') return;
  const now = Math.floor(work.clock.now() / 1000);
  const newest = (await provenSpans(work)).at(-1);
  const length = sync.days * DAY;
  const headFrom = newest ? Math.min(newest.to, now) - sync.revisionDays * DAY : now - length + 1;
  let end = now;
  while (end >= headFrom) end = await askSpan(work, { from: Math.max(headFrom, end - length + 1), to: end });
  for (;;) {
    const next = nextSpan(sync, await provenSpans(work), end);
    if (!next || (await isQuiet(work, sync, { end: next.to, now }))) return;
    end = await askSpan(work, next);
  }
}

/** The newest span at or before an instant that is not proven; undefined when there is none. */
export function nextSpan(sync: Spans, proven: readonly Span[], end: number): Pick<Span, 'from' | 'to'> | undefined {
  const first = dateToMs(sync.since) / 1000;
  let to = end;
  let bound = first;
  for (const span of [...proven].reverse()) {
    if (span.from > to) continue;
    if (span.to >= to) to = span.from - 1;
    else {
      bound = Math.max(first, span.to + 1);
      break;
    }
  }
  return to < first ? undefined : { from: Math.max(bound, to - sync.days * DAY + 1), to };
}

/** Nothing at all came for so long behind an instant that the series is taken to begin there. */
async function isQuiet(work: Work, sync: Spans, { end, now }: { end: number; now: number }): Promise<boolean> {
  const reach = end + sync.quietDays * DAY;
  if (reach > now) return false;
  const held = await heldSeries(work);
  return !held || (await work.mirror.count(held, { from: end + 1, to: reach })) === 0;
}

/** Asks for one span and keeps it; gives the last instant before it. */
async function askSpan(work: Work, { from, to }: Pick<Span, 'from' | 'to'>): Promise<number> {
  const { target, onPage, counts } = work;
  const window = target.endpoint.mirror?.window;
  const args: Args = {
    ...target.args,
    ...(window && { [window.from]: isoSeconds(from), [window.to]: isoSeconds(to) }),
  };
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOf(received(work, args, reply)));
  onPage({ seen: counts.rows.added + counts.rows.revised + counts.rows.unchanged, total: undefined });
  return from - 1;
}

async function provenSpans(work: Work): Promise<readonly Span[]> {
  const held = await heldSeries(work);
  return held ? spansOf(await work.mirror.proofs(held, work.access)) : [];
}

async function heldSeries(work: Work) {
  const { target, mirror } = work;
  const { origin } = await currentSeries(work);
  const found = await mirror.find(seriesOf(target.endpoint, target.args));
  return found.find((series) => series.origin === origin);
}
