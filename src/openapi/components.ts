import type { JsonObject } from '../contract/json/json.ts';

const WINDOWS = ['minute', 'hour', 'day', 'month', 'endpoint', 'concurrency'];

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema });
const text = (description: string) => header(description, { type: 'string' });
const count = (description: string) => header(description, { type: 'integer' });

/** Headers by their names on the wire; `prefix` stands before the service's own. */
function headersOf(prefix: string): Readonly<Record<string, JsonObject>> {
  return {
    'X-Request-ID': text('Name of this request'),
    ETag: text('Weak validator of the answer'),
    'Cache-Control': text('Who may keep the answer, and for how long'),
    Vary: text('Request headers that the answer depends on'),
    [`${prefix}-Edge-Cache`]: header('A value that starts with HIT costs no quota', {
      type: 'string',
      enum: ['HIT', 'HIT-STORE', 'MISS', 'BYPASS'],
    }),
    [`${prefix}-Synthetic`]: text('1 when the data are invented'),
    'RateLimit-Limit': count('Quota of the primary window'),
    'RateLimit-Remaining': count('What is left in the primary window'),
    'RateLimit-Reset': count('Seconds until the primary window ends, or until the spent budget frees'),
    'RateLimit-Policy': text('All windows as quota;w=seconds'),
    'X-RateLimit-Limit': count('Quota of the window with least headroom'),
    'X-RateLimit-Remaining': count('What is left in the window with least headroom'),
    'X-RateLimit-Window': header('Name of the window with least headroom', { type: 'string', enum: WINDOWS }),
    'Retry-After': count('Seconds to wait'),
    'WWW-Authenticate': text('Bearer'),
    Deprecation: text('Since when the way of asking is deprecated, as @unix'),
    Link: text('Successor and notice of a deprecated way of asking'),
    Sunset: text('When a deprecated way of asking ends, once that is dated'),
  };
}

export function componentHeaders(prefix: string): Readonly<Record<string, JsonObject>> {
  return headersOf(prefix);
}

const ONLY_SOMETIMES = ['Retry-After', 'WWW-Authenticate'];
const VALIDATORS = ['ETag'];
const CACHEABLE = ['ETag', 'Cache-Control', 'Vary'];

/** Headers of a good answer, by reference. */
export function goodHeaders(prefix: string): JsonObject {
  return refs(Object.keys(headersOf(prefix)).filter((name) => !ONLY_SOMETIMES.includes(name)));
}

/** The same without a validator: of what is no answer to a question, or never ends. */
export function plainHeaders(prefix: string): JsonObject {
  const { ETag: _, ...headers } = goodHeaders(prefix);
  return headers;
}

function errorHeaders(prefix: string, ...more: readonly string[]): JsonObject {
  const left = [...ONLY_SOMETIMES, ...VALIDATORS, 'Deprecation', 'Link', 'Sunset', `${prefix}-Synthetic`];
  return refs([...Object.keys(headersOf(prefix)).filter((name) => !left.includes(name)), ...more]);
}

const refs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Answers that operations share, by the name under which they refer to them. */
export function componentResponses(prefix: string): Readonly<Record<string, JsonObject>> {
  const plain = errorHeaders(prefix);
  const error = (description: string, schema = 'Error', headers = plain): JsonObject => ({
    description,
    headers,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
  });
  return {
    NotModified: { description: 'The caller has the answer already', headers: refs([...CACHEABLE, 'X-Request-ID']) },
    BadRequest: error('The series or the cursor does not allow this'),
    Unauthorized: error('A key is missing or bad', 'Error', errorHeaders(prefix, 'WWW-Authenticate')),
    Refused: error(
      'A key is missing or bad; without one it says what a key would show',
      'Refusal',
      errorHeaders(prefix, 'WWW-Authenticate'),
    ),
    Forbidden: error('The plan does not cover this'),
    NotFound: error('There is no such thing'),
    Conflict: error('The history changed under the walk', 'VersionMismatch'),
    PayloadTooLarge: error('The body is larger than 1 MiB'),
    ValidationError: error('Parameters are wrong: all findings at once', 'HTTPValidationError'),
    TooManyRequests: error('A budget is spent', 'QuotaError', errorHeaders(prefix, 'Retry-After')),
    Unavailable: error('Try again later', 'Error', errorHeaders(prefix, 'Retry-After')),
  };
}
