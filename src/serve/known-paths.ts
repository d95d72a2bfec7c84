import type { MemoryBudget } from '../contract/memory-budget.ts';
import { createByteCache } from '../source/memory/byte-cache.ts';
import type { ServedRoute } from './routes.ts';

/** What the router made of a path: its route, and the arguments that stand in the path. */
export interface KnownPath {
  readonly route: ServedRoute;
  readonly params: unknown;
}

export interface KnownPaths {
  /** What is known of the path of an address. */
  find(url: string): KnownPath | undefined;
  keep(url: string, known: KnownPath): void;
}

/** What a path takes in memory besides its text. */
const PATH_BYTES = 400;

/** Routes of paths that were asked with GET: a router makes the same of a path each time, whatever the query says. */
export function createKnownPaths(budget: MemoryBudget): KnownPaths {
  const paths = createByteCache<KnownPath>(budget);
  return {
    find: (url) => paths.get(pathOf(url)),
    keep(url, known) {
      const path = pathOf(url);
      if (!paths.get(path)) paths.put(path, known, PATH_BYTES);
    },
  };
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
