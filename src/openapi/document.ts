import { type Endpoint, GROUPS, type Group } from '../contract/endpoint.ts';
import type { ServiceLabels } from '../contract/hooks.ts';
import { type JsonObject, objectIn } from '../contract/json/json.ts';
import { bodyRef, bodySchemas, postRef } from './bodies.ts';
import { componentHeaders, componentResponses, goodHeaders, plainHeaders } from './components.ts';
import { OPENAPI_ENDPOINT } from './endpoint.ts';
import { componentParameters, operationId, parametersOf, pathParameters, securityOf } from './parameters.ts';
import { provisionalMarks, withMarks } from './provisional.ts';
import { SHARED_SCHEMAS } from './shared-schemas.ts';
import { writeOperations } from './writes.ts';

export interface OpenApiOptions {
  readonly title: string;
  /** Version of the interface. */
  readonly version: string;
  readonly labels: ServiceLabels;
  /** Forms of the addresses, each ending in `/v1`. */
  readonly prefixes: readonly string[];
  /** Stands before the names of the service's own headers; default `X-SVC`. */
  readonly headerPrefix?: string;
}

const ABOUT =
  'Macroeconomic data for currencies. The licence is that of this description and of the program that made it: data stay ' +
  'those of their publishers and of the service, for the own use of whoever holds the key. What the specification of the ' +
  'service does not show and this project decided is marked `x-provisional`; `x-provisional-parts` says which part.';
const LICENSE = { name: 'MIT', identifier: 'MIT' } as const;

const DESCRIPTIONS: Readonly<Record<Group, string>> = {
  health: 'Whether the service is there.',
  'data catalogue': 'What exists for a currency, and since when.',
  announcements: 'Macroeconomic indicators, each value with the time of its official release.',
  predictions: 'Forecasts of releases, and who makes them.',
  calendar: 'When releases are due, and what earlier schedules said.',
  'release-event delivery': 'Releases as they are processed: server-sent events and signed webhooks.',
  factors: 'Precomputed scores of a currency.',
  'fx reference rates': 'Official daily and timed reference rates of currency pairs. No market prices.',
  'curves and rate differentials': 'Government bond curves, and the spread of two currencies on a shared rate.',
  'market sessions and risk sentiment': 'Trading hours of the four sessions, and one score of the mood of markets.',
  positioning: 'Weekly futures positions of groups of traders.',
  commodities: 'Prices and stocks of commodities.',
  'press releases': 'Publications of central banks.',
  settlement: 'Signed records of how event contracts settle.',
  prices: 'Official observations of bonds, bills, auctions and overnight rates.',
};

/**
 * The OpenAPI 3.1 description of these endpoints and of itself. Schemas are copied from the contract; paths stand in
 * their `/v1` form, and `servers` names where that form begins. See docs/interface.md#openapi-document.
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
  return GROUPS.filter((group) => used.has(group)).map((name) => ({ name, description: DESCRIPTIONS[name] }));
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
