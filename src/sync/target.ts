import type { Endpoint } from '../contract/endpoint.ts';
import type { Args } from '../contract/params.ts';

/** One series to keep: an endpoint and the arguments that name the series. */
export interface SyncTarget {
  readonly endpoint: Endpoint;
  readonly args: Args;
}

/** The words a person would type for a target, for progress and reports. */
export function targetName({ endpoint, args }: SyncTarget): string {
  const words = endpoint.cli?.words ?? [endpoint.id];
  const scope = (endpoint.mirror?.scope ?? []).map((name) => args[name]).filter((value) => value !== undefined);
  return [...words, ...scope].join(' ').toLowerCase();
}
