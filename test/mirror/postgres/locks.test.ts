import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { openServerMirror } from '../../../src/mirror/postgres/open.ts';
import { testPlatform } from '../../support/platform.ts';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { held, MIDNIGHT, page, rate, texts } from '../support.ts';
import { dropLock, serverMirror, sqlOn } from './support.ts';

const LOST = { kind: 'mirror', code: 'lock_lost' };
const rows = [rate('2026-11-19', 1.16)];
const late = [rate('2026-11-20', 1.15)];

describe.skipIf(POSTGRES_BIN === undefined)('a lock on a mirror on a server', () => {
  it('that ran out is for another program, and no change of the first one follows', async () => {
    const { mirror, path, again } = await serverMirror();
    const lock = await mirror.lockSync();
    await mirror.commitPage(page(rows));
    await dropLock(path, 'sync');
    const other = await again();
    const taken = await other.lockSync();
    await expect(mirror.commitPage(page(late))).rejects.toMatchObject(LOST);
    expect(await texts(other)).toEqual(rows);
    await expect(lock.requireHeld()).rejects.toMatchObject(LOST);
    await taken.requireHeld();
    await taken.release();
  });

  it('that ran out while nobody wanted it is held again by whoever had it', async () => {
    const { mirror, path } = await serverMirror();
    const lock = await mirror.lockSync();
    await sqlOn(path, 'update leases set until = 0');
    await lock.requireHeld();
    await mirror.commitPage(page(rows));
    expect(await sqlOn(path, 'select name, until > since as holds from leases')).toEqual([
      { name: 'sync', holds: true },
    ]);
    await lock.release();
    expect(await sqlOn(path, 'select name from leases')).toEqual([]);
  });

  it('that is given back while its holder is looked up is taken, or named with its times', async () => {
    const { mirror, again } = await serverMirror();
    const other = await again();
    const refused = new Set<unknown>();
    const takeTurns = async ({ lockSync }: typeof mirror) => {
      for (let turn = 0; turn < 100; turn += 1)
        await lockSync()
          .then((lock) => lock.release())
          .catch(({ code = 'a bug' }: { code?: string }) => refused.add(code));
    };
    await Promise.all([takeTurns(mirror), takeTurns(other)]);
    expect([...refused].filter((code) => code !== 'sync_running')).toEqual([]);
  });

  it('takes the change with it that was under way', async () => {
    const { mirror, path, again } = await serverMirror();
    await mirror.lockSync();
    await mirror.commitPage(page(rows));
    const { hostname: host, port, username: user, searchParams } = new URL(path);
    const other = new pg.Client({ host, port: Number(port), user, database: 'postgres' });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query(`begin; update "${searchParams.get('schema')}".mirror set created = created`);
    const change = mirror.commitPage(page(late)).catch((error: unknown) => error);
    await dropLock(path, 'sync');
    await (await again()).lockSync();
    await other.query('commit');
    expect(await change).toMatchObject(LOST);
    expect(await texts(mirror)).toEqual(rows);
  });

  it('of a process of this machine that is gone is taken at once', async () => {
    const { path, mirror } = await serverMirror();
    const dead = await mirror.lockSync();
    const { platform } = testPlatform({ now: MIDNIGHT, seed: 2 });
    const asking = { address: path, mappings: MAPPINGS, mode: 'write' } as const;
    const other = await openServerMirror({ ...asking, platform: { ...platform, isRunning: () => false } });
    onTestFinished(() => other.close());
    await (await other.lockSync()).requireHeld();
    await expect(dead.requireHeld()).rejects.toMatchObject(LOST);
  });

  it('names the machine of its holder, and when it ends if that died', async () => {
    const { mirror, again } = await serverMirror();
    await mirror.lockConsumer('desk');
    const refused = await (await again()).lockConsumer('desk').catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'busy', code: 'consumer_running' });
    const time = String.raw`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    expect(String(refused)).toMatch(
      new RegExp(`running already: process 4242 on desk-a, since ${time}; if it died, its lock ends at ${time}\\.$`),
    );
  });

  it('names the command of the run that has it', async () => {
    const { mirror, again } = await serverMirror();
    await mirror.lockSync();
    await mirror.startRun({ started: 0, holder: 'macro webhooks listen, process 4242 on desk-a', words: '' });
    const refused = await (await again()).lockSync().catch((error: unknown) => error);
    expect(String(refused)).toContain('running already: macro webhooks listen, process 4242 on desk-a, since 20');
  });

  it('does not rest on the connection that took it', async () => {
    const { mirror, path, again } = await serverMirror();
    const lock = await mirror.lockSync();
    await sqlOn(
      path,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where pid <> pg_backend_pid() and query like '%"${new URL(path).searchParams.get('schema')}".leases%'`,
    );
    await mirror.commitPage(page(rows));
    await expect((await again()).lockSync()).rejects.toMatchObject({ code: 'sync_running' });
    await lock.requireHeld();
    await lock.release();
  });

  it('that was lost lets the run be noted, and can be taken again when it was released', async () => {
    const { mirror, path, again } = await serverMirror();
    const lock = await mirror.lockSync();
    const id = await mirror.startRun({ started: MIDNIGHT, holder: 'process 1', words: '' });
    await dropLock(path, 'sync');
    const taken = await (await again()).lockSync();
    await mirror.endRun(id, { ended: MIDNIGHT, outcome: 'failed', requests: 0, rows: 0, problem: 'lost' });
    expect(await mirror.runs(1)).toMatchObject([{ outcome: 'failed', problem: 'lost' }]);
    await lock.release();
    await expect(mirror.lockSync()).rejects.toMatchObject({ code: 'sync_running' });
    await taken.release();
    const next = await mirror.lockSync();
    await mirror.commitPage(page(rows));
    expect(await texts(mirror)).toEqual(rows);
    await next.release();
  });

  it('is one of several of a program: releasing one leaves the others, and nothing is written when one is lost', async () => {
    const { mirror, path, again } = await serverMirror();
    const [sync, desk] = [await mirror.lockSync(), await mirror.lockConsumer('desk')];
    await sync.release();
    const other = await again();
    await expect(other.lockConsumer('desk')).rejects.toMatchObject({ code: 'consumer_running' });
    await (await other.lockSync()).release();
    const alerts = await mirror.lockConsumer('alerts');
    await dropLock(path, 'consumer desk');
    await (await other.lockConsumer('desk')).release();
    await expect(mirror.journal.moveConsumer('alerts', 1, MIDNIGHT)).rejects.toMatchObject(LOST);
    await desk.release();
    await alerts.release();
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
