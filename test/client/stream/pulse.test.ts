import { expect, it } from 'vitest';
import { createHeartbeat } from '../../../src/client/stream/idle-watchdog.ts';

function after(...times: readonly number[]) {
  const pulse = createHeartbeat();
  pulse.begin();
  for (const time of times) pulse.beat(time * 1000);
  return pulse;
}

it('75 seconds of silence are too long while the heartbeats are not known', () => {
  expect(after().limit).toBe(75_000);
  expect(after(0, 15, 30).limit).toBe(75_000);
});

it('three missing heartbeats are too long once they are known', () => {
  expect(after(0, 15, 30, 45).limit).toBe(45_000);
  expect(after(0, 14, 32, 45).limit).toBe(54_000);
});

it('never less than half a minute, never more than 75 seconds', () => {
  expect(after(0, 2, 4, 6).limit).toBe(30_000);
  expect(after(0, 30, 60, 90).limit).toBe(75_000);
});

it('comments that follow each other at once are no heartbeats', () => {
  expect(after(0, 0.1, 0.2, 0.3, 15.3).limit).toBe(75_000);
});

it('what was learned outlives a connection, but not one that was given up for its silence', () => {
  const pulse = after(0, 15, 30, 45);
  pulse.begin();
  pulse.beat(1_000_000);
  expect(pulse.limit).toBe(45_000);
  pulse.forget();
  expect(pulse.limit).toBe(75_000);
});
