import { expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { retrying } from '../../src/mirror/rules/failures.ts';
import { testClock } from '../support/clock.ts';

const LOCKED = new MacroError('mirror', 'It is locked.', { code: 'mirror_locked' });

/** Work that fails so many times. */
function failing(times: number, error: Error) {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw error;
    return 'done';
  };
}

it('a mirror that is locked for a moment is tried again each second', async () => {
  const clock = testClock(0);
  expect(await retrying(clock, failing(2, LOCKED))).toBe('done');
  expect(clock.slept).toEqual([1_000, 1_000]);
});

it('one that stays locked is given up after thirty seconds, or after as long as was wished', async () => {
  const clock = testClock(0);
  await expect(retrying(clock, failing(1_000, LOCKED))).rejects.toBe(LOCKED);
  expect(clock.now()).toBe(30_000);
  await expect(retrying(clock, failing(1_000, LOCKED), { pause: 100, longest: 500 })).rejects.toBe(LOCKED);
  expect(clock.now()).toBe(30_500);
});

it('a wish to end is heard between two tries', async () => {
  const stop = AbortSignal.abort(new Error('enough'));
  const patience = { pause: 100, longest: 500, signal: stop };
  await expect(retrying(testClock(0), failing(1, LOCKED), patience)).rejects.toThrow('enough');
});

it('so is one whose server cannot be reached for a moment', async () => {
  const clock = testClock(0);
  const gone = new MacroError('mirror', 'It cannot be reached.', { code: 'mirror_unreachable' });
  expect(await retrying(clock, failing(3, gone))).toBe('done');
});

it.each(['mirror_full', 'mirror_damaged', 'mirror_unusable', 'mirror_newer'])(
  'what waiting does not mend is thrown at once: %s',
  async (code) => {
    const clock = testClock(0);
    const error = new MacroError('mirror', 'Waiting does not help.', { code });
    await expect(retrying(clock, failing(1, error))).rejects.toBe(error);
    expect(clock.slept).toEqual([]);
  },
);
