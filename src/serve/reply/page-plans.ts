import type { MemoryBudget } from '../../contract/memory-budget.ts';
import type { PageMaker, PagePlace } from '../../source/answer/made-page.ts';
import { createByteCache } from '../../source/memory/byte-cache.ts';
import type { Reply } from '../../source/source.ts';
import type { ServedRoute } from '../routes.ts';
import { lengthOfBody } from './body.ts';
import type { CachedAnswer } from './response-cache.ts';

/** What makes other pages of a question that was answered. */
interface PagePlan extends Pick<CachedAnswer, 'route' | 'freshness' | 'synthetic' | 'version' | 'second'> {
  readonly maker: PageMaker;
}

/** A question as it came, and the class of callers that get the same answer. */
interface AskedUrl {
  readonly url: string;
  readonly class: string;
}

/** An answer to a question that differs from an earlier one in its place alone. */
export interface PlannedPage {
  readonly route: ServedRoute;
  make(): CachedAnswer | undefined;
}

export interface PagePlans {
  /** `at` is the mirror's version and the Unix second of now. */
  find(asked: AskedUrl, at: { readonly version: number; readonly second: number }): PlannedPage | undefined;
  keep(asked: AskedUrl, reply: Reply, answer: CachedAnswer): void;
}

/** Bytes of what a plan holds, for each byte of the rows that it can show; its source counts the rest. */
const BYTES_PER_BYTE = 0.25;

/** How pages follow from each other, while the mirror is the same and as long as the clock leaves them as they are. */
export function createPagePlans(budget: MemoryBudget): PagePlans {
  const plans = createByteCache<PagePlan>(budget, 'answer');
  return {
    find(asked, { version, second }) {
      const page = pageOf(asked);
      const plan = page && plans.get(page.name);
      if (!plan || plan.version !== version || second < plan.second || second >= plan.maker.until) return undefined;
      const { maker, route, freshness, synthetic } = plan;
      const place = placeOf(page, route);
      if (!place) return undefined;
      return {
        route,
        make() {
          const made = maker.make(place);
          if (!made) return undefined;
          const known = { route, freshness, synthetic, cached: undefined, version, second, until: maker.until };
          return { etag: made.etag, body: undefined, parts: made.parts, gzip: undefined, ...known };
        },
      };
    },
    keep(asked, reply, { route, freshness, synthetic, cached, version, second }) {
      const { pages } = reply;
      if (!pages) return;
      const page = pageOf(asked);
      const place = page && placeOf(page, route);
      // A cache confirms each answer anew.
      if (!place || cached) return;
      const rows = Math.min(place.limit, pages.total);
      const bytes = (lengthOfBody(reply.pieces ?? reply.body) / Math.max(1, rows)) * pages.reach * BYTES_PER_BYTE;
      plans.put(page.name, { maker: pages, route, freshness, synthetic, version, second }, bytes);
    },
  };
}

/** A page of a question: its name without the place, and as much of the place as was said. */
interface UrlPage extends Partial<PagePlace> {
  readonly name: string;
}

const PLACE = /(^\?|&)(limit|offset)=(0|[1-9]\d{0,8})(?=&|$)/g;

/** Undefined where the place is not told in the plainest way: such an address is read with all its arguments. */
function pageOf({ url, class: callers }: AskedUrl): UrlPage | undefined {
  const mark = url.indexOf('?');
  if (mark < 0) return { name: `${callers} ${url}` };
  const query = url.slice(mark);
  const found: { limit?: number; offset?: number } = {};
  let isRepeated = false;
  const rest = query.replace(PLACE, (_, before: string, word: 'limit' | 'offset', digits: string) => {
    isRepeated ||= found[word] !== undefined;
    found[word] = Number(digits);
    return before === '?' ? before : '';
  });
  if (isRepeated || url.includes('%') || /[?&](limit|offset|page)\b/i.test(rest)) return undefined;
  // The place may stand before the rest, between it or behind it.
  return { name: `${callers} ${url.slice(0, mark)}${rest.replace('?&', '?')}`, ...found };
}

/** Where the page stands; undefined for what the route refuses. */
function placeOf({ limit, offset = 0 }: UrlPage, { endpoint: { paging } }: ServedRoute): PagePlace | undefined {
  if (paging.kind !== 'offset') return undefined;
  const rows = limit ?? paging.size;
  return rows < 1 || rows > paging.max ? undefined : { limit: rows, offset };
}
