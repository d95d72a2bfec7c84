import { describe, expect, test } from 'vitest';
import { isEdgeHit, quotaOutcomeOf } from '../../src/client/quota/rate-headers.ts';
import { TEST_NOW } from '../support/platform.ts';
import { HOUR } from '../support/told-hour.ts';

const given = { now: TEST_NOW, headerPrefix: 'X-SVC' };

describe('what an answer says about budgets', () => {
  test('the hour has least headroom', () => {
    const headers = new Headers({
      'RateLimit-Limit': '300',
      'RateLimit-Remaining': '290',
      'RateLimit-Reset': '47',
      'RateLimit-Policy': '300;w=60, 5000;w=3600, 1000000;w=843227',
      'X-RateLimit-Limit': '5000',
      'X-RateLimit-Remaining': '40',
      'X-RateLimit-Window': 'hour',
    });
    expect(quotaOutcomeOf(200, headers, given)).toEqual({
      kind: 'told',
      report: HOUR,
    });
  });

  test('a refusal names the budget and its end', () => {
    const headers = new Headers({
      'RateLimit-Limit': '100',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '65627',
      'RateLimit-Policy': '100;w=86400',
      'Retry-After': '65627',
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Window': 'day',
    });
    expect(quotaOutcomeOf(429, headers, given)).toEqual({
      kind: 'told',
      report: {
        isRefused: true,
        policy: [{ limit: 100, seconds: 86_400 }],
        primary: { limit: 100, left: 0 },
        resets: 65_627,
        tightest: { name: 'day', limit: 100, left: 0 },
        retryAfter: 65_627,
      },
    });
  });

  test.each([
    [200, {}, 'untold'],
    [404, {}, 'untold'],
    [502, {}, 'lost'],
    [200, { 'x-svc-edge-cache': 'HIT' }, 'free'],
    [200, { 'x-svc-edge-cache': 'MISS' }, 'untold'],
    [200, { 'ratelimit-limit': 'many', 'ratelimit-remaining': '-1', 'ratelimit-policy': 'x;w=60' }, 'untold'],
  ])('%d with %j is %s', (status, headers, kind) => {
    expect(quotaOutcomeOf(status, new Headers(headers), given)).toEqual({ kind });
  });
});

describe('the edge cache', () => {
  test.each([
    ['HIT', true],
    ['hit', true],
    ['HIT-STORE', true],
    ['MISS', false],
    ['BYPASS', false],
  ])('%s is a hit: %s', (value, hit) => {
    expect(isEdgeHit(new Headers({ 'X-SVC-Edge-Cache': value }), 'X-SVC')).toBe(hit);
  });
});
