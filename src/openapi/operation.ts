import type { Endpoint } from '../contract/endpoint.ts';
import { type JsonObject, objectIn } from '../contract/json/json.ts';
import { bodyRef, postRef } from './bodies.ts';
import { goodHeaders, plainHeaders } from './components.ts';
import { operationId, parametersOf, pathParameters, securityOf } from './parameters.ts';
import { provisionalMarks } from './provisional.ts';
import { writeOperations } from './writes.ts';

/** The operations of an endpoint, by verb: its GET, its POST where the question may stand in a body, and its writes. */
export function operationsOf(endpoint: Endpoint, headerPrefix: string): JsonObject {
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
  // Of a series, as its mirror tells them apart, or of those that others are made of.
  const selects = query.basis !== undefined || mirror?.scope.some((name) => query[name] !== undefined);
  const namesPosition = paging.kind === 'cursor' || paging.kind === 'checkpoint';
  const shared: Readonly<Record<string, string | false | undefined>> = {
    304: body.kind !== 'stream' && 'NotModified',
    400: (selects || demands || namesPosition) && 'BadRequest',
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
      headers: body.kind === 'stream' ? plainHeaders(headerPrefix) : goodHeaders(headerPrefix),
      content: { [body.kind === 'stream' ? 'text/event-stream' : 'application/json']: { schema: bodyRef(endpoint) } },
    },
    ...Object.fromEntries(named.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }])),
  };
}
