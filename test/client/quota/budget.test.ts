import { describe, expect, it } from 'vitest';
import {
  type BudgetName,
  keptForPeople,
  nearestBoundary,
  windowEnd,
  windowStart,
} from '../../../src/client/quota/budget.ts';

const at = (text: string) => Date.parse(text);

describe('a window', () => {
  it.each<[BudgetName, string, string, string]>([
    ['minute', '2026-11-21T05:46:13Z', '2026-11-21T05:46:00Z', '2026-11-21T05:47:00Z'],
    ['hour', '2026-11-21T05:46:13Z', '2026-11-21T05:00:00Z', '2026-11-21T06:00:00Z'],
    ['day', '2026-11-21T05:46:13Z', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'],
    ['month', '2026-11-21T05:46:13Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['month', '2028-02-29T23:59:59.999Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['month', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['endpoint POST /v1/research/panel', '2026-11-21T05:46:13Z', '2026-11-21T05:46:00Z', '2026-11-21T05:47:00Z'],
    ['minute', '2026-11-21T05:46:00Z', '2026-11-21T05:46:00Z', '2026-11-21T05:47:00Z'],
  ])('%s at %s goes from %s to %s', (budget, moment, start, end) => {
    expect([windowStart(budget, at(moment)), windowEnd(budget, at(moment))]).toEqual([at(start), at(end)]);
  });

  it('has the boundary that is nearest, before or after', () => {
    expect(nearestBoundary('minute', at('2026-11-21T05:46:13Z'))).toBe(at('2026-11-21T05:46:00Z'));
    expect(nearestBoundary('minute', at('2026-11-21T05:46:31Z'))).toBe(at('2026-11-21T05:47:00Z'));
    expect(nearestBoundary('month', at('2026-11-30T23:00:00Z'))).toBe(at('2026-12-01T00:00:00Z'));
  });
});

describe('what is kept for people', () => {
  it.each<[BudgetName | 'concurrency', number, number]>([
    ['minute', 300, 2],
    ['hour', 5000, 100],
    ['month', 1_000_000, 20_000],
    ['day', 100, 2],
    ['concurrency', 20, 2],
    ['minute', 3, 1],
    ['minute', 1, 0],
  ])('of a %s of %d is %d', (budget, limit, kept) => {
    expect(keptForPeople(budget, limit)).toBe(kept);
  });
});
