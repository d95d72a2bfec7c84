import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpointById } from '../../../src/endpoints/index.ts';
import type { MacroError } from '../../../src/errors.ts';
import type { StoredCoverage, StoredSeries } from '../../../src/mirror/api/series.ts';
import { NOW } from './moment.ts';

export function endpointOf(id: string): Endpoint {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  return endpoint;
}

/** A stored series of the service, last looked at now. */
export function series(
  endpoint: string,
  scope: Readonly<Record<string, string>> = {},
  more: Partial<StoredSeries> = {},
): StoredSeries {
  return {
    origin: 'https://svc.example',
    endpoint,
    scope,
    id: 1,
    state: '',
    chain: '',
    envelope: undefined,
    checkedAt: NOW,
    ...more,
  };
}

/** A covered interval that was proven now, unless said otherwise. */
export function covered(
  from: string | number,
  to: string | number,
  checkedAt = NOW,
  more: Partial<StoredCoverage> = {},
): StoredCoverage {
  return { from, to, rows: 1, checkedAt, ...more };
}

/** All that a refusal says, without what it leaves open. */
export function said({ kind, message, hint, code, status, extra }: MacroError): object {
  return { kind, message, ...(hint && { hint }), code, ...(status && { status }), extra };
}
