import { expect, it } from 'vitest';
import { MacroError } from '../../../src/errors.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { MIDNIGHT } from '../support.ts';

const begun = { started: MIDNIGHT, holder: 'process 1', words: 'fx eur usd' };

/** Runs of a sync and the lock that keeps two of them apart. `fresh` makes a mirror and gives what opens it. */
export function runsOf(fresh: () => Promise<() => Promise<Mirror>>): void {
  it('a run is told with its end', async () => {
    const mirror = await (await fresh())();
    const id = await mirror.startRun(begun);
    const nothing = { requests: 0, rows: 0, problem: undefined, failed: [] };
    const open1 = { id, ...begun, ended: undefined, outcome: undefined, ...nothing };
    expect(await mirror.runs(5)).toEqual([open1]);
    const end = {
      ended: MIDNIGHT + 5,
      outcome: 'failed',
      requests: 3,
      rows: 7,
      problem: 'gone',
      failed: ['fx eur usd'],
    } as const;
    await mirror.endRun(id, end);
    expect(await mirror.runs(5)).toEqual([{ ...open1, ...end }]);
  });

  it('a run that died is noted as failed when the next one begins', async () => {
    const mirror = await (await fresh())();
    await mirror.startRun(begun);
    await mirror.startRun({ ...begun, started: MIDNIGHT + 1 });
    expect((await mirror.runs(5)).map(({ started, outcome, ended }) => [started, outcome, ended])).toEqual([
      [MIDNIGHT + 1, undefined, undefined],
      [MIDNIGHT, 'failed', undefined],
    ]);
  });

  it('the lock is for one at a time, and the other one is told who holds it', async () => {
    const open = await fresh();
    const [first, second] = [await open(), await open()];
    const lock = await first.lockSync();
    await lock.requireHeld();
    await first.startRun(begun);
    const error = await second.lockSync().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MacroError);
    expect(error).toMatchObject({ kind: 'busy', code: 'sync_running' });
    expect(String(error)).toMatch(/process \d+(?: on desk-a)?, since 20\d\d-\d\d-\d\dT/);
    await lock.release();
    await (await second.lockSync()).release();
  });

  it('a consumer is one program at a time, and others beside it are free', async () => {
    const open = await fresh();
    const [first, second] = [await open(), await open()];
    const lock = await first.lockConsumer('desk');
    await expect(second.lockConsumer('desk')).rejects.toMatchObject({ kind: 'busy', code: 'consumer_running' });
    await (await second.lockConsumer('alerts')).release();
    await (await second.lockSync()).release();
    await lock.release();
    await (await second.lockConsumer('desk')).release();
  });
}
