import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { openServerMirror } from '../../../src/mirror/postgres/open.ts';
import { testPlatform } from '../../support/platform.ts';
import { PGBOUNCER, pooled } from '../../support/pooler.ts';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { held, MIDNIGHT, page, rate, texts } from '../support.ts';
import { dropLock, serverMirror } from './support.ts';

const rows = [rate('2026-11-19', 1.16)];

let seeds = 0;

/** A mirror as a program of its own has it: no other one draws the same tokens. */
async function open(address: string) {
  seeds += 1;
  const { platform } = testPlatform({ now: MIDNIGHT, seed: seeds });
  const mirror = await openServerMirror({ address, mappings: MAPPINGS, platform, mode: 'write', dates: 'caller' });
  onTestFinished(() => mirror.close());
  return mirror;
}

describe.skipIf(POSTGRES_BIN === undefined || PGBOUNCER === undefined)('a mirror behind a pooler', () => {
  it.each(['transaction', 'session'] as const)('keeps two syncs apart in %s mode', async (mode) => {
    const { path } = await serverMirror();
    const address = await pooled(path, { mode, size: 8 });
    const [one, other] = [await open(address), await open(address)];
    const lock = await one.lockSync();
    await one.commitPage(page(rows));
    await expect(other.lockSync()).rejects.toMatchObject({ kind: 'busy', code: 'sync_running' });
    await dropLock(path, 'sync');
    const taken = await other.lockSync();
    await expect(one.commitPage(page([rate('2026-11-20', 2)]))).rejects.toMatchObject({ code: 'lock_lost' });
    await lock.release();
    await taken.release();
    await (await one.lockSync()).release();
    expect(await texts(other)).toEqual(rows);
  });

  it('answers many questions and takes changes at once over few connections', async () => {
    const { path } = await serverMirror();
    const address = await pooled(path, { mode: 'transaction', size: 2 });
    const mirrors = [await open(address), await open(address), await open(address)];
    const days = Array.from({ length: 9 }, (_, i) => rate(`2026-11-0${i + 1}`, i + 1));
    await Promise.all(days.map((day, i) => mirrors[i % 3]?.commitPage(page([day]))));
    const asked = Array.from({ length: 60 }, (_, i) => mirrors[i % 3] ?? mirrors[0]);
    const counts = await Promise.all(
      asked.map((mirror) => mirror?.snapshot(async (reader) => reader.count(await held(reader), {}))),
    );
    expect(counts).toEqual(asked.map(() => 9));
    expect((await mirrors[0]?.verify())?.findings).toEqual([]);
  });
});
