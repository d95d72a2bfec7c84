import { DATA_QUALITY, FREEMIUM_DELAY, FREEMIUM_WINDOW, MIRROR_MARK, PROVENANCE } from '../contract/answer-members.ts';
import { type Endpoint, rowWith, WRITE_VERBS, type WriteVerb } from '../contract/endpoint.ts';
import { isJsonObject, type Json, type JsonObject, objectIn } from '../contract/json/json.ts';
import * as s from '../contract/json/schema.ts';
import { type JsonSchema, mapOf } from '../contract/json/schema.ts';

const WINDOWS = ['minute', 'hour', 'day', 'month', 'endpoint', 'concurrency'];

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
  MirrorMark: MIRROR_MARK,
};

/** Shapes that all operations share; see docs/interface.md#pages and docs/interface-access.md#errors. */
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
    'option?': s.string('what the series does not offer'),
    'value?': s.open,
    'supported_values?': s.strings,
    'supported_options?': s.mapOf(s.strings),
    'reason?': s.string('why a destination of a webhook is refused'),
    'request_id?': s.string(),
    'mirror?': MIRROR_MARK,
    'freemium_window?': FREEMIUM_WINDOW,
    'freemium_delay?': FREEMIUM_DELAY,
  }),
  Refusal: s.object({
    detail: s.string(),
    code: s.string(),
    'error?': s.string('left out where the rest is there'),
    'subscribe_url?': s.string(),
    'coverage_url?': s.string(),
    'docs_url?': s.string(),
    'verified_history?': s.nullable(
      s.object({
        'source?': s.nullable(s.string()),
        'additional_sources?': s.strings,
        'history_start?': s.nullable(s.date()),
        'first_covered_release?': s.nullable(s.string()),
        'cadence?': s.nullable(s.string()),
        'variants?': s.strings,
        'verified_as_of?': s.nullable(s.string()),
      }),
    ),
    'availability?': s.object(
      {
        'types_with_sources?': s.strings,
        'classes_with_sources?': s.strings,
        'sources_with_coverage?': s.strings,
        'plan_note?': s.string(),
        'reason?': s.mapOf(s.string(), 'by prediction class'),
        'reason_text?': s.mapOf(s.string(), 'by prediction class'),
        'official_forecasts?': s.object({
          'field?': s.string(),
          'note?': s.string(),
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

const NAMES = new Map(Object.entries(SHARED_SHAPES).map(([name, shape]) => [shape, name]));

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema });

const text = (description: string) => header(description, { type: 'string' });

const count = (description: string) => header(description, { type: 'integer' });

/** Headers by their names on the wire; `prefix` stands before the service's own. */
function headersOf(prefix: string): Readonly<Record<string, JsonObject>> {
  return {
    'X-Request-ID': text('Name of this request'),
    'X-Content-Type-Options': text('nosniff'),
    Allow: text('Methods of the address'),
    ETag: text('Weak validator of the answer'),
    'Cache-Control': text('Who may keep the answer, and for how long'),
    Vary: text('Request headers that the answer depends on'),
    [`${prefix}-Edge-Cache`]: header('A value that starts with HIT costs no quota', {
      type: 'string',
      enum: ['HIT', 'HIT-STORE', 'MISS', 'BYPASS'],
    }),
    [`${prefix}-Synthetic`]: text('1 when the data are invented'),
    [`${prefix}-Mirror`]: header('Whether the mirror covers the answer', {
      type: 'string',
      enum: ['complete', 'partial'],
    }),
    [`${prefix}-Mirror-Checked`]: text('When the mirror last asked the service, ISO'),
    'Cache-Status': text('With an upstream: whether the answer was requested now or stored before'),
    Warning: text('110 for an old answer of an upstream that failed, 299 for ignored parameters'),
    'RateLimit-Limit': count('Quota of the primary window'),
    'RateLimit-Remaining': count('Requests left in the primary window'),
    'RateLimit-Reset': count('Seconds until the primary window ends, or until the spent budget frees'),
    'RateLimit-Policy': text('All windows as quota;w=seconds'),
    'X-RateLimit-Limit': count('Quota of the window with least headroom'),
    'X-RateLimit-Remaining': count('Requests left in the window with the least headroom'),
    'X-RateLimit-Window': header('Name of the window with least headroom', { type: 'string', enum: WINDOWS }),
    'Retry-After': count('Seconds to wait'),
    'WWW-Authenticate': text('Bearer'),
    Deprecation: text('Since when the way of asking is deprecated, as @unix'),
    Link: text('This description; of a deprecated way of asking also its successor and notice'),
    Sunset: text('When a deprecated way of asking ends, once that is dated'),
  };
}

export function componentHeaders(prefix: string): Readonly<Record<string, JsonObject>> {
  return headersOf(prefix);
}

const ONLY_SOMETIMES = ['Retry-After', 'WWW-Authenticate', 'Allow'];
const VALIDATORS = ['ETag'];
const CACHEABLE = ['ETag', 'Cache-Control', 'Vary'];

export function goodHeaders(prefix: string): JsonObject {
  return refs(Object.keys(headersOf(prefix)).filter((name) => !ONLY_SOMETIMES.includes(name)));
}

/** The same without a validator: for streams, and for answers to writes. */
export function plainHeaders(prefix: string): JsonObject {
  const { ETag: _, ...headers } = goodHeaders(prefix);
  return headers;
}

function errorHeaders(prefix: string, ...more: readonly string[]): JsonObject {
  const ofAnswers = ['Synthetic', 'Mirror', 'Mirror-Checked'].map((name) => `${prefix}-${name}`);
  const left = [...ONLY_SOMETIMES, ...VALIDATORS, 'Deprecation', 'Sunset', 'Cache-Status', ...ofAnswers];
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
    MethodNotAllowed: error('The address has other methods', 'Error', errorHeaders(prefix, 'Allow')),
    Conflict: error('The history changed under the walk', 'VersionMismatch'),
    PayloadTooLarge: error('The body is larger than 1 MiB'),
    ValidationError: error('Parameters are wrong: all findings at once', 'HTTPValidationError'),
    TooManyRequests: error('A budget is spent', 'QuotaError', errorHeaders(prefix, 'Retry-After')),
    Unavailable: error('Try again later', 'Error', errorHeaders(prefix, 'Retry-After')),
  };
}

/** Name of an endpoint's schemas: RiskSentiment for `risk_sentiment`. */
function nameOf({ id }: Endpoint): string {
  return id.replace(/(^|_)([a-z0-9])/g, (_all, _gap, letter: string) => letter.toUpperCase());
}

export function bodyRef(endpoint: Endpoint): JsonObject {
  return { $ref: `#/components/schemas/${nameOf(endpoint)}Response` };
}

/** The body that a question may be posted in. */
export function postRef(endpoint: Endpoint): JsonObject {
  return { $ref: `#/components/schemas/${nameOf(endpoint)}Request` };
}

/** The body and answer of an operation that changes something. */
export function writeRefs(endpoint: Endpoint, verb: WriteVerb): Readonly<Record<'request' | 'response', JsonObject>> {
  const name = writeName(endpoint, verb);
  return {
    request: { $ref: `#/components/schemas/${name}Request` },
    response: { $ref: `#/components/schemas/${name}Response` },
  };
}

function writeName(endpoint: Endpoint, verb: WriteVerb): string {
  return `${nameOf(endpoint)}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
}

/** The schemas of an endpoint: its body, where it has rows one row, and what its other operations are sent and answer. */
export function bodySchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  const { post, writeOnly } = endpoint;
  const schemas = {
    ...(!writeOnly && answerSchemas(endpoint)),
    ...(post && { [`${nameOf(endpoint)}Request`]: post.body }),
    ...writeSchemas(endpoint),
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, documentSchema(schema)]));
}

function writeSchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    WRITE_VERBS.flatMap((verb) => {
      const { body, answer } = endpoint.writes?.[verb] ?? {};
      const name = writeName(endpoint, verb);
      return [...(body ? [[`${name}Request`, body]] : []), ...(answer ? [[`${name}Response`, answer]] : [])];
    }),
  );
}

function answerSchemas(endpoint: Endpoint): Readonly<Record<string, JsonSchema>> {
  const name = nameOf(endpoint);
  // For a stream: the shape of the data of one event.
  if (endpoint.body.kind === 'document' || endpoint.body.kind === 'stream')
    return { [`${name}Response`]: endpoint.body.kind === 'stream' ? endpoint.row : rowWith(MARKED, endpoint.row) };
  const row = { $ref: `#/components/schemas/${name}Row` };
  return { [`${name}Row`]: endpoint.row, [`${name}Response`]: bodyOf(endpoint, row) };
}

/** The mark of our own mirror on an answer that it does not cover. */
const MARKED = { 'mirror?': MIRROR_MARK };

function bodyOf(endpoint: Endpoint, row: JsonObject): JsonSchema {
  const { body, envelope, paging, versioned } = endpoint;
  const beside = { ...objectIn(envelope?.properties), mirror: MIRROR_MARK };
  const required = Array.isArray(envelope?.required) ? envelope.required : [];
  if (body.kind === 'map') return mapBody(row, beside, required);
  const member = body.kind === 'list' ? body.member : 'data';
  return {
    type: 'object',
    properties: {
      ...beside,
      ...(versioned && { dataset_version: { type: 'string', pattern: '^[0-9a-f]{64}$' } }),
      ...(paging.kind === 'offset' && { pagination: { $ref: '#/components/schemas/Pagination' } }),
      [member]: { type: 'array', items: row },
    },
    required: [...required, ...(paging.kind === 'offset' ? ['pagination'] : []), member],
  };
}

/**
 * Named rows beside members of other shapes, as one `allOf`: generated TypeScript clients would not compile otherwise.
 */
function mapBody(row: JsonObject, beside: JsonObject, required: readonly Json[]): JsonSchema {
  const members = Object.values(beside);
  const named: JsonSchema = { type: 'object', properties: beside, ...(required.length > 0 && { required }) };
  return { allOf: [named, mapOf({ anyOf: [row, ...members] })] };
}

/** A schema as the document shows it: shared parts by reference, every shape of a row in full, for generators. */
function documentSchema(schema: JsonSchema): JsonSchema {
  const name = NAMES.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  const shapes = shapesOf(schema);
  if (shapes) return { anyOf: shapes.map(documentSchema) };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, documentValue(value)]));
}

function documentValue(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => (isJsonObject(item) ? documentSchema(item) : item));
  return isJsonObject(value) ? documentSchema(value) : value;
}

/** The shapes that `inShapes` tells apart; undefined of any other schema. */
function shapesOf({ properties, anyOf, ...base }: JsonSchema): readonly JsonSchema[] | undefined {
  if (!isJsonObject(properties) || !Array.isArray(anyOf)) return undefined;
  const always = Array.isArray(base.required) ? base.required : [];
  return anyOf.flatMap((shape) =>
    isJsonObject(shape) && Array.isArray(shape.required)
      ? [{ ...base, properties, required: [...always, ...shape.required] }]
      : [],
  );
}
