import { MacroError } from '../../errors.ts';
import { DOCUMENT, type ServedRoute } from '../routes.ts';
import type { HeaderList } from './header-list.ts';

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

/** What to answer where no route took the request; an unknown path is free. */
export interface Unrouted {
  readonly error: MacroError;
  readonly headers: Readonly<HeaderList>;
  readonly isFree: boolean;
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
    : `There is no such path. ${DOCUMENT} describes those that there are.`;
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
