import { describe, expect, it } from 'vitest';
import fc, { draws } from '../../support/properties.ts';
import type { Rule } from './exact-limiter.ts';
import { simulate, type World } from './simulation.ts';

const KEYED: readonly Rule[] = [
  { window: 'minute', limit: 300 },
  { window: 'hour', limit: 5000 },
  { window: 'month', limit: 1_000_000 },
];
const START = Date.parse('2026-11-20T05:30:13Z');
const MINUTES = 60_000;
const HOURS = 60 * MINUTES;

const world = fc.record({
  rules: fc.oneof(
    fc
      .tuple(fc.integer({ min: 3, max: 40 }), fc.integer({ min: 20, max: 200 }))
      .map(([minute, hour]): readonly Rule[] => [
        { window: 'minute', limit: minute },
        { window: 'hour', limit: hour },
        { window: 'month', limit: 1000 },
      ]),
    fc.integer({ min: 1, max: 60 }).map((limit): readonly Rule[] => [{ window: 'day', limit }]),
  ),
  concurrency: fc.integer({ min: 20, max: 24 }),
  processes: fc.integer({ min: 1, max: 40 }),
  priority: fc.constantFrom('interactive' as const, 'background' as const),
  start: fc.integer({ min: START, max: START + 11 * 24 * HOURS }),
  skew: fc.integer({ min: -5 * HOURS, max: 5 * HOURS }),
  drift: fc.double({ min: -0.4, max: 0.4, noNaN: true }),
  latency: fc.integer({ min: 1, max: 600 }),
  lost: fc.constantFrom(0, 0.05),
  edge: fc.constantFrom(0, 0.3),
  crashed: fc.constantFrom(0, 0.02),
  seed: fc.integer(),
});

describe('a service that counts exactly', () => {
  it('never refuses a request: random limits, processes, clocks, losses and crashes', () => {
    fc.assert(
      fc.property(world, (drawn) => {
        expect(simulate({ ...drawn, end: drawn.start + 100 * MINUTES }).refused).toBe(0);
      }),
      { numRuns: draws(15) },
    );
  });

  it.each<[string, Partial<World>, number]>([
    ['eight people', { processes: 8 }, 1],
    ['a sync of eight processes', { processes: 8, priority: 'background' }, 0.98],
    ['a slow line and a wrong clock', { processes: 40, latency: 2000, skew: 20 * MINUTES + 123 }, 0.99],
  ])('gives all it has to %s', (_, given, share) => {
    const hour = Date.parse('2026-11-20T06:00:00Z');
    const skew = given.skew ?? 0;
    const served = simulate({
      rules: KEYED,
      concurrency: 20,
      processes: 8,
      skew: 0,
      latency: 100,
      seed: 7,
      ...given,
      start: hour - skew,
      end: hour + HOURS - skew,
    });
    expect(served.refused).toBe(0);
    expect((served.used.get(`hour ${hour}`) ?? 0) / 5000).toBeGreaterThanOrEqual(share);
  });

  it('is shared with others whom only its headers show: its budget is used up, and at most one request a minute refused', () => {
    const hour = Date.parse('2026-11-20T06:00:00Z');
    const shared = { rules: KEYED, concurrency: 20, processes: 8, skew: 0, latency: 100, others: 500, seed: 11 };
    const served = simulate({ ...shared, start: hour, end: hour + 10 * MINUTES });
    const minutes = [...served.used].filter(([window]) => window.startsWith('minute')).map(([, used]) => used);
    expect(minutes).toEqual(Array.from({ length: 10 }, () => 300));
    // Only one that meets somebody else at the very end of a minute.
    expect(served.refused).toBeLessThanOrEqual(10);
  });

  it('gives a whole month, to its last request, and not one more', () => {
    const rules: readonly Rule[] = [
      { window: 'minute', limit: 12 },
      { window: 'hour', limit: 100 },
      { window: 'month', limit: 6000 },
    ];
    const october = Date.parse('2026-10-01T00:00:00Z');
    const november = Date.parse('2026-11-01T00:00:00Z');
    const served = simulate({
      rules,
      concurrency: 20,
      processes: 8,
      start: october,
      end: november + HOURS,
      skew: -3 * MINUTES,
      latency: 2000,
      seed: 3,
    });
    expect(served.refused).toBe(0);
    expect(served.used.get(`month ${october}`)).toBe(6000);
    expect(served.used.get(`month ${november}`)).toBe(100);
  });
});
