import type { FurtherPages } from '../../contract/hooks.ts';
import type { MemoryBudget } from '../../contract/memory-budget.ts';
import { type ByteCache, createByteCache } from '../memory/byte-cache.ts';
import type { BodyPieces, PageMaker } from './made-page.ts';

/** What makes pages of questions that were answered, under all that their rows and members follow from. */
export interface KnownMakers {
  readonly pages: ByteCache<PageMaker>;
  /** The same of questions of the past: for all moments between two changes. */
  readonly pastPages: ByteCache<FurtherPages>;
  /** Answers that are no pages and follow from the same. */
  readonly bodies: ByteCache<BodyPieces>;
}

export function createKnownMakers(budget: MemoryBudget): KnownMakers {
  return {
    pages: createByteCache(budget, 'answer'),
    pastPages: createByteCache(budget),
    bodies: createByteCache(budget, 'answer'),
  };
}
