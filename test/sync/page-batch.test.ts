import { describe, expect, it } from 'vitest';
import type { PageCommit } from '../../src/mirror/api/page-commit.ts';
import { pageBatches } from '../../src/sync/page-batch.ts';
import { page, rate } from '../mirror/support.ts';
import { settle } from '../support/clock.ts';

const REPORT = { commit: 1, added: 1, revised: 0, vanished: 0, unchanged: 0 };

const pageOf = (day: number): PageCommit => page([rate(`2026-11-${String(day).padStart(2, '0')}`, day)]);

const dayOf = ({ rows }: PageCommit) => rows[0]?.value.val;

/** A batch over a mirror that takes what it is given, one transaction at a time, until a day that it refuses. */
function world({ refused }: { refused?: number } = {}) {
  const transactions: unknown[][] = [];
  const mirror = {
    async commitPages(pages: readonly PageCommit[]) {
      const days = pages.map(dayOf);
      await settle();
      if (refused !== undefined && days.includes(refused)) throw new Error(`no day ${refused}`);
      transactions.push(days);
      return pages.map(() => REPORT);
    },
  };
  const endings: (() => void)[] = [];
  const clock = { turnEnd: () => new Promise<void>((resolve) => endings.push(resolve)) };
  let rows = 0;
  const batches = pageBatches({ mirror, clock });
  const open = () =>
    batches.open(({ added }) => {
      rows += added;
    });
  return {
    batch: open(),
    other: open(),
    batches,
    transactions,
    rows: () => rows,
    /** Ends this turn and those in which nothing comes. */
    async endTurn() {
      while (endings.length > 0) {
        for (const end of endings.splice(0)) end();
        await settle();
        await settle();
      }
    },
  };
}

describe('a batch of pages', () => {
  it('commits those of one turn together, in their order, and counts them', async () => {
    const { batch, transactions, rows, endTurn } = world();
    for (const day of [3, 2, 1]) await batch.add(pageOf(day));
    expect(transactions).toEqual([]);
    await endTurn();
    expect([transactions, rows()]).toEqual([[[3, 2, 1]], 3]);
  });

  it('lets no page wait for one of a later turn', async () => {
    const { batch, transactions, endTurn } = world();
    for (const day of [3, 2]) {
      await batch.add(pageOf(day));
      await endTurn();
    }
    expect(transactions).toEqual([[3], [2]]);
  });

  it('has at most sixteen in one transaction, and takes no more before they are held', async () => {
    const { batch, other, transactions, endTurn } = world();
    const added = (async () => {
      for (let day = 18; day >= 1; day -= 1) await (day % 2 === 0 ? batch : other).add(pageOf(day));
      await batch.settle();
      await other.settle();
    })();
    await settle();
    for (let turn = 0; turn < 2; turn += 1) await endTurn();
    await added;
    expect(transactions).toEqual([
      [18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3],
      [2, 1],
    ]);
  });

  it('keeps no page of another series out', async () => {
    const { batch, other, batches, transactions, rows, endTurn } = world({ refused: 3 });
    for (const [one, day] of [
      [batch, 4],
      [other, 14],
      [batch, 3],
      [batch, 2],
      [other, 13],
    ] as const)
      await one.add(pageOf(day));
    await endTurn();
    await batches.settle();
    expect([transactions, rows()]).toEqual([[[4], [14], [13]], 3]);
    await expect(batch.settle()).rejects.toThrow('no day 3');
    await expect(batch.add(pageOf(1))).rejects.toThrow('no day 3');
    await other.settle();
  });

  it('commits nothing behind a page that could not be, and says why ever after', async () => {
    const { batch, transactions, rows, endTurn } = world({ refused: 3 });
    await batch.add(pageOf(4));
    await endTurn();
    await batch.add(pageOf(3));
    await endTurn();
    await expect(batch.add(pageOf(2))).rejects.toThrow('no day 3');
    await expect(batch.settle()).rejects.toThrow('no day 3');
    expect([transactions, rows()]).toEqual([[[4]], 1]);
  });

  it('is settled at once when nothing waits', async () => {
    const { batch, transactions } = world();
    await batch.settle();
    expect(transactions).toEqual([]);
  });
});
