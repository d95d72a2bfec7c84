import type { QuotaReport } from '../../../src/client/quota/rate-headers.ts';

/** What an answer without headers of quotas tells. */
export const SAYS_NOTHING: QuotaReport = {
  isRefused: false,
  policy: [],
  primary: undefined,
  resets: undefined,
  tightest: undefined,
  retryAfter: undefined,
};
