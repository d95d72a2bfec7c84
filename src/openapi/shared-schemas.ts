import { DATA_QUALITY, FREEMIUM_DELAY, FREEMIUM_WINDOW, PROVENANCE } from '../contract/answer-members.ts';
import * as s from '../contract/json/schema.ts';

const validationError = s.object({
  loc: s.array({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'path, query or body, then the name'),
  msg: s.string(),
  type: s.string(),
  'input?': s.nullable(s.string()),
  'ctx?': s.object({}),
});

/** Shapes that the answers of many endpoints share; in the document they stand once. */
export const SHARED_SHAPES: Readonly<Record<string, s.JsonSchema>> = {
  Provenance: PROVENANCE,
  DataQuality: DATA_QUALITY,
  FreemiumWindow: FREEMIUM_WINDOW,
  FreemiumDelay: FREEMIUM_DELAY,
};

/** Shapes that all operations share; see docs/interface.md#pages and docs/interface.md#errors. */
export const SHARED_SCHEMAS: Readonly<Record<string, s.JsonSchema>> = {
  ...SHARED_SHAPES,
  HTTPValidationError: s.object({ detail: s.array({ $ref: '#/components/schemas/ValidationError' }) }),
  ValidationError: validationError,
  Error: s.object({
    detail: s.string('what happened'),
    code: s.string('machine-readable word'),
    error: s.string('the same word'),
    'subscribe_url?': s.string(),
    'suggestions?': s.strings,
  }),
  Refusal: s.object({
    detail: s.string(),
    code: s.string(),
    'error?': s.string('left out where the rest is there'),
    'subscribe_url?': s.string(),
    'coverage_url?': s.string(),
    'docs_url?': s.string(),
    'verified_history?': s.nullable(s.object({})),
    'availability?': s.object(
      {
        'reason?': s.mapOf(s.string(), 'by prediction class'),
        'reason_text?': s.mapOf(s.string(), 'by prediction class'),
        'official_forecasts?': s.object({
          'sources?': s.array(
            s.object({ source: s.string(), 'prediction_class?': s.string(), 'source_url?': s.string() }),
          ),
        }),
      },
      'which kinds of values there are, and why none is shown',
    ),
  }),
  VersionMismatch: s.object({
    detail: s.string(),
    code: s.string(),
    error: s.string(),
    requested_dataset_version: s.string(),
    current_dataset_version: s.string(),
  }),
  QuotaError: s.object({
    detail: s.string(),
    code: s.oneOf('anonymous_usd_rate_limit_exceeded', 'rate_limit_exceeded'),
    error: s.string(),
    'window?': s.oneOf('minute', 'hour', 'day', 'month', 'endpoint', 'concurrency'),
    'limit?': s.integer(),
    'retry_after?': s.integer('seconds'),
  }),
  Pagination: s.object({
    limit: s.integer(),
    offset: s.integer(),
    returned_count: s.integer('rows of this page'),
    total_count: s.integer('rows of the window'),
    has_more: s.boolean('false when the range is exhausted'),
    'next_offset?': s.integer('left out on the last page'),
    'page_includes_latest_available?': s.boolean(),
  }),
};
