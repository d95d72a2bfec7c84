import { DELAY_STEP_SECONDS } from '../../contract/access.ts';
import type { RequestContext } from '../access/callers.ts';
import type { ServedRequest } from '../request.ts';
import type { CachedAnswer } from './response-cache.ts';

/**
 * True when a kept answer is what the source would say now. Answers move with the mirror and with whole seconds, unless they
 * say until when they stand, and for keyless callers by steps of five minutes inside which they share one answer.
 */
export function isRight(
  kept: CachedAnswer,
  { serve, windows }: Pick<ServedRequest, 'serve' | 'windows'>,
  context: RequestContext,
): boolean {
  if (kept.version !== serve.mirrorVersion()) return false;
  if (context.class !== 'keyless') return kept.second <= windows.second && windows.second < kept.until;
  return stepOf(kept.second) === stepOf(windows.second);
}

const stepOf = (second: number) => Math.floor(second / DELAY_STEP_SECONDS);
