import type { Endpoint } from '../../contract/endpoint.ts';
import type { MemoryBudget } from '../../contract/memory-budget.ts';
import type { PageMaker, PagePlace } from '../../source/answer/made-page.ts';
import { createByteCache } from '../../source/memory/byte-cache.ts';
import type { Reply } from '../../source/source.ts';
import type { CachedAnswer } from './response-cache.ts';

/** What makes other pages of a question that was answered. */
interface PagePlan extends Pick<CachedAnswer, 'freshness' | 'synthetic' | 'version' | 'second'> {
  readonly maker: PageMaker;
}

/** A question as it came, and the class of callers that get the same answer. */
export interface AskedUrl {
  readonly url: string;
  readonly endpoint: Endpoint;
  readonly class: string;
}

/** An answer to a question that differs from an earlier one in its place alone. */
export interface PlannedPage {
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
  const plans = createByteCache<PagePlan>(budget);
  return {
    find(asked, { version, second }) {
      const page = pageOf(asked);
      const plan = page && plans.get(page.name);
      if (!plan || plan.version !== version || second < plan.second || second >= plan.maker.until) return undefined;
      const { maker, freshness, synthetic } = plan;
      return {
        make() {
          const made = maker.make(page.place);
          if (!made) return undefined;
          const known = { freshness, synthetic, cached: undefined, version, second, until: maker.until };
          return { etag: made.etag, body: undefined, parts: made.parts, gzip: undefined, ...known };
        },
      };
    },
    keep(asked, { pages, body }, { freshness, synthetic, cached, version, second }) {
      const page = pageOf(asked);
      // A cache confirms each answer anew.
      if (!pages || !page || cached) return;
      const rows = Math.min(page.place.limit, pages.total);
      const bytes = (body.length / Math.max(1, rows)) * pages.reach * BYTES_PER_BYTE;
      plans.put(page.name, { maker: pages, freshness, synthetic, version, second }, bytes);
    },
  };
}

/** A page of a question: its name without the place, and the place. */
interface UrlPage {
  readonly name: string;
  readonly place: PagePlace;
}

const PLACE = /([?&])(limit|offset)=(0|[1-9]\d{0,8})(?=&|$)/g;

/** Undefined where the place is not told in the plainest way: such an address is read with all its arguments. */
function pageOf({ url, endpoint: { paging }, class: callers }: AskedUrl): UrlPage | undefined {
  if (paging.kind !== 'offset' || url.includes('%')) return undefined;
  const found = new Map<string, number>();
  let isRepeated = false;
  const rest = url.replace(PLACE, (_, mark: string, word: string, digits: string) => {
    isRepeated ||= found.has(word);
    found.set(word, Number(digits));
    return mark === '?' ? mark : '';
  });
  if (isRepeated || /[?&](limit|offset|page)\b/i.test(rest)) return undefined;
  const { limit = paging.size, offset = 0 } = Object.fromEntries(found);
  if (limit < 1 || limit > paging.max) return undefined;
  // The place may stand before the rest, between it or behind it.
  return { name: `${callers} ${rest.replace('?&', '?')}`, place: { limit, offset } };
}
