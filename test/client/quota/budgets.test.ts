import { expect, it } from 'vitest';
import { openAccount } from '../../../src/client/quota/account.ts';
import { readBudgets } from '../../../src/client/quota/budgets.ts';
import { reserve, settleReservation } from '../../../src/client/quota/reservations.ts';
import { TEST_NOW } from '../../support/platform.ts';
import { HOUR } from '../../support/told-hour.ts';

const wish = { route: 'GET /v1/x', priority: 'interactive', pid: 1, now: TEST_NOW, lease: 60_000 } as const;

it('before any answer the published plan is assumed', () => {
  expect(readBudgets(openAccount('keyless', TEST_NOW), TEST_NOW)).toEqual([
    {
      budget: 'day',
      limit: 100,
      used: 0,
      reserved: 0,
      left: 100,
      leftForBackground: 98,
      resetsAt: Date.parse('2026-11-22T00:00:00Z'),
      source: 'assumed',
      toldAt: undefined,
    },
  ]);
});

it('what was told, what was counted and what is under way', () => {
  const first = reserve(openAccount('key:0123456789ab', TEST_NOW), wish);
  if (!first.decision.granted) throw new Error('The first request must pass');
  const told = settleReservation(first.account, first.decision.granted, { kind: 'told', report: HOUR }, TEST_NOW);
  const { account } = reserve(told, wish);
  const brief = readBudgets(account, TEST_NOW).map(
    ({ budget, used, reserved, left, leftForBackground, resetsAt, source }) => [
      budget,
      used,
      reserved,
      left,
      leftForBackground,
      resetsAt === undefined ? null : new Date(resetsAt).toISOString(),
      source,
    ],
  );
  expect(brief).toEqual([
    ['minute', 10, 1, 289, 287, '2026-11-21T05:47:00.000Z', 'header'],
    ['hour', 4960, 1, 39, 0, '2026-11-21T06:00:00.000Z', 'header'],
    ['month', 1, 1, 999_998, 979_998, '2026-12-01T00:00:00.000Z', 'counted'],
    ['concurrency', 0, 1, 19, 17, null, 'counted'],
  ]);
});

it('a reservation whose lease is over is no longer under way, and counts', () => {
  const { account } = reserve(openAccount('keyless', TEST_NOW), wish);
  const [day] = readBudgets(account, TEST_NOW + 60_000);
  expect(day).toMatchObject({ used: 1, reserved: 0, left: 99 });
});
