import type { JsonText } from '../../contract/json/json.ts';
import type { MemoryBudget } from '../../contract/memory-budget.ts';
import { type ByteCache, createByteCache } from '../memory/byte-cache.ts';
import type { PageMaker } from './made-page.ts';

/** What makes pages of questions that were answered, under all that their rows and members follow from. */
export interface KnownMakers {
  readonly pages: ByteCache<PageMaker>;
  /** Answers that are no pages and follow from the same. */
  readonly bodies: ByteCache<JsonText>;
}

export function createKnownMakers(budget: MemoryBudget): KnownMakers {
  return { pages: createByteCache(budget), bodies: createByteCache(budget, 'answer') };
}
