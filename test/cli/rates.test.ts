import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';

const folder = freshFolder();
const path = join(folder, 'sandbox.db');

beforeAll(async () => {
  const { platform } = testPlatform({ folder });
  copyFileSync(await sandboxPath(platform), path);
}, 60_000);

const run = (line: string) => macro(`${line} --offline --mirror ${path}`);
const table = async (line: string) =>
  (await run(`${line} --format csv`)).out
    .trim()
    .split('\n')
    .map((row) => row.split(','));

describe('rates, factors, positions and prices on the command line', () => {
  it.each([
    ['curve usd', 'maturity'],
    ['curve USD --view slopes', 'slope'],
    ['curve usd --view forwards', 'segment'],
    ['differential eur usd', 'spread'],
    ['differential EUR/USD --measure gov_bond_10y', 'spread'],
    ['differential eurusd --rate-type forward', 'spread'],
    ['factor usd', 'label'],
    ['factor usd monetary_stance --start -30d', 'label'],
    ['cot eur', 'noncommercial_net'],
    ['cot usd --report tff_futures', 'leveraged_funds_net'],
    ['prices usd --measure yield', 'instrument_id'],
  ])('macro %s shows its %s', async (line, column) => {
    const [header = [], first = []] = await table(line);
    expect(header).toContain(column);
    expect(first[header.indexOf(column)]).not.toBe('');
  });

  it('takes the one factor there is when none is named', async () => {
    expect(await table('factor usd')).toEqual(await table('factor usd monetary_stance'));
    const { code, err } = await macro('factor --offline');
    expect([code, err]).toEqual([2, expect.stringContaining('macro factor needs CURRENCY [FACTOR].')]);
    expect((await run('factor usd momentum')).code).toBe(2);
    expect((await macro('factor usd monetary_stance more --offline')).code).toBe(2);
    expect((await macro('factor --help')).out).toContain('CURRENCY [FACTOR]');
  });

  it('draws tables for people', async () => {
    const { out } = await run('curve usd --view slopes --format table');
    expect(out).toMatch(/^USD .*Sandbox|USD/);
    expect(out).toContain('2Y10Y');
    expect(out).not.toContain('maturity_years');
  });

  it('says in the words of the command line what is wrong', async () => {
    const backwards = await run('differential eur usd --start-tenor-years 5 --end-tenor-years 2');
    expect([backwards.code, backwards.err]).toEqual([
      2,
      expect.stringContaining('--start-tenor-years must be less than --end-tenor-years'),
    ]);
    expect((await run('curve usd --view curves')).err).toContain('nodes, slopes, forwards');
    expect((await run('curve usd --max-staleness-days 367')).code).toBe(2);
  });

  it('takes the list of today for no answer about another day', async () => {
    const { code, out, err } = await run('curve pln --as-of 2001-01-01');
    expect([code, out, err]).toEqual([
      3,
      '',
      expect.stringContaining('The mirror has nothing for announcements PLN, catalogue PLN.'),
    ]);
  });

  it('names the series that is not held', async () => {
    const { code, err } = await run('differential nok sek --rate-type forward');
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('The mirror has nothing for differential NOK SEK rate_type=forward.'),
    ]);
  });
});

it('titles name measure and unit, and two curves have the change between them', async () => {
  const first = async (line: string) =>
    (await run(`${line} --format table --quiet`)).out.split('\n')[0]?.split('  ')[0];
  expect([
    await first('curve usd --date 2026-11-20'),
    await first('curve usd --date 2026-11-20 --view slopes'),
    await first('differential eur usd --measure gov_bond_10y'),
    await first('cot eur --report tff_futures'),
  ]).toEqual([
    'Government bond curve of USD: 2026-11-20, %',
    'Government bond curve of USD: 2026-11-20, slopes',
    'EUR/USD spread of gov_bond_10y, %',
    'EUR tff_futures, contracts',
  ]);
  const { out } = await run('curve usd --date 2026-11-20,2026-10-20 --format json --quiet');
  const rows: Record<string, number>[] = JSON.parse(out).data;
  const hundredths = (val = Number.NaN) => Math.round(val * 100);
  expect(rows.length).toBe(3);
  expect(rows.map(({ change }) => hundredths(change))).toEqual(
    rows.map((row) => hundredths(row['2026-10-20']) - hundredths(row['2026-11-20'])),
  );
});

it.each([
  ['slopes', 'slope'],
  ['forwards', 'segment'],
])('%s of two dates are those of each date, and their change', async (view, name) => {
  const rowsOf = async (dates: string): Promise<Record<string, number>[]> =>
    JSON.parse((await run(`curve usd --view ${view} --date ${dates} --format json --quiet`)).out).data;
  const [later, earlier] = [await rowsOf('2026-11-20'), await rowsOf('2026-10-20')];
  const both = await rowsOf('2026-11-20,2026-10-20');
  expect([both.length > 0, both.map((row) => row[name])]).toEqual([true, later.map((row) => row[name])]);
  expect(both.map((row) => [row['2026-11-20'], row['2026-10-20']])).toEqual(
    later.map(({ val }, i) => [val, earlier[i]?.val]),
  );
  const millionths = (val = Number.NaN) => Math.round(val * 1e6);
  expect(both.map(({ change }) => millionths(change))).toEqual(
    later.map(({ val }, i) => millionths(earlier[i]?.val) - millionths(val)),
  );
});
