import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fetch, Run } from '../../src/platform/platform.ts';
import { dropLock, sqlOn } from '../mirror/postgres/support.ts';
import { testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { type Exchange, scriptUpstream } from '../support/upstream.ts';

const RATES = 'Date,USD,\n2026-11-20,1.1502,\n2026-11-19,1.1490,\n';
const NOWHERE = 'postgres://me@127.0.0.1:1/markets';

/** A reply that tells the requests left of the month: the clock of PostgreSQL runs, and a month ends least often meanwhile. */
function told(remaining: string): Exchange {
  const now = new Date();
  const left = Math.round((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000);
  return {
    ...{ request: 'GET /v1/ping', body: { status: 'ok', service: 'x' } },
    headers: {
      'ratelimit-limit': '1000000',
      'ratelimit-remaining': remaining,
      'ratelimit-policy': `1000000;w=${left}`,
    },
  };
}

describe('--mirror postgres://...', () => {
  it('is refused with a password, which would be shown and kept', async () => {
    for (const command of ['fx eur usd --offline', 'config set mirror', 'profile add x --base-url https://x.test']) {
      const address = 'postgres://me:secret@127.0.0.1/markets';
      const { code, err } = await macro(
        command.startsWith('config') ? `${command} ${address}` : `${command} --mirror ${address}`,
      );
      expect([code, err.includes('secret'), err]).toEqual([2, false, expect.stringContaining('PGPASSFILE')]);
    }
  });

  it('names what is wrong with an address', async () => {
    const { code, err } = await macro(`fx eur usd --offline --mirror ${NOWHERE}?shema=x`);
    expect([code, err]).toEqual([2, expect.stringContaining('Did you mean schema?')]);
  });

  it('is exit 8 when the server cannot be reached', async () => {
    const { code, out, err } = await macro(`fx eur usd --offline --mirror ${NOWHERE}`);
    expect([code, out, err]).toEqual([8, '', expect.stringContaining(`The mirror ${NOWHERE} cannot be reached.`)]);
  });

  it('is what a command that goes on with the events of a mirror asks', async () => {
    const run: Run = async () => ({ code: 0, stdout: '', stderr: '' });
    const { code, out, err } = await macro(`webhooks replay --consumer desk --exec ./desk --mirror ${NOWHERE}`, {
      run,
    });
    expect([code, out, err]).toEqual([8, '', expect.stringContaining(`The mirror ${NOWHERE} cannot be reached.`)]);
  });

  it.each(['mirror path', 'mirror backup copy.db', 'mirror compact', 'mirror rebuild', 'sql "select 1"'])(
    'is exit 2 for a command about a file: %s',
    async (command) => {
      const { code, out, err } = await macro(`${command} --mirror ${NOWHERE}`);
      expect([code, out, err]).toEqual([2, '', expect.stringContaining('is about a mirror file')]);
    },
  );
});

describe.skipIf(POSTGRES_BIN === undefined)('a mirror on a server', () => {
  it('is absent until something is brought into it, and then answers like a file', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'rates.csv'), RATES);
    const address = await freshAddress();
    const ask = (mirror: string) => macro(`fx eur usd --offline --format json ${mirror}`, at);
    expect((await macro(`mirror status --mirror ${address}`, at)).code).toBe(3);
    for (const mirror of ['', `--mirror ${address}`])
      expect((await macro(`import ecb rates.csv --quiet ${mirror}`, at)).code).toBe(0);
    const [file, server] = [await ask(''), await ask(`--mirror ${address}`)];
    expect([server.code, server.out]).toEqual([file.code, file.out]);
    expect((await macro(`mirror verify --quiet --mirror ${address}`, at)).code).toBe(0);
    await sqlOn(address, 'create role auditor superuser login');
    const verdict = async (mirror: string) =>
      JSON.parse((await macro(`status --check --format json --mirror ${mirror}`, at)).out).verified;
    // Whoever asks the server: the mirror is the same.
    const [verified, other] = [await verdict(address), await verdict(address.replace('//postgres@', '//auditor@'))];
    expect([verified, other]).toEqual(['2026-11-21T05:46:13Z', verified]);
  });

  it('is exported byte for byte as a file, and has the views', async () => {
    const at = testPlatform({ stdin: RATES });
    writeFileSync(join(at.folder, 'rates.csv'), RATES);
    const address = await freshAddress();
    const exported = async (mirror: string) => {
      await macro(`import ecb rates.csv --quiet ${mirror}`, at);
      const { code } = await macro(`mirror export fx -o out.csv ${mirror}`, at);
      const text = readFileSync(join(at.folder, 'out.csv'), 'utf8');
      // A server dates what it is brought by its own clock: when the rows were seen.
      return [code, text.replaceAll(/[^,]*(?=,2026-11-21T05:46:13Z,1,)/g, 'seen')];
    };
    const file = await exported('');
    expect(await exported(`--mirror ${address}`)).toEqual(file);
    expect(await sqlOn(address, 'select date, val, val_text, publisher from v_fx order by date')).toEqual([
      { date: '2026-11-19', val: 1.149, val_text: '1.1490', publisher: 'European Central Bank' },
      { date: '2026-11-20', val: 1.1502, val_text: '1.1502', publisher: 'European Central Bank' },
    ]);
  });

  it('ends a sync as failed when its lock is lost, before it writes again', async () => {
    const address = await freshAddress();
    const upstream = testPlatform();
    const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
    let asked = 0;
    const fetch: Fetch = async (url, init) => {
      asked += 1;
      if (asked === 2) await dropLock(address, 'sync');
      return service.fetch(url, init);
    };
    const at = testPlatform({ fetch, env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k', MACRO_MIRROR: address } });
    const { code, err } = await macro('sync fx sources, calendar usd --quiet', at);
    expect([code, err]).toEqual([8, expect.stringContaining('was lost: it was not renewed in time.')]);
    const [run] = await sqlOn(address, 'select outcome, problem from runs');
    expect(run).toEqual({ outcome: 'failed', problem: expect.stringContaining('was lost: it was') });
    expect(await sqlOn(address, 'select endpoint from series')).toEqual([{ endpoint: 'fx_sources' }]);
    expect((await macro('sync fx sources, calendar usd --quiet', at)).code).toBe(0);
  });

  it('counts the requests of a key once for all machines', async () => {
    const { fetch } = scriptUpstream([told('12'), told('11')]);
    const address = await freshAddress();
    const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test', MACRO_MIRROR: address };
    const [one, other] = [testPlatform({ fetch, env }), testPlatform({ fetch, env })];
    expect((await macro('mirror prepare', one)).code).toBe(0);
    expect((await macro('ping', one)).code).toBe(0);
    const shown = 'quota --fields budget,left,source --format csv';
    const counted = 'budget,left,source\nmonth,12,header\n';
    for (const at of [one, other]) expect((await macro(shown, at)).out).toBe(counted);
    expect((await macro('ping', other)).code).toBe(0);
    expect((await macro(shown, one)).out).toContain('month,11,header');
    expect(await macro('quota --forget', other)).toMatchObject({ code: 0, out: '' });
    expect((await macro(shown, one)).out).toContain('hour,5000,assumed');
  });

  it('counts the requests of who may only read on their machine, says so, and shares them once it may', async () => {
    const address = new URL(await freshAddress());
    const [schema, role] = [address.searchParams.get('schema'), `${address.searchParams.get('schema')}_reads`];
    expect((await macro(`mirror prepare --mirror ${address}`)).code).toBe(0);
    const reads = `grant usage on schema ${schema} to ${role}; grant select on all tables in schema ${schema} to ${role}`;
    await sqlOn(address.href, `create role ${role} login; ${reads}`);
    const owner = address.href;
    address.username = role;
    const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_MIRROR: address.href };
    const at = testPlatform({ ...scriptUpstream([told('12'), told('11'), told('10')]), env });
    const note = /^note: This machine counts its requests for itself. .*cannot be used: this user may not.*\n$/;
    expect(await macro('ping', at)).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    expect((await sqlOn(owner, 'select * from quota')).length).toBe(0);
    const quota = () => macro('quota --fields budget,used --format csv', at);
    expect(await quota()).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    const { data } = JSON.parse((await macro('doctor --format json', at)).out);
    expect(data).toContainEqual({
      ...{ check: 'quota', state: 'note', do: 'macro mirror prepare --grant-to ROLE' },
      says: expect.stringContaining('This machine counts its requests for itself.'),
    });
    await sqlOn(owner, `grant insert, update on ${schema}.quota to ${role}`);
    expect(await macro('ping', at)).toMatchObject({ code: 0, err: '' });
    expect(await quota()).toMatchObject({ code: 0, err: '' });
  });
});
