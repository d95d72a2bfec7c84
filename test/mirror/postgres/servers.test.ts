import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { openServerMirror } from '../../../src/mirror/postgres/open.ts';
import { prepareServerMirror } from '../../../src/mirror/postgres/prepare.ts';
import { testPlatform } from '../../support/platform.ts';
import { freePort, freshAddress, POSTGRES_BIN, serverAddress } from '../../support/postgres.ts';
import { MIDNIGHT, page, rate, texts } from '../support.ts';
import { serverMirror, sqlOn } from './support.ts';

const rows = [rate('2026-11-19', 1.16)];

/** The mirror by another user, or with other parameters of its address. */
async function openAs(path: string, change: (address: URL) => void) {
  const address = new URL(path);
  change(address);
  const { platform } = testPlatform({ now: MIDNIGHT });
  const mirror = await openServerMirror({
    address: address.href,
    mappings: MAPPINGS,
    platform,
    mode: 'read',
    dates: 'caller',
  });
  onTestFinished(() => mirror.close());
  return mirror;
}

describe.skipIf(POSTGRES_BIN === undefined)('the servers of a mirror', () => {
  it('are tried one after the other, until one is there that may be used', async () => {
    const { mirror, path } = await serverMirror();
    await mirror.commitPage(page(rows));
    const { port, hostname } = new URL(path);
    const both = path.replace(`${hostname}:${port}`, `${hostname}:${await freePort()},${hostname}:${port}`);
    const { platform } = testPlatform({ now: MIDNIGHT });
    const open = (address: string) => openServerMirror({ address, mappings: MAPPINGS, platform, mode: 'read' });
    const found = await open(`${both}&target_session_attrs=read-write`);
    onTestFinished(() => found.close());
    expect(await texts(found)).toEqual(rows);
    await expect(open(`${both}&target_session_attrs=standby`)).rejects.toMatchObject({ code: 'mirror_unreachable' });
  });

  it('that have no room for a connection are waited for', async () => {
    const { mirror, path } = await serverMirror();
    await mirror.commitPage(page(rows));
    const schema = new URL(path).searchParams.get('schema') ?? '';
    await sqlOn(
      path,
      `create role ${schema}_few login connection limit 2; grant usage on schema ${schema} to ${schema}_few;
       grant select on all tables in schema ${schema} to ${schema}_few`,
    );
    const few = await openAs(path, (address) => {
      address.username = `${schema}_few`;
    });
    const all = await Promise.all(Array.from({ length: 40 }, () => texts(few)));
    expect(all).toEqual(Array.from({ length: 40 }, () => rows));
  });

  it('whose statements end too late are no bug of ours', async () => {
    const { mirror, path } = await serverMirror();
    await mirror.commitPage(page(rows));
    const slow = await openAs(path, (address) => address.searchParams.set('options', '-c statement_timeout=200'));
    const lock = sqlOn(path, 'begin; lock table series; select pg_sleep(2); commit');
    const late = async () => {
      for (;;) await texts(slow);
    };
    await expect(late()).rejects.toMatchObject({
      kind: 'mirror',
      message: expect.stringContaining('took longer than the server allows'),
    });
    await lock;
  });

  it('let a role that may make nothing do everything, once their owner has prepared the mirror', async () => {
    const path = await freshAddress();
    const schema = new URL(path).searchParams.get('schema') ?? '';
    const role = `${schema}_dml`;
    await sqlOn(`${await serverAddress()}?schema=public`, `create role ${role} login`);
    const asRole = new URL(path);
    asRole.username = role;
    const { platform } = testPlatform({ now: MIDNIGHT });
    const how = { mappings: MAPPINGS, platform };
    await prepareServerMirror({ ...how, address: path }, undefined);
    await expect(openServerMirror({ ...how, address: asRole.href, mode: 'read' })).rejects.toMatchObject({
      kind: 'mirror',
      message: expect.stringContaining('this user may not'),
    });
    const { tables } = await prepareServerMirror({ ...how, address: path }, role);
    expect(tables).toBeGreaterThan(Object.keys(MAPPINGS).length);
    const mirror = await openServerMirror({ ...how, address: asRole.href, mode: 'write', dates: 'caller' });
    onTestFinished(() => mirror.close());
    const lock = await mirror.lockSync();
    await mirror.startRun({ started: MIDNIGHT, holder: 'process 1', words: '' });
    await mirror.commitPage(page(rows));
    await mirror.commitPage(page([rate('2026-11-19', 2)]));
    await mirror.journal.moveConsumer('desk', 0, MIDNIGHT);
    await lock.release();
    expect(await texts(mirror)).toEqual([rate('2026-11-19', 2)]);
    expect((await mirror.verify()).findings).toEqual([]);
    await expect(prepareServerMirror({ ...how, address: path }, 'nobody_there')).rejects.toMatchObject({
      message: expect.stringContaining('the server has no such role'),
    });
  });
});
