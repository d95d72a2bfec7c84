import { type Endpoint, GROUP_FACTS, GROUPS, WRITE_VERBS, type Write, type WriteVerb } from '../contract/endpoint.ts';
import type { ServiceLabels } from '../contract/hooks.ts';
import { type Json, type JsonObject, objectIn } from '../contract/json/json.ts';
import type { Param } from '../contract/params/params.ts';
import {
  bodyRef,
  bodySchemas,
  componentHeaders,
  componentResponses,
  goodHeaders,
  plainHeaders,
  postRef,
  SHARED_SCHEMAS,
  writeRefs,
} from './components.ts';
import { OPENAPI_ENDPOINT } from './endpoint.ts';

interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly labels: ServiceLabels;
  /** Forms of the addresses, each ending in `/v1`. */
  readonly prefixes: readonly string[];
  /** Stands before the names of the service's own headers; default `X-SVC`. */
  readonly headerPrefix?: string;
}

const ABOUT =
  'Macroeconomic data for currencies. The licence covers this description and the program that made it. The data belong ' +
  'to their publishers and to the service, for the own use of the holder of the key. Where the specification of the ' +
  'service is silent, the decision of this project is marked `x-provisional`. `x-provisional-parts` names the part.';
const LICENSE = { name: 'MIT', identifier: 'MIT' } as const;
/**
 * Decisions of this project where the specification is silent, by name. See
 * docs/interface.md#choices-of-this-project.
 */
export const SHARED_DECISIONS: Readonly<Record<string, string>> = {
  'X-Request-ID': 'that every answer names its request',
  ETag: 'the form of validators, and that they stay while the data stay',
  'Cache-Control': 'who may keep an answer, and for how long',
  'X-SVC-Edge-Cache': 'the word HIT-STORE',
  'RateLimit-Reset': 'windows on the clock of UTC; after a refusal, the budget that frees last',
  'WWW-Authenticate': 'that a 401 has it',
  BadRequest: 'codes besides unsupported_series_option and invalid_webhook_destination',
  NotFound: 'the code not_mirrored, for a series that the mirror never stored',
  PayloadTooLarge: 'that a body ends at 1 MiB',
  HTTPValidationError: 'the list of findings, all at once',
  dataset_version: 'what a version covers: the rows of all pages, the question and the access',
};

/**
 * The OpenAPI 3.1 document of endpoints and itself, with paths in `/v1` form. See docs/interface-endpoints.md#openapi-document.
 */
export function openApiDocument(endpoints: readonly Endpoint[], options: OpenApiOptions): JsonObject {
  const described = [...endpoints, OPENAPI_ENDPOINT];
  const { headerPrefix = 'X-SVC', labels } = options;
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version, description: ABOUT, license: LICENSE },
    // Without an address of its own the document means the host that it is read from.
    servers: options.prefixes.map((prefix) => ({
      url: `${labels.publicBaseUrl}${prefix.slice(0, -'/v1'.length)}` || '/',
    })),
    ...(labels.docsUrl !== '' && { externalDocs: { url: labels.docsUrl } }),
    tags: tagsOf(described),
    paths: Object.fromEntries(described.map((endpoint) => [endpoint.path, operationsOf(endpoint, headerPrefix)])),
    components: {
      schemas: { ...withMarks(SHARED_SCHEMAS), ...Object.assign({}, ...described.map(bodySchemas)) },
      parameters: componentParameters(),
      headers: withMarks(componentHeaders(headerPrefix), headerPrefix),
      responses: withMarks(componentResponses(headerPrefix)),
      securitySchemes: {
        APIKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        HTTPBearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

/** The groups that these endpoints belong to, in the order of the specification, each with what it is about. */
function tagsOf(endpoints: readonly Pick<Endpoint, 'group'>[]): readonly JsonObject[] {
  const used = new Set(endpoints.map(({ group }) => group));
  return GROUPS.filter((group) => used.has(group)).map((name) => ({ name, description: GROUP_FACTS[name].about }));
}

/** The operations of an endpoint, by verb: its GET, its POST where the question may stand in a body, and its writes. */
function operationsOf(endpoint: Endpoint, headerPrefix: string): JsonObject {
  const writes = writeOperations(endpoint, headerPrefix);
  if (endpoint.writeOnly) return writes;
  const get = operationOf(endpoint, headerPrefix);
  return endpoint.post ? { get, post: postOf(endpoint, get), ...writes } : { get, ...writes };
}

/** The same answer to the same question, without the validators that only a GET has. */
function postOf(endpoint: Endpoint, get: JsonObject): JsonObject {
  const { 304: _, ...responses } = objectIn(get.responses);
  return {
    ...get,
    operationId: operationId(endpoint, 'post'),
    parameters: [...pathParameters(endpoint), { $ref: '#/components/parameters/ApiKeyQuery' }],
    requestBody: { required: true, content: { 'application/json': { schema: postRef(endpoint) } } },
    responses: { ...responses, 413: { $ref: '#/components/responses/PayloadTooLarge' } },
  };
}

function operationOf(endpoint: Endpoint, headerPrefix: string): JsonObject {
  const { doc, group } = endpoint;
  return {
    tags: [group],
    summary: doc.summary,
    ...(doc.description !== undefined && { description: doc.description }),
    operationId: operationId(endpoint, 'get'),
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    responses: responsesOf(endpoint, headerPrefix),
    ...(endpoint.deprecated && { deprecated: true }),
    ...provisionalMarks(endpoint.provisional),
  };
}

function responsesOf(endpoint: Endpoint, headerPrefix: string): JsonObject {
  const { at, query, access, body, mirror, compose, versioned, paging, group, demands, refusal } = endpoint;
  const wordless = Object.keys(at).length === 0 && Object.keys(query).length === 0;
  // The query selects a series of a mirror, or the series that a computed answer is made of.
  const selects = query.basis !== undefined || mirror?.scope.some((name) => query[name] !== undefined);
  const namesPosition = paging.kind === 'cursor' || paging.kind === 'checkpoint';
  const shared: Readonly<Record<string, string | false | undefined>> = {
    304: body.kind !== 'stream' && 'NotModified',
    400: (selects || demands || namesPosition) && 'BadRequest',
    401: refusal ? 'Refused' : 'Unauthorized',
    403: access.class !== 'public' && 'Forbidden',
    404: (mirror !== undefined || compose !== undefined || Object.keys(at).length > 0) && 'NotFound',
    405: 'MethodNotAllowed',
    409: versioned && 'Conflict',
    422: !wordless && 'ValidationError',
    429: !GROUP_FACTS[group].isUncounted && 'TooManyRequests',
    503: mirror !== undefined && 'Unavailable',
  };
  const named = Object.entries(shared).filter(([, name]) => name);
  return {
    200: {
      description: 'Good answer',
      headers: body.kind === 'stream' ? plainHeaders(headerPrefix) : goodHeaders(headerPrefix),
      content: { [body.kind === 'stream' ? 'text/event-stream' : 'application/json']: { schema: bodyRef(endpoint) } },
    },
    ...Object.fromEntries(named.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
  };
}

/** Marks a part that this project decided; see docs/interface-endpoints.md#openapi-document. */
function provisionalMarks(decided: string | undefined): JsonObject {
  return decided === undefined ? {} : { 'x-provisional': true, 'x-provisional-parts': decided };
}

/** Shared parts with their marks; names of the service's own headers begin with `prefix`. */
function withMarks(parts: Readonly<Record<string, JsonObject>>, prefix = 'X-SVC'): JsonObject {
  const marked = Object.entries(parts).map(([name, part]) => {
    const known = name.startsWith(prefix) ? `X-SVC${name.slice(prefix.length)}` : name;
    return [name, { ...part, ...provisionalMarks(SHARED_DECISIONS[known]) }] as const;
  });
  return Object.fromEntries(marked);
}

/** `forex_v1_forex__base___quote__get`: handler and path with every odd sign as an underscore, then the verb. */
export function operationId({ id, path }: Endpoint, verb: 'get' | WriteVerb): string {
  return `${`${id}${path}`.replace(/\W/g, '_')}_${verb}`;
}

/** Alternatives: no key first where keyless callers see something. */
function securityOf({ access }: Endpoint): readonly JsonObject[] {
  const keyed = [{ APIKeyHeader: [] }, { HTTPBearer: [] }];
  return access.class === 'keyed' ? keyed : [{}, ...keyed];
}

function parametersOf(endpoint: Endpoint): readonly JsonObject[] {
  const { query, doc, body } = endpoint;
  const own = [
    ...pathParameters(endpoint),
    ...Object.entries(query).map(([name, param]) => parameterOf('query', name, param, doc.exampleQuery?.[name])),
  ];
  // A stream has no validator; where it goes on stands in a header of its own.
  const shared = Object.keys(componentParameters()).filter((name) => body.kind !== 'stream' || name !== 'IfNoneMatch');
  return [
    ...own,
    ...(body.kind === 'stream' ? [LAST_EVENT_ID] : []),
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

const LAST_EVENT_ID: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Last event that the caller has; everything after it is sent again',
  schema: { type: 'string' },
};

function pathParameters({ at, doc }: Endpoint): readonly JsonObject[] {
  return Object.entries(at).map(([name, param]) => parameterOf('path', name, param, doc.example[name]));
}

/** Kinds whose value is a comma-separated list. */
const LISTS: ReadonlySet<string> = new Set(['choices', 'words', 'instants', 'series']);

function parameterOf(place: 'path' | 'query', name: string, param: Param, example: string | undefined): JsonObject {
  const isList = LISTS.has(param.kind);
  return {
    name,
    in: place,
    required: place === 'path' || param.required,
    description: param.doc,
    ...(isList && { style: 'form', explode: false }),
    schema: isList ? listSchema(param) : param.schema,
    ...provisionalMarks(SHARED_DECISIONS[name]),
    ...(example !== undefined && { example: isList ? example.split(',') : typedExample(example, param) }),
  };
}

/** The value of a word of an address, where it stands for a number or a truth value. */
function typedExample(example: string, { schema }: Param): Json {
  return TYPED.has(schema.type) ? JSON.parse(example) : example;
}

const TYPED: ReadonlySet<unknown> = new Set(['boolean', 'integer', 'number']);

function listSchema({ words }: Param): JsonObject {
  return { type: 'array', items: { type: 'string', ...(words.length > 0 && { enum: [...words] }) } };
}

/** Parameters that every operation takes. */
function componentParameters(): JsonObject {
  return {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'Validators that the caller has; a match is answered with 304',
      schema: { type: 'string' },
    },
    ApiKeyQuery: {
      name: 'api_key',
      in: 'query',
      required: false,
      deprecated: true,
      description: 'API key in the address; send the header instead, since addresses end up in logs',
      schema: { type: 'string' },
    },
  };
}

function writeOperations(endpoint: Endpoint, headerPrefix: string): JsonObject {
  return Object.fromEntries(
    WRITE_VERBS.flatMap((verb) => {
      const write = endpoint.writes?.[verb];
      return write ? [[verb, writeOperation(endpoint, verb, { ...write, headerPrefix })]] : [];
    }),
  );
}

function writeOperation(endpoint: Endpoint, verb: WriteVerb, write: Write & { headerPrefix: string }): JsonObject {
  const { request } = writeRefs(endpoint, verb);
  return {
    tags: [endpoint.group],
    summary: write.summary,
    operationId: operationId(endpoint, verb),
    security: securityOf(endpoint),
    parameters: [...pathParameters(endpoint), { $ref: '#/components/parameters/ApiKeyQuery' }],
    ...(write.body && { requestBody: { required: true, content: { 'application/json': { schema: request } } } }),
    responses: writeResponses(endpoint, verb, write),
    ...provisionalMarks(endpoint.provisional),
  };
}

const GOOD: Readonly<Record<Write['status'], string>> = { 200: 'Done', 201: 'Made', 204: 'Done; there is no body' };

function writeResponses(endpoint: Endpoint, verb: WriteVerb, write: Write & { headerPrefix: string }): JsonObject {
  const { response } = writeRefs(endpoint, verb);
  const takesWords = Object.keys(endpoint.at).length > 0;
  const shared: Readonly<Record<string, string | false>> = {
    401: 'Unauthorized',
    403: endpoint.access.class !== 'public' && 'Forbidden',
    404: takesWords && 'NotFound',
    405: 'MethodNotAllowed',
    413: write.body !== undefined && 'PayloadTooLarge',
    422: (takesWords || write.body !== undefined) && 'ValidationError',
    429: 'TooManyRequests',
  };
  const named = Object.entries(shared).filter(([, name]) => name);
  return {
    [write.status]: {
      description: GOOD[write.status],
      headers: plainHeaders(write.headerPrefix),
      ...(write.answer && { content: { 'application/json': { schema: response } } }),
    },
    ...Object.fromEntries(Object.entries(write.refuses ?? {}).map(([status, refusal]) => [status, refusalOf(refusal)])),
    ...Object.fromEntries(named.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
  };
}

function refusalOf(description: string): JsonObject {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}
