import { hash } from 'node:crypto';
import { isServed } from '../contract/capabilities.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { toJsonText } from '../contract/json/json.ts';
import { openApiDocument } from '../openapi/document.ts';
import { OPENAPI_ENDPOINT } from '../openapi/endpoint.ts';
import type { Reply, Source } from '../source/source.ts';
import type { ServeOptions, ServerParts } from './options.ts';

type Verb = 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST';

/** One resource: an endpoint, where it stands and who answers it. */
export interface ServedRoute {
  readonly endpoint: Endpoint;
  /** Path templates, braces around names. */
  readonly paths: readonly string[];
  /** Verbs that it answers, in alphabetical order. */
  readonly methods: readonly Verb[];
  /** False for what costs no quota. */
  readonly counted: boolean;
  /** False for answers that nobody may keep. */
  readonly storable: boolean;
  readonly ask: Source['ask'];
}

/** Both forms of the service's addresses; see docs/interface.md#addresses. */
const PREFIXES = ['/v1', '/api/v1'] as const;

/** Where the description of all routes stands. */
export const DOCUMENT = '/openapi.json';

/** Leads a program to it (RFC 8631). */
export const SERVICE_DESCRIPTION = `<${DOCUMENT}>; rel="service-desc"`;

/** A route for each endpoint that is served, under both prefixes, and the document that describes them. */
export function servedRoutes(
  endpoints: readonly Endpoint[],
  { source, mirrorSource = source }: Pick<ServerParts, 'source' | 'mirrorSource'>,
  options: ServeOptions,
): readonly ServedRoute[] {
  const askOf = ({ body }: Endpoint) => (body.kind === 'stream' ? mirrorSource : source);
  const served = endpoints.filter(isServed);
  return [
    ...served.map((endpoint) => routeOf(endpoint, (question, context) => askOf(endpoint).ask(question, context))),
    documentRoute(served, options),
  ];
}

function routeOf(endpoint: Endpoint, ask: Source['ask']): ServedRoute {
  return {
    endpoint,
    paths: PREFIXES.map((prefix) => `${prefix}${endpoint.path.slice('/v1'.length)}`),
    methods: verbsOf(endpoint),
    counted: endpoint.group !== 'health',
    storable: endpoint.paging.kind !== 'cursor',
    ask,
  };
}

function verbsOf({ post, writeOnly, writes = {} }: Endpoint): readonly Verb[] {
  const verbs: readonly (readonly [Verb, unknown])[] = [
    ['DELETE', writes.delete],
    ['GET', !writeOnly],
    ['HEAD', !writeOnly],
    ['PATCH', writes.patch],
    ['POST', post ?? writes.post],
  ];
  return verbs.flatMap(([verb, isThere]) => (isThere ? [verb] : []));
}

function documentRoute(endpoints: readonly Endpoint[], { labels, headerPrefix }: ServeOptions): ServedRoute {
  const document = openApiDocument(endpoints, {
    title: labels.service,
    version: '1.0.0',
    labels,
    prefixes: PREFIXES,
    ...(headerPrefix !== undefined && { headerPrefix }),
  });
  const body = toJsonText(document);
  const reply: Reply = {
    status: 200,
    body,
    etag: `W/"${hash('sha256', body).slice(0, 32)}"`,
    from: 'mirror',
    asOf: 0,
    synthetic: false,
    notes: [],
  };
  return {
    ...routeOf(OPENAPI_ENDPOINT, () => Promise.resolve(reply)),
    paths: [DOCUMENT, '/v1/openapi.json', '/api/openapi.json', '/api/v1/openapi.json'],
    counted: false,
  };
}
