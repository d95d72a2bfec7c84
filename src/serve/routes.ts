import { hash } from 'node:crypto';
import { isServed } from '../contract/capabilities.ts';
import { type Endpoint, GROUP_FACTS } from '../contract/endpoint.ts';
import { toJsonText } from '../contract/json/json.ts';
import { MacroError } from '../errors.ts';
import { openApiDocument } from '../openapi/document.ts';
import { OPENAPI_ENDPOINT } from '../openapi/endpoint.ts';
import type { Reply, Source } from '../source/source.ts';
import type { ServeOptions, ServerParts } from './options.ts';
import type { HeaderList } from './reply/header-list.ts';

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

/** Routes that the service once had and what took their place; see docs/interface.md#words-and-aliases. */
const SUCCESSORS: readonly (readonly [RegExp, string])[] = [
  [/^\/news(\/|$)/, '/v1/press-releases/{currency}'],
  [/^\/graphql(\/|$)/, 'the routes of /v1/openapi.json'],
  [/^\/forward_curves(\/|$)/, '/v1/curves/{currency}?view=forwards'],
  [/^\/forward_differentials(\/|$)/, '/v1/rate_differentials/{base}/{quote}?rate_type=forward'],
  [/^\/cot\/[^/]+\/latest$/, '/v1/cot/{currency}'],
  [/^\/catalogue(\/|$)/, '/v1/data_catalogue/{currency}'],
  [/^\/market-sessions(\/|$)/, '/v1/market_sessions'],
];

/** The answer if no route took the request; an unknown path is free. */
interface Unrouted {
  readonly error: MacroError;
  readonly headers: Readonly<HeaderList>;
  readonly isFree: boolean;
}

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
    counted: !GROUP_FACTS[endpoint.group].isUncounted,
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

/** Makes the judge of requests without a route: 405 where the path exists under other verbs, else 404. */
export function createUnrouted(
  routes: readonly Pick<ServedRoute, 'paths' | 'methods'>[],
): (method: string, url: string) => Unrouted {
  const known = routes.flatMap(({ paths, methods }) =>
    paths.map((path) => ({ pattern: patternOf(path), names: path.split('{').length, methods })),
  );
  // As the router does: of several that fit, the one with the fewest arguments is meant.
  known.sort((a, b) => a.names - b.names);
  return (method, url) => {
    const path = plainPath(url);
    const methods: readonly string[] | undefined = known.find(({ pattern }) => pattern.test(path))?.methods;
    if (!methods || methods.includes(method)) return { error: noSuchPath(path), headers: [], isFree: true };
    const error = new MacroError('usage', `${method} is not allowed here.`, {
      status: 405,
      code: 'method_not_allowed',
    });
    return { error, headers: ['Allow', methods.join(', ')], isFree: false };
  };
}

/** The refusal of a path that nobody knows. */
export function noSuchPath(path: string): MacroError {
  const bare = path.replace(/^(\/api)?\/v1(?=\/)/, '');
  const successor = SUCCESSORS.find(([old]) => old.test(bare))?.[1];
  const message = successor
    ? `This route is gone. Use ${successor}.`
    : `There is no such path. ${DOCUMENT} lists the paths.`;
  return new MacroError('notFound', message, { status: 404, code: 'not_found' });
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{[^}]+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`);
}

function plainPath(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
