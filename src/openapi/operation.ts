import type { Endpoint } from '../contract/endpoint.ts';
import { isJsonObject, type JsonObject } from '../contract/json.ts';
import type { Param } from '../contract/params.ts';
import { bodyRef, postRef } from './bodies.ts';
import { goodHeaders } from './components.ts';

/** The operations of an endpoint, by verb: its GET, and its POST where the question may stand in a body. */
export function operationsOf(endpoint: Endpoint, headerPrefix: string): JsonObject {
  const get = operationOf(endpoint, headerPrefix);
  return endpoint.post ? { get, post: postOf(endpoint, get) } : { get };
}

/** The same answer to the same question, without the validators that only a GET has. */
function postOf(endpoint: Endpoint, get: JsonObject): JsonObject {
  const { 304: _, ...responses } = isJsonObject(get.responses) ? get.responses : {};
  const inPath = Object.entries(endpoint.at).map(([name, param]) =>
    parameterOf('path', name, param, endpoint.doc.example[name]),
  );
  return {
    ...get,
    operationId: operationId(endpoint, 'post'),
    parameters: [...inPath, { $ref: '#/components/parameters/ApiKeyQuery' }],
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
    ...(endpoint.provisional && { 'x-provisional': true }),
  };
}

/** `forex_v1_forex__base___quote__get`: handler and path with every odd sign as an underscore, then the verb. */
function operationId({ id, path }: Endpoint, verb: 'get' | 'post'): string {
  return `${`${id}${path}`.replace(/\W/g, '_')}_${verb}`;
}

/** Alternatives: no key first where keyless callers see something. */
function securityOf({ access }: Endpoint): readonly JsonObject[] {
  const keyed = [{ APIKeyHeader: [] }, { HTTPBearer: [] }];
  return access.class === 'keyed' ? keyed : [{}, ...keyed];
}

function parametersOf({ at, query, doc }: Endpoint): readonly JsonObject[] {
  const own = [
    ...Object.entries(at).map(([name, param]) => parameterOf('path', name, param, doc.example[name])),
    ...Object.entries(query).map(([name, param]) => parameterOf('query', name, param, doc.exampleQuery?.[name])),
  ];
  return [...own, ...Object.keys(componentParameters()).map((name) => ({ $ref: `#/components/parameters/${name}` }))];
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
    ...(example !== undefined && { example: isList ? example.split(',') : example }),
  };
}

function listSchema({ words }: Param): JsonObject {
  return { type: 'array', items: { type: 'string', ...(words.length > 0 && { enum: [...words] }) } };
}

/** Parameters that every operation takes. */
export function componentParameters(): JsonObject {
  return {
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'Validators that the caller holds; a match is answered with 304',
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

function responsesOf(endpoint: Endpoint, headerPrefix: string): JsonObject {
  const { at, query, access, mirror, compose, versioned, paging, group, demands, refusal } = endpoint;
  const wordless = Object.keys(at).length === 0 && Object.keys(query).length === 0;
  const selects = mirror?.scope.some((name) => query[name] !== undefined);
  const shared: Readonly<Record<string, string | false | undefined>> = {
    304: 'NotModified',
    400: (selects || demands || paging.kind === 'cursor') && 'BadRequest',
    401: refusal ? 'Refused' : 'Unauthorized',
    403: access.class !== 'public' && 'Forbidden',
    404: (mirror !== undefined || compose !== undefined || Object.keys(at).length > 0) && 'NotFound',
    409: versioned && 'Conflict',
    422: !wordless && 'ValidationError',
    429: group !== 'health' && 'TooManyRequests',
    503: mirror !== undefined && 'Unavailable',
  };
  const named = Object.entries(shared).filter(([, name]) => name);
  return {
    200: {
      description: 'Good answer',
      headers: goodHeaders(headerPrefix),
      content: { 'application/json': { schema: bodyRef(endpoint) } },
    },
    ...Object.fromEntries(named.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
  };
}
