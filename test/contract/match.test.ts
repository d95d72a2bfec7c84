import { describe, expect, it } from 'vitest';
import { matchPath } from '../../src/contract/match.ts';
import { INTERFACE } from '../../src/endpoints/index.ts';

const idAt = (path: string) => {
  const found = matchPath(INTERFACE, path);
  return found && [found.endpoint.id, found.path];
};

describe('the endpoint at a path', () => {
  it.each([
    ['/v1/ping', 'ping', {}],
    ['/v1/forex/eur/USD', 'forex', { base: 'eur', quote: 'USD' }],
    ['/v1/forex/eur/USD/', 'forex', { base: 'eur', quote: 'USD' }],
    ['/v1/announcements/%75sd/inflation', 'announcements', { currency: 'usd', indicator: 'inflation' }],
    ['/v1/announcements/usd/latest', 'announcements_latest', { currency: 'usd' }],
    ['/v1/announcements/changes', 'announcements_changes', {}],
    ['/v1/predictions/coverage', 'predictions_coverage', {}],
    ['/v1/webhooks/subscriptions/sub_1/rotate-secret', 'webhook_rotate_secret', { subscription_id: 'sub_1' }],
  ])('%s is %s', (path, id, words) => {
    expect(idAt(path)).toEqual([id, words]);
  });

  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v2/ping',
    '/v1/ping/more',
    '/v1/forex/eur/',
    '/v1/forex/%zz/usd',
    '/V1/ping',
    'v1/ping',
  ])('there is none at %s', (path) => {
    expect(idAt(path)).toBeUndefined();
  });
});
