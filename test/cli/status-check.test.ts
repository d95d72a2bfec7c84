import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { edit } from '../mirror/support.ts';
import { testPlatform } from '../support/platform.ts';
import { readPrometheusText } from '../support/prometheus-text.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';

beforeAll(() => sandboxPath(testPlatform({ now: NOW }).platform), 120_000);

async function world() {
  const upstream = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' };
  return { ...testPlatform({ now: NOW, env, fetch: service.fetch }), seen: service.seen };
}

const TRACK = 'track add announcements usd inflation, cot usd --quiet';

describe('macro status --check', () => {
  it('is one line and exit 0 when all is well, and asks nobody', async () => {
    const at = await world();
    await macro(TRACK, at);
    await macro('sync --quiet', at);
    const asked = at.seen.length;
    expect(await macro('status --check', at)).toEqual({
      code: 0,
      out: 'macro ok: 2 tracked, 3 series whole, oldest check 0 s ago, never verified\n',
      err: '',
    });
    expect(at.seen.length).toBe(asked);
  });

  it('says when all rows were verified, of which a metric and doctor speak too, and is exit 9 when some are altered', async () => {
    const at = await world();
    await macro(TRACK, at);
    await macro('sync --quiet', at);
    // A part is not the whole.
    await macro('mirror verify cot usd --quiet', at);
    expect((await macro('status --check', at)).out).toContain('never verified');
    await macro('mirror verify --quiet', at);
    await at.clock.advance(20 * 60_000);
    expect((await macro('status --check --max-age 1d', at)).out).toContain(
      'oldest check 20 min ago, verified 20 min ago\n',
    );
    const metrics = readPrometheusText((await macro('metrics', at)).out);
    const when = Date.parse('2026-11-20T15:00:00Z') / 1000;
    expect(metrics.macro_mirror_verified_timestamp_seconds?.samples).toEqual({ '': when });
    expect(metrics.macro_mirror_verify_problems?.samples).toEqual({ '': 0 });
    const told = async () => {
      const { data } = JSON.parse((await macro('doctor --offline --format json', at)).out);
      return data.find(({ check }: { check: string }) => check === 'rows');
    };
    expect(await told()).toMatchObject({
      state: 'ok',
      says: 'not checked here, last by macro mirror verify at 2026-11-20T15:00:00Z',
    });
    edit(join(at.folder, 'macro', 'mirrors', 'default.db'), 'delete from cot where date = (select min(date) from cot)');
    expect((await macro('mirror verify --quiet', at)).code).toBe(9);
    const { code, out } = await macro('status --check', at);
    expect([code, out]).toEqual([
      9,
      expect.stringMatching(/^macro altered: the check of 2026-11-20T15:20:00Z found \d+ problems in stored rows\n$/),
    ]);
    expect(await told()).toMatchObject({ state: 'problem' });
  });

  it('is exit 10 while there are holes', async () => {
    const at = await world();
    await macro(TRACK, at);
    await macro('sync --quiet cot usd', at);
    expect(await macro('status --check --quiet', at)).toEqual({
      code: 10,
      out: 'macro missing: announcements usd inflation is missing dates\n',
      err: 'macro: To bring it up to date: macro sync\n',
    });
  });

  it('is exit 8 where something is tracked and no mirror is there, and does not send the sync there', async () => {
    const at = await world();
    await macro(TRACK, at);
    const path = join(at.folder, 'unmounted', 'macro.db');
    const { code, out, err } = await macro(`status --check --mirror ${path}`, at);
    expect([code, out]).toEqual([8, `macro unreadable: there is no mirror at ${path}\n`]);
    expect(err).toContain('If it should be there, mount its disk or correct its address.');
  });

  it('is exit 11 when a series is older than its kind, or than --max-age', async () => {
    const at = await world();
    await macro(TRACK, at);
    await macro('sync --quiet', at);
    await at.clock.advance(2 * 3_600_000);
    const late = await macro('status --check --format json', at);
    expect([late.code, JSON.parse(late.out)]).toEqual([
      11,
      {
        state: 'stale',
        exit: 11,
        message: 'announcements usd inflation, cot usd are stale, oldest check 2 h 0 min ago',
        verified: null,
      },
    ]);
    expect((await macro('status --check --max-age 1d', at)).code).toBe(0);
    expect((await macro('status --check --max-age 30m', at)).code).toBe(11);
  });

  it('is exit 6 when the last run failed, whatever else is wrong', async () => {
    const at = await world();
    await macro(TRACK, at);
    const platform = { ...at.platform, fetch: async () => new Response('<html>', { status: 200 }) };
    await macro('sync', { ...at, platform });
    const { code, out } = await macro('status --check', at);
    expect([code, out]).toEqual([
      6,
      expect.stringMatching(/^macro failed: the sync of 2026-11-20T15:00:00Z failed: .+\n$/),
    ]);
    expect(out.split('\n').length).toBe(2);
  });

  it('is exit 6 after a sync that got no answer at all, though series that are not due need none', async () => {
    const at = await world();
    await macro('track add announcements usd inflation, cot usd, fx eur usd, calendar usd --quiet', at);
    await macro('sync --quiet', at);
    await at.clock.advance(10 * 60_000);
    const platform = { ...at.platform, fetch: () => Promise.reject(new TypeError('fetch failed')) };
    expect((await macro('sync', { ...at, platform })).code).toBe(6);
    const { code, out } = await macro('status --check', at);
    expect([code, out]).toEqual([
      6,
      expect.stringMatching(/^macro failed: the sync of 2026-11-20T15:10:00Z failed: Cannot get an answer from /),
    ]);
  });

  it('is exit 6 when some series of the last run failed, and names them', async () => {
    const at = await world();
    await macro(TRACK, at);
    await macro('sync', at);
    await macro('sync announcements usd nonsense, cot usd', at);
    expect((await macro('status --check', at)).code).toBe(0);
    await macro('track add announcements usd nonsense', at);
    await macro('sync announcements usd nonsense, cot usd', at);
    const { code, out } = await macro('status --check', at);
    expect([code, out]).toEqual([
      6,
      expect.stringMatching(
        /^macro failed: the sync of 2026-11-20T15:00:00Z failed for announcements usd nonsense: .+\n$/,
      ),
    ]);
  });

  it('is exit 2 when nothing is tracked, and 8 for a mirror that cannot be read', async () => {
    const at = await world();
    expect((await macro('status --check', at)).code).toBe(2);
    at.platform.files.write(`${at.folder}/broken.db`, 'no database at all, whatever its name says'.repeat(40));
    const { code, out } = await macro('status --check --mirror broken.db', at);
    expect([code, out]).toEqual([8, expect.stringMatching(/^macro unreadable: .*broken\.db.*\n$/)]);
  });
});
