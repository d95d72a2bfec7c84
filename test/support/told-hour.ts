import type { QuotaReport } from '../../src/client/quota/rate-headers.ts';

/** What an answer by the rules of docs/interface-access.md#rate-limits tells, in which the hour has least headroom. */
export const HOUR: QuotaReport = {
  isRefused: false,
  policy: [
    { limit: 300, seconds: 60 },
    { limit: 5000, seconds: 3600 },
    { limit: 1_000_000, seconds: 843_227 },
  ],
  primary: { limit: 300, left: 290 },
  resets: 47,
  tightest: { name: 'hour', limit: 5000, left: 40 },
  retryAfter: undefined,
};
