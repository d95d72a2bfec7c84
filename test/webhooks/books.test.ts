import { describe, expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import type { Attempt } from '../../src/mirror/api/outbox.ts';
import { openDeliveryLog } from '../../src/webhooks/send/sender.ts';
import { testClock } from '../support/clock.ts';

const attempt = (delivery: string): Attempt => ({
  delivery,
  holder: 'one',
  at: 0,
  status: 200,
  result: { kind: 'succeeded' },
  limits: { failures: 10, streak: 1 },
});

/** Books over an outbox that is locked so many times, and what it was asked to settle. */
function books(lockedTimes = 0, sleeping: 'jumps' | 'waits' = 'jumps') {
  const settled: string[][] = [];
  const clock = testClock(0, sleeping);
  let left = lockedTimes;
  const settle = async (attempts: readonly Attempt[]) => {
    left -= 1;
    if (left >= 0) throw new MacroError('mirror', 'It is locked.', { code: 'mirror_locked' });
    settled.push(attempts.map(({ delivery }) => delivery));
  };
  const stop = new AbortController();
  const note = openDeliveryLog({ outbox: { settle }, clock, patience: 1_000, signal: stop.signal });
  return { note, settled, clock, stop };
}

describe('the books', () => {
  it('note what ends in the same turn together, and what ends later after it', async () => {
    const { note, settled } = books();
    await Promise.all([note(attempt('a')), note(attempt('b')), note(attempt('c'))]);
    await note(attempt('d'));
    expect(settled).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('wait for a locked mirror, and what ends meanwhile is noted next', async () => {
    const { note, settled, clock } = books(2, 'waits');
    const first = note(attempt('a'));
    while (clock.sleepers === 0) await clock.turnEnd();
    await clock.advance(250);
    const second = note(attempt('b'));
    await clock.advance(250);
    await Promise.all([first, second]);
    expect(settled).toEqual([['a'], ['b']]);
    expect(clock.slept).toEqual([250, 250]);
  });

  it('give up when the claims have run out, and go on with the next ones', async () => {
    const { note, settled } = books(5);
    await expect(note(attempt('a'))).rejects.toThrow('It is locked.');
    await note(attempt('b'));
    expect(settled).toEqual([['b']]);
  });

  it('give up when the program ends', async () => {
    const { note, settled, stop } = books(1);
    stop.abort();
    await expect(note(attempt('a'))).rejects.toThrow('aborted');
    expect(settled).toEqual([]);
  });
});
