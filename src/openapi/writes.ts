import { type Endpoint, WRITE_VERBS, type Write, type WriteVerb } from '../contract/endpoint.ts';
import type { JsonObject } from '../contract/json/json.ts';
import { writeRefs } from './bodies.ts';
import { plainHeaders } from './components.ts';
import { operationId, pathParameters, securityOf } from './parameters.ts';
import { provisionalMarks } from './provisional.ts';

/** The operations of an endpoint that change something, by verb. */
export function writeOperations(endpoint: Endpoint, headerPrefix: string): JsonObject {
  return Object.fromEntries(
    WRITE_VERBS.flatMap((verb) => {
      const write = endpoint.writes?.[verb];
      return write ? [[verb, operationOf(endpoint, verb, { ...write, headerPrefix })]] : [];
    }),
  );
}

function operationOf(endpoint: Endpoint, verb: WriteVerb, write: Write & { headerPrefix: string }): JsonObject {
  const { request } = writeRefs(endpoint, verb);
  return {
    tags: [endpoint.group],
    summary: write.summary,
    operationId: operationId(endpoint, verb),
    security: securityOf(endpoint),
    parameters: [...pathParameters(endpoint), { $ref: '#/components/parameters/ApiKeyQuery' }],
    ...(write.body && { requestBody: { required: true, content: { 'application/json': { schema: request } } } }),
    responses: responsesOf(endpoint, verb, write),
    ...provisionalMarks(endpoint.provisional),
  };
}

const GOOD: Readonly<Record<Write['status'], string>> = { 200: 'Done', 201: 'Made', 204: 'Done; there is no body' };

function responsesOf(endpoint: Endpoint, verb: WriteVerb, write: Write & { headerPrefix: string }): JsonObject {
  const { response } = writeRefs(endpoint, verb);
  const takesWords = Object.keys(endpoint.at).length > 0;
  const shared: Readonly<Record<string, string | false>> = {
    401: 'Unauthorized',
    403: endpoint.access.class !== 'public' && 'Forbidden',
    404: takesWords && 'NotFound',
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
