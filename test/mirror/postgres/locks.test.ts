import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { held, MIDNIGHT, page, rate, texts } from '../support.ts';
import { dropLock, serverMirror } from './support.ts';

const LOST = { kind: 'mirror', code: 'lock_lost' };
const rows = [rate('2026-11-19', 1.16)];
const late = [rate('2026-11-20', 1.15)];

describe.skipIf(POSTGRES_BIN === undefined)('a lock on a mirror on a server', () => {
  it('is lost with its connection, and no change follows that of a program that took it since', async () => {
    const { mirror, path, again } = await serverMirror();
    const lock = await mirror.lockSync();
    await mirror.commitPage(page(rows));
    await dropLock(path, 'sync');
    const other = await again();
    const taken = await other.lockSync();
    await expect(mirror.commitPage(page(late))).rejects.toMatchObject(LOST);
    expect(await texts(other)).toEqual(rows);
    expect(() => lock.requireHeld()).toThrow(expect.objectContaining(LOST));
    expect(() => taken.requireHeld()).not.toThrow();
    await taken.release();
  });

  it('takes the change with it that was under way', async () => {
    const { mirror, path } = await serverMirror();
    await mirror.lockSync();
    await mirror.commitPage(page(rows));
    const { hostname: host, port, username: user, searchParams } = new URL(path);
    const other = new pg.Client({ host, port: Number(port), user, database: 'postgres' });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query(`begin; update "${searchParams.get('schema')}".mirror set created = created`);
    const change = mirror.commitPage(page(late)).catch((error: unknown) => error);
    await dropLock(path, 'sync');
    await other.query('commit');
    expect(await change).toMatchObject(LOST);
    expect(await texts(mirror)).toEqual(rows);
  });

  it('that was lost lets the run be noted, and can be taken again when it was released', async () => {
    const { mirror, path } = await serverMirror();
    const lock = await mirror.lockSync();
    const id = await mirror.startRun({ started: MIDNIGHT, holder: 'process 1', words: '' });
    await dropLock(path, 'sync');
    await mirror.endRun(id, { ended: MIDNIGHT, outcome: 'failed', requests: 0, rows: 0, problem: 'lost' });
    expect(await mirror.runs(1)).toMatchObject([{ outcome: 'failed', problem: 'lost' }]);
    await lock.release();
    const next = await mirror.lockSync();
    await mirror.commitPage(page(rows));
    expect(await texts(mirror)).toEqual(rows);
    await next.release();
  });

  it('is one of several of a program: releasing one leaves the others, and losing one loses all', async () => {
    const { mirror, path, again } = await serverMirror();
    const [sync, desk] = [await mirror.lockSync(), await mirror.lockConsumer('desk')];
    await sync.release();
    const other = await again();
    await expect(other.lockConsumer('desk')).rejects.toMatchObject({ code: 'consumer_running' });
    await (await other.lockSync()).release();
    await dropLock(path, 'consumer desk');
    await expect(mirror.journal.moveConsumer('desk', 1, MIDNIGHT)).rejects.toMatchObject(LOST);
    await expect(mirror.lockConsumer('alerts')).rejects.toMatchObject(LOST);
    await desk.release();
    await (await mirror.lockConsumer('desk')).release();
  });

  it('is not given twice to one program', async () => {
    const { mirror } = await serverMirror();
    const lock = await mirror.lockSync();
    await expect(mirror.lockSync()).rejects.toMatchObject({ kind: 'busy', code: 'sync_running' });
    await lock.release();
  });

  it('is no hindrance to changes that are made at once', async () => {
    const { mirror } = await serverMirror();
    const lock = await mirror.lockSync();
    const days = Array.from({ length: 9 }, (_, i) => rate(`2026-11-0${i + 1}`, 1));
    await Promise.all([...days.map((day) => mirror.commitPage(page([day]))), lock.release()]);
    expect((await mirror.rows(await held(mirror), {})).length).toBe(9);
  });
});
