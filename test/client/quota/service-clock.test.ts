import { expect, it } from 'vitest';
import {
  narrowAhead,
  ourTime,
  serviceTimes,
  surelyReached,
  unknownAhead,
} from '../../../src/client/quota/service-clock.ts';

it('an answer bounds the clock by its second, rounded either way, and by the way it took', () => {
  // Sent at 10.0 s and received at 10.4 s of our clock; made in the service's second 10.
  const told = { second: 10_000, sent: 10_000, received: 10_400 };
  expect(narrowAhead(unknownAhead(10_000), told)).toEqual({ low: -1400, high: 1000, at: 10_400 });
});

it('further answers only narrow it', () => {
  const first = narrowAhead(unknownAhead(10_000), { second: 10_000, sent: 10_000, received: 10_400 });
  expect(narrowAhead(first, { second: 11_000, sent: 10_900, received: 10_900 })).toEqual({
    low: -900,
    high: 1000.25,
    at: 10_900,
  });
});

it('a contradiction means that a clock was set: the answer alone counts', () => {
  const told = { second: 3_610_000, sent: 10_000, received: 10_200 };
  expect(narrowAhead(unknownAhead(10_000), told)).toEqual({ low: 3_598_800, high: 3_601_000, at: 10_200 });
});

it('the bounds widen with time, as clocks drift', () => {
  expect(serviceTimes({ low: -100, high: 100, at: 0 }, 10_000)).toEqual({ earliest: 9895, latest: 10_105 });
});

it('a moment is surely reached when the slowest reading says so', () => {
  const ahead = { low: -100, high: 900, at: 0 };
  const reached = surelyReached(ahead, 60_000);
  expect(reached).toBe(60_131);
  expect(serviceTimes(ahead, reached).earliest).toBeGreaterThanOrEqual(60_000);
  expect(serviceTimes(ahead, reached - 1).earliest).toBeLessThan(60_000);
});

it('a moment is told as it is unless the clocks surely differ', () => {
  expect(ourTime({ low: -400, high: 600, at: 0 }, 60_000)).toBe(60_000);
  expect(ourTime({ low: 5000, high: 5400, at: 0 }, 60_000)).toBe(54_800);
});
