import { describe, expect, test } from 'vitest';
import { nodeClock, nodeRandom } from '../../src/platform/node-clock.ts';
import { settle } from '../support/clock.ts';

describe('the real clock', () => {
  test('an aborted sleep ends at once with the reason', async () => {
    const stop = new AbortController();
    const sleeping = nodeClock.sleep(3_600_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
    await expect(nodeClock.sleep(0, stop.signal)).rejects.toThrow('enough');
  });

  test('a sleep longer than a timer can hold does not end at once', async () => {
    const stop = new AbortController();
    let over = false;
    const sleeping = nodeClock.sleep(40 * 86_400_000, stop.signal).then(
      () => {
        over = true;
      },
      () => undefined,
    );
    await nodeClock.sleep(5);
    expect(over).toBe(false);
    stop.abort();
    await sleeping;
  });

  test('a turn keeps its number until the loop goes round', async () => {
    const first = nodeClock.turn();
    await Promise.resolve();
    expect(nodeClock.turn()).toBe(first);
    await settle();
    expect(nodeClock.turn()).toBe(first + 1);
  });

  test('a turn ends when what was ready in it has run', async () => {
    const first = nodeClock.turn();
    const ran: string[] = [];
    const ended = nodeClock.turnEnd().then(() => ran.push('end'));
    queueMicrotask(() => ran.push('ready'));
    await ended;
    expect([ran, nodeClock.turn()]).toEqual([['ready', 'end'], first + 1]);
  });
});

test('random bytes come in the number asked for, and numbers in [0, 1)', () => {
  expect(nodeRandom.bytes(12)).toHaveLength(12);
  const number = nodeRandom.number();
  expect(number >= 0 && number < 1).toBe(true);
});
