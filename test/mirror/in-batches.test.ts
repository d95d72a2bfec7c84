import { describe, expect, it } from 'vitest';
import { type Batching, inBatches } from '../../src/mirror/rules/in-batches.ts';
import { testClock } from '../support/clock.ts';

/** Batches of which each number becomes its double, and what they were. */
function doubling(changes: Partial<Batching<number, number>> = {}) {
  const batches: (readonly number[])[] = [];
  const work = async (batch: readonly number[]) => {
    batches.push(batch);
    if (batch.includes(13)) throw new Error('unlucky');
    return batch.map((one) => one * 2);
  };
  return { batches, give: inBatches({ clock: testClock(0), work, ...changes }) };
}

describe('pieces of work', () => {
  it('that come in the same turn are done together, and each has its own result', async () => {
    const { batches, give } = doubling();
    expect(await Promise.all([give(1), give(2), give(3)])).toEqual([2, 4, 6]);
    expect(await give(4)).toBe(8);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  it('are waited for as long as every turn brings more', async () => {
    const later: Promise<unknown>[] = [];
    const turnEnd = async () => {
      if (later.length < 3) later.push(give(2 + later.length));
    };
    const { batches, give } = doubling({ clock: { turnEnd } });
    await give(1);
    await Promise.all(later);
    expect(batches).toEqual([[1, 2, 3, 4]]);
  });

  it('that come while a batch is under way are the next one', async () => {
    const next: Promise<unknown>[] = [];
    const batches: (readonly number[])[] = [];
    const give = inBatches<number, number>({
      clock: testClock(0),
      async work(batch) {
        batches.push(batch);
        if (batch.includes(1)) next.push(give(2), give(3));
        return batch;
      },
    });
    await give(1);
    await Promise.all(next);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('are at most 256 at a time', async () => {
    const { batches, give } = doubling();
    await Promise.all(Array.from({ length: 600 }, (_, i) => give(1_000 + i)));
    expect(batches.map(({ length }) => length)).toEqual([256, 256, 88]);
  });

  it('fail together, and those that come later are done', async () => {
    const { give } = doubling();
    const told = await Promise.allSettled([give(1), give(13)]);
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await give(2)).toBe(4);
  });

  it('are done one by one when one of them may be at fault', async () => {
    const { batches, give } = doubling({ isOfOne: () => true });
    const told = await Promise.allSettled([give(1), give(13), give(2)]);
    expect(told).toMatchObject([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('unlucky') },
      { status: 'fulfilled', value: 4 },
    ]);
    expect(batches).toEqual([[1, 13, 2], [1], [13], [2]]);
  });
});
