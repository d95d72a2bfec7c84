import type { Endpoint } from '../../contract/endpoint.ts';
import type { Args } from '../../contract/params/params.ts';

/** One series to keep: an endpoint and the arguments that name the series. */
export interface SyncTarget {
  readonly endpoint: Endpoint;
  readonly args: Args;
}

/** The words a person would type for a target, for progress and reports. */
export function targetName({ endpoint, args }: SyncTarget): string {
  const words = endpoint.cli?.words ?? [endpoint.id];
  const path = Object.keys(endpoint.at).map((name) => args[name]);
  const options = (endpoint.mirror?.scope ?? []).flatMap((name) => {
    const value = args[name];
    const param = endpoint.query[name];
    if (!param || value === undefined || value === param.fallback?.('')) return [];
    return [`--${name.replaceAll('_', '-')}`, value];
  });
  return [...words, ...path, ...options].join(' ').toLowerCase();
}
