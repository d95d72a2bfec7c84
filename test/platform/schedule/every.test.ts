import { describe, expect, it } from 'vitest';
import { EVERY_WORDS, everyOf, nextRun } from '../../../src/platform/schedule/scheduler.ts';

const DAY = 86_400_000;
/** As written, by the clock on the wall. */
const wall = (text: string) => new Date(text).getTime();

describe('steps of a schedule', () => {
  it.each([
    ['15m', '2026-03-04T10:14:59', '2026-03-04T10:15:00'],
    ['15m', '2026-03-04T10:15:00', '2026-03-04T10:30:00'],
    ['1h', '2026-03-04T10:07:00', '2026-03-04T11:07:00'],
    ['6h', '2026-03-04T18:08:00', '2026-03-05T00:07:00'],
    ['1d', '2026-03-04T06:07:30', '2026-03-05T06:07:00'],
  ])('%s after %s is %s', (word, now, next) => {
    const every = everyOf(word);
    expect(every && nextRun(every, wall(now))).toBe(wall(next));
  });

  it.each(EVERY_WORDS)('%s divides a day evenly', (word) => {
    const every = everyOf(word);
    const runs = (every?.minutes.length ?? 0) * (every?.hours?.length ?? 24);
    const unit = word.endsWith('m') ? 60_000 : word.endsWith('h') ? 3_600_000 : DAY;
    expect(runs * Number.parseInt(word, 10) * unit).toBe(DAY);
  });

  it.each(['7m', '90m', '0h', 'hourly', ''])('%j is none', (word) => {
    expect(everyOf(word)).toBeUndefined();
  });
});
