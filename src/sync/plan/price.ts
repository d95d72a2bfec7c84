import { daysBetween } from '../../contract/time/time.ts';
import type { PaginationRun } from '../../mirror/api/mirror.ts';
import { covers } from '../../source/coverage/coverage.ts';
import { cutSpan } from './spans.ts';
import { lacksKey, type SeriesState } from './state.ts';
import type { PlannedRequest, Step } from './step.ts';

interface Price {
  readonly requests: number;
  readonly open: boolean;
}

/** What a step costs as far as it is known: the rows that are stored tell the pages of what is proven. */
export async function priceStep(step: Step, state: SeriesState): Promise<PlannedRequest> {
  if (lacksKey(state)) return { ...step, requests: 0, open: false, why: 'needs an API key' };
  return { ...step, ...(await priceOf(step, state)) };
}

async function priceOf(step: Step, state: SeriesState): Promise<Price> {
  const { endpoint } = state.target;
  switch (endpoint.mirror?.sync.kind) {
    case 'history':
      return priceOfWindow(step, state);
    case 'spans':
      return priceOfSpans(step, endpoint.mirror.sync);
    case 'pages':
      return priceOfPages(step, state);
    case 'cursor':
    case 'sequence':
      return { requests: 1, open: true };
    default:
      return { requests: 1, open: false };
  }
}

async function priceOfWindow(
  { window, reason, firstPage }: Step,
  { target, proofs, count }: SeriesState,
): Promise<Price> {
  const { paging } = target.endpoint;
  if (firstPage) return { requests: 1, open: false };
  if (proofs.length === 0 && reason === 'backfill' && target.endpoint.mirror?.key.length === 1)
    return { requests: 0, open: true };
  if (!window || paging.kind === 'none' || reason === 'gap' || reason === 'backfill')
    return { requests: 1, open: true };
  const rows = await count(window);
  const pages = (stored: number) => Math.max(1, Math.ceil(stored / paging.max));
  const [from, to] = [String(window.from), String(window.to)];
  if (covers(proofs, { from, to, isOpen: false })) return { requests: pages(rows), open: false };
  // As many rows a day may have come since as came before.
  const reached = proofs.map((proof) => String(proof.to)).reduce((a, b) => (a > b ? a : b), from);
  const perDay = Math.max(1, Math.ceil(rows / Math.max(1, daysBetween(from, reached))));
  const fresh = perDay * Math.max(0, daysBetween(reached, to));
  return { requests: pages(rows), open: reached < from || pages(rows + fresh) > pages(rows) };
}

function priceOfSpans({ window, reason }: Step, sync: Parameters<typeof cutSpan>[0] & { quietDays: number }): Price {
  if (!window || reason === 'head') return { requests: 1, open: false };
  const least = Math.ceil(sync.quietDays / sync.days);
  const most = cutSpan(sync, { from: Number(window.from), to: Number(window.to) }).length;
  return { requests: Math.min(least, most), open: most > least };
}

async function priceOfPages({ firstPage }: Step, state: SeriesState): Promise<Price> {
  const { target, walk, count } = state;
  const { paging } = target.endpoint;
  if (paging.kind === 'none' || firstPage) return { requests: 1, open: false };
  if (walk) return priceOfRest(walk, state);
  const rows = await count();
  return { requests: Math.max(1, Math.ceil(rows / paging.max)), open: rows === 0 };
}

/** The pages that an open walk has left; without a version of the data the last one is asked for again, as a proof. */
function priceOfRest({ total, seen, version, next }: PaginationRun, { target }: SeriesState): Price {
  const { paging } = target.endpoint;
  if (total === undefined || paging.kind === 'none') return { requests: 1, open: true };
  const again = paging.kind === 'offset' && version === undefined && target.endpoint.mirror?.window && Number(next) > 0;
  return { requests: Math.max(1, Math.ceil((total - seen) / paging.max)) + (again ? 1 : 0), open: false };
}
