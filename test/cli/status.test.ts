import { beforeAll, describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
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

describe('macro status', () => {
  it('tells that there is nothing yet, with exit 0 and without making anything', async () => {
    const at = testPlatform({ now: NOW });
    const { code, out } = await macro('status --format json', at);
    const { mirror, last_run, next_due, quota, data } = JSON.parse(out);
    expect([code, last_run, next_due, quota, data, mirror.bytes, mirror.problem]).toEqual([
      0,
      null,
      null,
      [],
      [],
      null,
      'there is none yet',
    ]);
    expect(at.platform.files.exists(mirror.path)).toBe(false);
  });

  it('tells how each tracked selection stands before a sync and after it, asking nobody', async () => {
    const at = await world();
    await macro('track add announcements usd inflation, cot usd', at);
    const before = JSON.parse((await macro('status --format json', at)).out);
    expect(before.data).toEqual([
      {
        selection: 'announcements usd inflation',
        state: 'not all stored',
        series: 1,
        stored: 0,
        due: 1,
        gaps: 1,
        checked: null,
        proof: null,
      },
      {
        selection: 'cot usd',
        state: 'not all stored',
        series: 2,
        stored: 0,
        due: 2,
        gaps: 2,
        checked: null,
        proof: null,
      },
    ]);
    await macro('sync --quiet', at);
    const asked = at.seen.length;
    const { data, last_run, next_due, quota } = JSON.parse((await macro('status --format json', at)).out);
    expect(data).toEqual([
      {
        selection: 'announcements usd inflation',
        state: 'up to date',
        series: 1,
        stored: 1,
        due: 0,
        gaps: 0,
        checked: NOW,
        proof: NOW,
      },
      { selection: 'cot usd', state: 'up to date', series: 2, stored: 2, due: 0, gaps: 0, checked: NOW, proof: NOW },
    ]);
    expect(last_run).toMatchObject({ started: NOW, ended: NOW, outcome: 'complete', requests: asked, problem: null });
    expect(next_due > NOW && quota.length > 0 && at.seen.length === asked).toBe(true);
    await at.clock.advance(2 * 3_600_000);
    const later = JSON.parse((await macro('status --format json', at)).out);
    expect(later.data[0]).toMatchObject({ selection: 'announcements usd inflation', state: 'due', due: 1 });
  });

  it('says when something is due next, counted from the last check', async () => {
    const at = await world();
    await macro('track add fx sources --quiet', at);
    await macro('sync --quiet', at);
    const due = async () => JSON.parse((await macro('status --format json', at)).out).next_due;
    // The list stays fresh for a day.
    const checked = await due();
    await at.clock.advance(40 * 60_000);
    expect([checked, await due()]).toEqual(['2026-11-21T15:00:00Z', '2026-11-21T15:00:00Z']);
  });

  it('names what a key would bring, and counts age without one as with one', async () => {
    const { platform: from } = testPlatform({ now: NOW });
    const service = await serviceOver(await sandboxMirror(from), from);
    const statesWith = async (key: Record<string, string>) => {
      const env = { MACRO_BASE_URL: SERVICE_URL, ...key };
      const at = testPlatform({ now: NOW, env, fetch: service.fetch });
      await macro('track add announcements usd inflation, commodities gold, sentiment', at);
      await macro('sync --quiet', at);
      const states = async () => (await macro('status --no-header --fields state', at)).out.trimEnd().split('\n');
      const first = await states();
      await macro('track remove commodities gold', at);
      const check = (await macro('status --check', at)).out.trimEnd();
      await at.clock.advance(86_400_000);
      return { first, check, next: await states() };
    };
    expect(await statesWith({})).toEqual({
      first: ['up to date, 90 days', 'needs a key', 'up to date'],
      check: 'macro ok: 2 tracked, 2 series, 1 of them for 90 days, oldest check 0 s ago, never verified',
      next: ['due', 'due'],
    });
    expect(await statesWith({ MACRO_API_KEY: 'k-test' })).toEqual({
      first: ['up to date', 'up to date', 'up to date'],
      check: 'macro ok: 2 tracked, 2 series whole, oldest check 0 s ago, never verified',
      next: ['due', 'due'],
    });
  });

  it('counts a series in each selection that has it', async () => {
    const at = await world();
    await macro('track add announcements usd inflation', at);
    await macro('sync --quiet', at);
    await macro('track add cot usd', at);
    await macro('track add cot', at);
    const { data } = JSON.parse((await macro('status --format json', at)).out);
    const [first, one, all] = data;
    expect([first, one]).toEqual([
      {
        ...{ selection: 'announcements usd inflation', state: 'up to date' },
        ...{ series: 1, stored: 1, due: 0, gaps: 0, checked: NOW, proof: NOW },
      },
      {
        selection: 'cot usd',
        state: 'not all stored',
        series: 2,
        stored: 0,
        due: 2,
        gaps: 2,
        checked: null,
        proof: null,
      },
    ]);
    // Ten currencies have a contract of futures, and each has two reports.
    expect(all).toEqual({
      ...{ selection: 'cot', state: 'not all stored' },
      ...{ series: 20, stored: 0, due: 20, gaps: 20, checked: null, proof: null },
    });
  });

  it('tells how the last run went wrong, and ends with 0', async () => {
    const at = await world();
    const gone = { ...at.platform, fetch: async () => new Response('<html>', { status: 200 }) };
    await macro('track add cot usd', at);
    expect((await macro('sync', { ...at, platform: gone })).code).toBe(7);
    const { code, out } = await macro('status --format json', at);
    expect([code, JSON.parse(out).last_run.outcome]).toEqual([0, 'failed']);
  });

  it('tells of a mirror that cannot be read, and ends with 0', async () => {
    const at = await world();
    at.platform.files.write(`${at.folder}/broken.db`, 'no database at all, whatever its name says'.repeat(40));
    const { code, out } = await macro('status --format json --mirror broken.db', at);
    expect([code, JSON.parse(out).mirror.problem]).toEqual([0, expect.stringContaining('broken.db')]);
    const rows = await macro('status --format tsv --quiet --mirror broken.db', at);
    expect([rows.code, rows.err]).toEqual([0, expect.stringMatching(/^warning: .*broken\.db.* [Nn]ame .*\n$/)]);
  });

  it('shows people the facts below the selections', async () => {
    const at = await world();
    await macro('track add cot usd', at);
    const { out } = await macro('status --format table', at);
    expect(out).toMatch(/last run +none/);
    expect(out).toMatch(/next due +2026-11-20T15:00:00Z/);
  });
});
