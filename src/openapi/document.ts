import type { Endpoint } from '../contract/endpoint.ts';
import type { ServiceLabels } from '../contract/hooks.ts';
import type { JsonObject } from '../contract/json/json.ts';
import { bodySchemas } from './bodies.ts';
import { componentHeaders, componentResponses } from './components.ts';
import { OPENAPI_ENDPOINT } from './endpoint.ts';
import { operationsOf } from './operation.ts';
import { componentParameters } from './parameters.ts';
import { withMarks } from './provisional.ts';
import { SHARED_SCHEMAS } from './shared-schemas.ts';
import { tagsOf } from './tags.ts';

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
