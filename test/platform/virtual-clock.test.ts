import { expect, it } from 'vitest';
import { virtualClock } from '../../src/platform/node-clock.ts';
import { testClock } from '../support/clock.ts';

const START = Date.parse('2026-03-09T12:00:00Z');

it('runs from its beginning at its speed, and sleeps by its own time', async () => {
  const real = testClock(1_000, 'waits');
  const clock = virtualClock(real, { startsAt: START, speed: 60 });
  let isAwake = false;
  const sleeping = clock.sleep(120_000).then(() => (isAwake = true));
  await real.advance(1_999);
  expect([clock.now() - START, isAwake]).toEqual([119_940, false]);
  await real.advance(1);
  await sleeping;
  expect(clock.now() - START).toBe(120_000);
});

it('stands still at speed 0, where a sleep lasts until it is ended', async () => {
  const real = testClock(1_000, 'waits');
  const clock = virtualClock(real, { startsAt: START, speed: 0 });
  const stop = new AbortController();
  const sleeping = clock.sleep(1, stop.signal);
  await real.advance(86_400_000);
  expect(clock.now()).toBe(START);
  stop.abort(new Error('over'));
  await expect(sleeping).rejects.toThrow('over');
});

it('is the clock that it was made of where nothing is asked for', async () => {
  const real = testClock(1_000);
  const clock = virtualClock(real, {});
  await clock.sleep(500);
  expect([clock.now(), real.now()]).toEqual([1_500, 1_500]);
});
