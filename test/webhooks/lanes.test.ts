import { describe, expect, it } from 'vitest';
import { createDestinationLimiter } from '../../src/webhooks/send/sender.ts';

describe('the lanes', () => {
  it('let four posts to a subscription be under way, and one to a failing one after a pause', () => {
    const lanes = createDestinationLimiter();
    expect(lanes.parallel('a', 0)).toBe(4);
    lanes.begin('a');
    lanes.begin('a');
    lanes.end('a', 10, true);
    expect(lanes.parallel('a', 1009)).toBe(0);
    expect(lanes.parallel('a', 1010)).toBe(1);
    expect(lanes.parallel('b', 10)).toBe(4);
    lanes.end('a', 2000, false);
    expect([lanes.parallel('a', 2000), lanes.underWay]).toEqual([4, 0]);
  });

  it('keep the slots of those that answer from those that do not', () => {
    const lanes = createDestinationLimiter();
    for (let i = 0; i < 500; i += 1) {
      lanes.begin(`dead${i}`);
      lanes.end(`dead${i}`, 0, true);
    }
    for (let i = 0; i < 500; i += 1) if (lanes.parallel(`dead${i}`, 1000) > 0) lanes.begin(`dead${i}`);
    expect(lanes.underWay).toBe(64);
    expect(lanes.parallel('healthy', 1000)).toBe(4);
    for (let i = 0; i < 100; i += 1)
      for (let room = lanes.parallel(`live${i}`, 1000); room > 0; room -= 1) lanes.begin(`live${i}`);
    expect(lanes.underWay).toBe(64 + 256);
    expect(lanes.parallel('healthy', 1000)).toBe(0);
  });
});
