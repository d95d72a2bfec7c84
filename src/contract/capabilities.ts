import type { Endpoint } from './endpoint.ts';

/** True for what `serve` answers; the others are known to the client and to documents only. */
export function isServed({ without }: Pick<Endpoint, 'without'>): boolean {
  return without?.served === undefined;
}

/** True where the mirror, the clock alone or the contract can answer what the service answers. */
export function isOffline({ without }: Pick<Endpoint, 'without'>): boolean {
  return without?.offline === undefined;
}

/** True where neither the service nor the mirror is needed for an answer. */
export function isAnsweredByClock(endpoint: Pick<Endpoint, 'local' | 'without'>): boolean {
  return endpoint.local !== undefined && isOffline(endpoint);
}
