import { describe, expect, it } from 'vitest';
import { openAccount } from '../../../src/client/quota/account.ts';
import type { QuotaReport } from '../../../src/client/quota/rate-headers.ts';
import { learn } from '../../../src/client/quota/reservations.ts';
import { SAYS_NOTHING } from './says-nothing.ts';

function learnAt(at: string, answer: Partial<QuotaReport>, access = 'key:0123456789ab') {
  const now = Date.parse(at);
  return learn(
    openAccount(access, now),
    { ...SAYS_NOTHING, ...answer },
    { route: 'GET /v1/x', sent: now, received: now },
  );
}

const policy = (text: string) =>
  text.split(', ').map((entry) => {
    const [limit = '', seconds = ''] = entry.split(';w=');
    return { limit: Number(limit), seconds: Number(seconds) };
  });

describe('limits', () => {
  it.each([
    ['the published plan', '2026-11-21T05:46:13Z', '300;w=60, 5000;w=3600, 1000000;w=843227'],
    ['a month with an hour left', '2026-11-30T23:00:00Z', '300;w=60, 5000;w=3600, 1000000;w=3600'],
    ['a month with a day left', '2026-11-30T00:00:00Z', '300;w=60, 5000;w=3600, 1000000;w=86400'],
  ])('of a policy: %s', (_, at, line) => {
    const { limits } = learnAt(at, { policy: policy(line) });
    expect(limits).toEqual({ minute: 300, hour: 5000, month: 1_000_000, concurrency: 20 });
  });

  it('by agreement have a month and nothing else', () => {
    const { limits } = learnAt('2026-11-21T05:46:13Z', { policy: policy('9000000;w=843227') });
    expect(limits).toEqual({ month: 9_000_000 });
  });

  it('of windows that we do not know are passed over', () => {
    const { limits } = learnAt('2026-11-21T05:46:13Z', { policy: policy('10;w=1, 300;w=60') });
    expect(limits).toEqual({ minute: 300, concurrency: 20 });
  });

  it('without a key are those of the day', () => {
    const { limits } = learnAt('2026-11-21T05:46:13Z', { policy: policy('250;w=86400') }, 'keyless');
    expect(limits).toEqual({ day: 250 });
  });

  it('of a route and of requests at the same time are learnt from the answer that names them', () => {
    const route = learnAt('2026-11-21T05:46:13Z', { tightest: { name: 'endpoint', limit: 30, left: 4 } });
    expect(route.limits).toMatchObject({ 'endpoint GET /v1/x': 30, minute: 300 });
    const places = learnAt('2026-11-21T05:46:13Z', { tightest: { name: 'concurrency', limit: 5, left: 0 } });
    expect(places.limits.concurrency).toBe(5);
  });
});

describe('the clock of the service', () => {
  const ahead = (at: string, answer: Partial<QuotaReport>, access?: string) => {
    const { low, high } = learnAt(at, answer, access).ahead;
    return [low, high];
  };

  it('is told by what is left of the month, even where ours is a quarter of an hour off', () => {
    // The service's clock says 05:46:13, ours 05:31:13.
    const answer = { policy: policy('300;w=60, 5000;w=3600, 1000000;w=843227'), resets: 47 };
    expect(ahead('2026-11-21T05:31:13Z', answer)).toEqual([899_000, 901_000]);
  });

  it('is told by the end of the day, without a key', () => {
    // The service's clock says 05:46:13, ours 05:16:13.
    const answer = { policy: policy('100;w=86400'), resets: 65_627 };
    expect(ahead('2026-11-21T05:16:13Z', answer, 'keyless')).toEqual([1_799_000, 1_801_000]);
  });

  it('is not told by a refusal, whose reset speaks of another window', () => {
    const answer = { isRefused: true, resets: 827, tightest: { name: 'hour', limit: 5000, left: 0 } } as const;
    expect(ahead('2026-11-21T05:46:13Z', answer)).toEqual([-2000, 2000]);
  });

  it('is left as it is where an answer says nothing', () => {
    expect(ahead('2026-11-21T05:46:13Z', {})).toEqual([-2000, 2000]);
  });
});
