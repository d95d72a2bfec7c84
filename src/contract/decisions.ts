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
