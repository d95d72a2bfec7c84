import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { type Exchange, scriptUpstream } from '../support/upstream.ts';

const BASE = '--base-url https://svc.example';
const PING: Exchange = {
  request: 'GET /v1/ping',
  body: { status: 'ok', service: 'x' },
  times: 9,
  headers: {
    'ratelimit-limit': '300',
    'ratelimit-remaining': '12',
    'ratelimit-reset': '47',
    'ratelimit-policy': '300;w=60, 5000;w=3600, 1000000;w=843227',
  },
};

function world(exchange: Partial<Exchange> = {}): TestPlatform {
  const { fetch } = scriptUpstream([{ ...PING, ...exchange }]);
  return testPlatform({ fetch, env: { MACRO_API_KEY: 'k-test' } });
}

describe('macro quota', () => {
  it('shows the published plan before any answer, and asks nobody', async () => {
    expect(await macro(`quota ${BASE} --fields budget,limit,left,source`, testPlatform())).toEqual({
      code: 0,
      out: 'budget\tlimit\tleft\tsource\nday\t100\t100\tassumed\n',
      err: '',
    });
  });

  it('shows what the last answer told, and what is counted', async () => {
    const at = world();
    await macro(`ping ${BASE}`, at);
    expect((await macro(`quota ${BASE} --format csv`, at)).out).toBe(
      [
        'budget,limit,used,reserved,left,resets_at,resets_in,source,reported_at',
        'minute,300,288,0,12,2026-11-21T05:47:00Z,47,header,2026-11-21T05:46:13Z',
        'hour,5000,1,0,4999,2026-11-21T06:00:00Z,827,counted,',
        'month,1000000,1,0,999999,2026-12-01T00:00:00Z,843227,counted,',
        'concurrency,20,0,0,20,,,counted,',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await macro(`quota ${BASE} --format json`, at)).out)).toMatchObject({
      service: 'https://svc.example',
      access: expect.stringMatching(/^key:[0-9a-f]{12}$/),
      reported: true,
      hold: null,
      reservations: [],
    });
  });

  it('says that nothing is counted where the answers tell no quota, as those of serve --open', async () => {
    const at = world({ headers: {} });
    await macro(`ping ${BASE}`, at);
    expect((await macro(`quota ${BASE} --fields budget,used,source --no-header`, at)).err).toBe(
      'note: This service sends no quota with its answers. These are the published budgets, and nothing is counted.\n',
    );
  });

  it('tells until when the service asked to wait, as do the plan and the status, and none of them asks', async () => {
    const refusal: Exchange = { request: 'GET /v1/ping', status: 429, headers: { 'retry-after': '4000' } };
    const { fetch } = scriptUpstream([refusal]);
    const at = testPlatform({ fetch, env: { MACRO_API_KEY: 'k-test' } });
    expect((await macro(`ping ${BASE}`, at)).code).toBe(5);
    expect((await macro(`quota ${BASE} --fields budget`, at)).err).toBe(
      'note: The service asked to wait: no request leaves before 2026-11-21T06:52:53Z.\n',
    );
    const { out } = await macro(`sync fx eur usd --plan ${BASE} --format json`, at);
    expect(JSON.parse(out)).toMatchObject({ at_least: 1, seconds: 4000 });
    expect(JSON.parse((await macro(`status ${BASE} --format json`, at)).out).quota_held_until).toBe(
      '2026-11-21T06:52:53Z',
    );
    expect((await macro(`quota ${BASE} --forget`, at)).code).toBe(0);
    expect((await macro(`quota ${BASE} --fields budget`, at)).err).toBe('');
  });

  it('forgets what is known when it is told to', async () => {
    const at = world();
    await macro(`ping ${BASE}`, at);
    expect(await macro(`quota ${BASE} --forget`, at)).toEqual({
      code: 0,
      out: '',
      err: 'note: The known quota of https://svc.example is forgotten; the next answer tells it.\n',
    });
    expect((await macro(`quota ${BASE} --fields left,source`, at)).out).toContain('300\tassumed');
  });

  it('needs a service', async () => {
    expect(await macro('quota')).toMatchObject({ code: 4, out: '' });
  });
});

describe('spending', () => {
  const spent = { headers: { ...PING.headers, 'ratelimit-remaining': '0' } };

  it('a spent budget is exit 5 in the next process, which sends nothing', async () => {
    const at = world({ ...spent, times: 1 });
    expect((await macro(`ping ${BASE}`, at)).code).toBe(0);
    expect(await macro(`ping ${BASE}`, at)).toEqual({
      code: 5,
      out: '',
      err:
        'macro: The request budget of this minute is used up; it frees in 49 s.\n' +
        'Run it again then, or let it wait with --wait. See macro quota. With --offline the mirror answers.\n',
    });
  });

  it.each(['--wait', '--max-wait 1m', '--wait --max-wait 1m'])(
    '%s waits for it and says until when',
    async (option) => {
      const at = world(spent);
      await macro(`ping ${BASE}`, at);
      expect(await macro(`ping ${BASE} ${option}`, at)).toMatchObject({
        code: 0,
        err: 'note: The request budget of this minute is used up. Waiting until 2026-11-21T05:47:01Z.\n',
      });
      expect(at.clock.slept).toEqual([48_025]);
    },
  );

  it.each(['--max-wait 30s', '--wait --max-wait 30s'])('%s does not wait for what frees later', async (option) => {
    const at = world(spent);
    await macro(`ping ${BASE}`, at);
    expect(await macro(`ping ${BASE} ${option}`, at)).toEqual({
      code: 5,
      out: '',
      err:
        'macro: The request budget of this minute is used up; it frees in 49 s.\n' +
        'Run it again then, or let it wait with --wait. See macro quota. With --offline the mirror answers.\n',
    });
    expect(at.clock.slept).toEqual([]);
  });

  it('--wait also obeys a refusal that asks for longer than a minute', async () => {
    const refusal: Exchange = { request: 'GET /v1/ping', status: 429, headers: { 'retry-after': '4000' } };
    const { fetch } = scriptUpstream([refusal, { ...PING, times: 1 }]);
    const at = testPlatform({ fetch });
    expect((await macro(`ping ${BASE} --wait`, at)).code).toBe(0);
    expect(at.clock.slept).toEqual([4_000_000]);
  });

  it('--budget ends a run with exit 5', async () => {
    expect(await macro(`ping ${BASE} --budget 0`, world())).toEqual({
      code: 5,
      out: '',
      err: 'macro: This run may send 0 requests, and has.\nRun it again to continue, or give a larger --budget. With --offline the mirror answers.\n',
    });
    expect((await macro(`ping ${BASE} --budget 1`, world())).code).toBe(0);
  });

  it('--budget counts tries as well', async () => {
    const at = world({ status: 503, times: 3 });
    expect(await macro(`ping ${BASE} --budget 2`, at)).toMatchObject({ code: 5 });
  });

  it.each(['--budget many', '--budget -1', '--max-wait soon', '--wait --max-wait soon'])(
    '%s is exit 2, whoever answers',
    async (options) => {
      expect(await macro(`sessions --offline ${options}`)).toMatchObject({ code: 2, out: '' });
    },
  );
});

describe('a ledger that cannot be kept', () => {
  const note = /^note: This run counts its requests for itself\. /;

  it('is a note, not a failure: a file that is none', async () => {
    const at = world();
    mkdirSync(join(at.folder, 'macro', 'state'), { recursive: true });
    writeFileSync(join(at.folder, 'macro', 'state', 'quota.db'), 'no database '.repeat(100));
    expect(await macro(`ping ${BASE}`, at)).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    expect(await macro(`quota ${BASE}`, at)).toMatchObject({ code: 8, err: expect.stringContaining('is made anew') });
  });

  it('is a note, not a failure: a state folder that is a file', async () => {
    const at = world();
    mkdirSync(join(at.folder, 'macro'), { recursive: true });
    writeFileSync(join(at.folder, 'macro', 'state'), '');
    expect(await macro(`ping ${BASE}`, at)).toMatchObject({ code: 0, err: expect.stringMatching(note) });
  });

  it.skipIf(process.getuid?.() === 0)(
    'is a note, not a failure: a folder that cannot be written (not as root)',
    async () => {
      const at = world();
      mkdirSync(join(at.folder, 'macro', 'state'), { recursive: true });
      chmodSync(join(at.folder, 'macro', 'state'), 0o500);
      expect(await macro(`ping ${BASE}`, at)).toMatchObject({ code: 0, err: expect.stringMatching(note) });
    },
  );
});
