import type { JsonObject } from '../contract/json/json.ts';

/**
 * What answers have in common, what the specification does not show and this project decided: by the name of the header,
 * answer, shape or parameter. What belongs to one endpoint stands in its own file as `provisional`. See
 * docs/interface.md#what-this-project-decided.
 */
export const SHARED_DECISIONS: Readonly<Record<string, string>> = {
  'X-Request-ID': 'that every answer names its request',
  ETag: 'the form of validators, and that they stay while the data stay',
  'Cache-Control': 'who may keep an answer, and for how long',
  'X-SVC-Edge-Cache': 'the word HIT-STORE',
  'RateLimit-Reset': 'windows on the clock of UTC; after a refusal, the budget that frees last',
  'WWW-Authenticate': 'that a 401 has it',
  BadRequest: 'codes besides unsupported_series_option and invalid_webhook_destination',
  NotFound: 'the code not_mirrored, for a series that the mirror never held',
  PayloadTooLarge: 'that a body ends at 1 MiB',
  HTTPValidationError: 'the list of findings, all at once',
  dataset_version: 'what a version covers: its series, its question, the access and the newest visible release',
};

/**
 * The marks of a part of the document that this project decided, or some of it; see docs/interface.md#openapi-document.
 */
export function provisionalMarks(decided: string | undefined): JsonObject {
  return decided === undefined ? {} : { 'x-provisional': true, 'x-provisional-parts': decided };
}

/** Shared parts with their marks; names of the service's own headers begin with `prefix`. */
export function withMarks(parts: Readonly<Record<string, JsonObject>>, prefix = 'X-SVC'): JsonObject {
  const marked = Object.entries(parts).map(([name, part]) => {
    const known = name.startsWith(prefix) ? `X-SVC${name.slice(prefix.length)}` : name;
    return [name, { ...part, ...provisionalMarks(SHARED_DECISIONS[known]) }] as const;
  });
  return Object.fromEntries(marked);
}
