import type { Endpoint } from '../contract/endpoint.ts';
import type { SeriesRef } from '../contract/hooks.ts';
import { PAGING_NAMES } from '../contract/paging.ts';
import { type Args, changesAtService, type Effect } from '../contract/params/param.ts';

/** The arguments that are set, in one fixed order: equal questions have equal texts. */
export function questionText(endpoint: Endpoint, args: Args, part: 'all' | 'without paging' | 'paging only'): string {
  const names = Object.keys(args)
    .filter((name) => args[name] !== undefined)
    .filter((name) => part === 'all' || PAGING_NAMES.has(name) === (part === 'paging only'))
    .sort();
  return `${endpoint.id}?${names.map((name) => `${name}=${String(args[name])}`).join('&')}`;
}

/** The one series that an ordinary endpoint answers from. */
export function seriesOfQuestion(endpoint: Endpoint, args: Args): SeriesRef {
  const scope: Record<string, string> = {};
  for (const name of endpoint.mirror?.scope ?? []) {
    const value = args[name];
    if (value !== undefined) scope[name] = String(value);
  }
  return { endpoint: endpoint.id, scope, exact: true };
}

/** Arguments whose effect cannot be computed from what the mirror holds. */
export function unkeptArguments(endpoint: Endpoint, args: Args): readonly string[] {
  // Answers from other endpoints' series are computed whole.
  if (!endpoint.mirror && endpoint.compose) return [];
  return oddArguments(endpoint, args).filter((name) => {
    const effect = effectOf(endpoint, name);
    return effect.does === 'changes' && !effect.mirrored;
  });
}

/** The effect of a query parameter; a parameter without a description may change everything. */
export function effectOf({ mirror }: Endpoint, name: string): Effect {
  return mirror?.effects?.[name] ?? changesAtService;
}

/** Query arguments outside of scope, window and paging that differ from their default. */
export function oddArguments(endpoint: Endpoint, args: Args): readonly string[] {
  const { scope = [], window: { from, to, only } = {} } = endpoint.mirror ?? {};
  const isPlain = (name: string) => name === from || name === to || name === only || PAGING_NAMES.has(name);
  return Object.keys(endpoint.query).filter((name) => {
    if (args[name] === undefined || isPlain(name) || scope.includes(name)) return false;
    return args[name] !== endpoint.query[name]?.fallback?.('');
  });
}
