// The schema of faults: names, fields, legal values.
import type { FaultName } from './fault.ts';

/** What a field of a fault may hold. */
export type FieldRule =
  | { readonly kind: 'number' | 'integer'; readonly least: number; readonly most: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'choice'; readonly numbers: readonly number[] }
  | { readonly kind: 'path' };

export interface FaultKind {
  /** What it hits. */
  readonly of: 'answers' | 'events' | 'deliveries';
  readonly fields: Readonly<Record<string, FieldRule>>;
  readonly required: readonly string[];
}

const MINUTE_MS = 60_000;
const count = (least = 0, most = 1_000_000): FieldRule => ({ kind: 'integer', least, most });

/** Fields that every fault of a file may have; docs/faults.md describes them. */
export const WINDOW_FIELDS: Readonly<Record<string, FieldRule>> = {
  share: { kind: 'number', least: 0, most: 1 },
  skip: count(),
  times: count(1),
  every: count(1),
};
export const FILE_FIELDS: Readonly<Record<string, FieldRule>> = { path: { kind: 'path' }, ...WINDOW_FIELDS };

/** The schema of a faults file: each fault, its fields, and what they may hold. */
export const FAULT_KINDS: Readonly<Record<FaultName, FaultKind>> = {
  latency: {
    of: 'answers',
    fields: { ms: count(0, MINUTE_MS), jitter: count(0, MINUTE_MS) },
    required: ['ms'],
  },
  reset: { of: 'answers', fields: { bytes: count(0, 1_000_000_000) }, required: [] },
  'truncated-gzip': { of: 'answers', fields: { bytes: count(0, 1_000_000_000) }, required: [] },
  'wrong-length': { of: 'answers', fields: { by: count(-1_000_000) }, required: [] },
  error: {
    of: 'answers',
    fields: { status: { kind: 'choice', numbers: [500, 502, 503, 504] }, retry_after: count(0, 86_400) },
    required: [],
  },
  limit: {
    of: 'answers',
    fields: {
      window: { kind: 'word', words: ['minute', 'hour', 'day', 'month', 'concurrency', 'endpoint'] },
      retry_after: count(0, 2_678_400),
    },
    required: ['window'],
  },
  page: {
    of: 'answers',
    fields: { as: { kind: 'word', words: ['repeated', 'shifted', 'empty', 'total', 'next'] } },
    required: ['as'],
  },
  'stale-etag': { of: 'answers', fields: {}, required: [] },
  'clock-skew': {
    of: 'answers',
    fields: { seconds: { kind: 'integer', least: -31_536_000, most: 31_536_000 } },
    required: ['seconds'],
  },
  stall: { of: 'events', fields: { ms: count(0, 60 * MINUTE_MS) }, required: [] },
  cut: { of: 'events', fields: { bytes: count() }, required: [] },
  doubled: { of: 'events', fields: {}, required: [] },
  late: { of: 'events', fields: { by: count(1, 1_000), ms: count(0, MINUTE_MS) }, required: [] },
  reordered: { of: 'events', fields: { size: count(2, 1_000), ms: count(0, MINUTE_MS) }, required: [] },
  'webhook-doubled': { of: 'deliveries', fields: { copies: count(1, 10) }, required: [] },
};
