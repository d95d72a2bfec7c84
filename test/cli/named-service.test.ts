import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/platform/platform.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const [A, B, C] = ['https://a.example', 'https://b.example', 'https://c.example'];
const DATES = ['2026-11-20', '2026-11-19', '2026-11-18'];

/** What each service says of EUR/USD; the newest date of C differs. */
const VALUES: Readonly<Record<string, readonly number[]>> = {
  [A]: [1.1, 1.2, 1.3],
  [B]: [1.1, 1.2, 1.3],
  [C]: [9.9, 1.2, 1.3],
};

const services =
  (asked: string[]): Fetch =>
  async (url) => {
    const { origin, searchParams, pathname } = new URL(url);
    asked.push(`${origin}${pathname}`);
    const [from, to] = [searchParams.get('start_date') ?? '', searchParams.get('end_date') ?? ''];
    const data = DATES.map((date, i) => ({ date, val: VALUES[origin]?.[i] })).filter(
      ({ date }) => date >= from && date <= to,
    );
    const pagination = {
      limit: 100,
      offset: 0,
      returned_count: data.length,
      total_count: data.length,
      has_more: false,
    };
    return Response.json({ base: 'EUR', quote: 'USD', pagination, data });
  };

const ASK = 'fx eur usd --start 2026-11-18 --end 2026-11-20 --fields date,val';
const ROWS = 'date\tval\n2026-11-20\t1.1\n2026-11-19\t1.2\n2026-11-18\t1.3\n';

async function filled() {
  const asked: string[] = [];
  const world = testPlatform({ fetch: services(asked), env: { MACRO_API_KEY: 'k-test' } });
  const say = (line: string) => macro(line, world);
  expect(await say(`${ASK} --base-url ${A} --quiet`)).toMatchObject({ code: 0, out: ROWS });
  asked.length = 0;
  return { world, say, asked };
}

describe('a mirror that holds answers of one service', () => {
  it.each([
    `${ASK} --base-url ${B}`,
    `${ASK} --base-url ${B} --offline`,
    `${ASK} --base-url ${B} --as-of 2026-11-21`,
    `fx eur usd --indicators sma_20 --base-url ${B}`,
    `api '/v1/forex/EUR/USD' --base-url ${B} --offline`,
    `why eur/usd 2026-11-20 --base-url ${B}`,
    `diff fx eur usd --from 2026-11-01 --base-url ${B}`,
    `compare eur usd --origins --base-url ${B}`,
    `serve --port 0 --base-url ${B}`,
  ])('answers nobody who names another one: %s', async (line) => {
    const { say, asked } = await filled();
    const { code, out, err } = await say(line);
    expect([code, out, err]).toEqual([8, '', expect.stringContaining(`has answers of ${A}, not of ${B}.`)]);
    expect(asked).toEqual([]);
  });

  it('answers whoever names none, or the same one in another spelling', async () => {
    const { say } = await filled();
    for (const line of [ASK, `${ASK} --offline`, `${ASK} --base-url ${A}/v1/`, `${ASK} --base-url ${A}/api/v1`])
      expect([line, await say(line)]).toMatchObject([line, { code: 0, out: ROWS }]);
  });

  it('answers by its environment and its profile as by the option', async () => {
    const { world } = await filled();
    const named = { ...world, platform: { ...world.platform, env: { ...world.platform.env, MACRO_BASE_URL: B } } };
    expect((await macro(`${ASK} --offline`, named)).code).toBe(8);
  });

  it('gives rows of files to whoever is named', async () => {
    const { world, say, asked } = await filled();
    writeFileSync(join(world.folder, 'ecb.csv'), 'Date,USD,\n2026-11-20,5.1,\n2026-11-19,5.2,\n2026-11-18,5.3,\n');
    expect((await say('import ecb.csv --quiet')).code).toBe(0);
    const { code, out } = await say(`${ASK} --base-url ${B} --offline --quiet`);
    expect([code, out]).toEqual([0, 'date\tval\n2026-11-20\t5.1\n2026-11-19\t5.2\n2026-11-18\t5.3\n']);
    expect((await say(`${ASK} --base-url ${A} --offline --quiet`)).out).toBe(ROWS);
    expect(asked).toEqual([]);
  });
});

describe('macro mirror bind', () => {
  it('follows the service to an address that says the same, with a record', async () => {
    const { say } = await filled();
    const { code, out, err } = await say(`mirror bind ${B}`);
    const rows = DATES.map((date) => `fx eur usd\t${date}\tsame\n`);
    expect([code, out]).toEqual([0, `series\trow\tresult\n${rows.join('')}`]);
    expect(err).toContain(`belongs to ${B} from now on.`);
    expect(await say(`${ASK} --base-url ${B} --offline`)).toMatchObject({ code: 0, out: ROWS });
    expect((await say(`${ASK} --base-url ${A} --offline`)).code).toBe(8);
    const { service, bindings } = JSON.parse((await say('mirror status --format json')).out);
    expect([service, bindings]).toEqual([B, [{ from: A, to: B, at: expect.any(String), compared: 3, different: 0 }]]);
    expect((await say('mirror verify')).code).toBe(0);
  });

  it.each(['', ' --yes'])('refuses an address that says otherwise%s', async (option) => {
    const { say } = await filled();
    const { code, err } = await say(`mirror bind ${C}${option}`);
    expect([code, err]).toEqual([8, expect.stringContaining(`${C} says otherwise of 1 of 3 stored dates`)]);
    expect((await say(`${ASK} --base-url ${A} --offline`)).code).toBe(0);
  });

  it('takes one that says otherwise with --accept-different', async () => {
    const { say } = await filled();
    expect((await say(`mirror bind ${C} --accept-different`)).code).toBe(0);
    expect(await say(`${ASK} --base-url ${C} --offline`)).toMatchObject({ code: 0, out: ROWS });
  });

  it('asks nothing and changes nothing in a dry run', async () => {
    const { say, asked } = await filled();
    expect(await say(`mirror bind ${B} --dry-run`)).toMatchObject({
      code: 0,
      err: expect.stringContaining(`ask ${B} for 3 stored dates`),
    });
    expect([asked, (await say(`${ASK} --base-url ${A} --offline`)).code]).toEqual([[], 0]);
  });

  it('refuses a mirror of no service', async () => {
    const world = testPlatform({ fetch: services([]), env: { MACRO_API_KEY: 'k-test' } });
    writeFileSync(join(world.folder, 'ecb.csv'), 'Date,USD,\n2026-11-20,5.1,\n');
    await macro('import ecb.csv --quiet', world);
    const { code, err } = await macro(`mirror bind ${B}`, world);
    expect([code, err]).toEqual([2, expect.stringContaining('belongs to no service yet')]);
  });
});
