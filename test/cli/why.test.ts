import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

let path: string;
beforeAll(async () => {
  path = await sandboxPath(testPlatform({}).platform);
});

const run = (line: string) => macro(`why ${line} --mirror ${path}`);

/** Of which series and row each line is, and by which word that is known. */
async function told(line: string): Promise<readonly string[]> {
  const { code, out, err } = await run(`${line} --format json`);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out).data.map(({ series, date, row }: Record<string, string>) => `${series}: ${row ?? date}`);
}

const EVENTS = ['core_inflation', 'inflation', 'retail_sales'].map(
  (name) => `calendar usd: 2026-11-16T13:30:00Z usd_${name}_1794835800`,
);

describe('macro why tells of any series that is held', () => {
  it.each([
    ['commodities gold 2026-11-20', ['commodities gold: 2026-11-20']],
    ['factor aud monetary_stance 2026-11-20', ['factor aud monetary_stance true true: 2026-11-20']],
    ['sentiment 2026-11-20', ['sentiment: 2026-11-20', 'sentiment: 2026-11-20']],
    ['announcements usd inflation 2026-09-30', ['announcements usd inflation: 2026-09-30']],
    ['fx gbpjpy 2026-11-20', ['fx gbp jpy: 2026-11-20', 'fx eur gbp: 2026-11-20', 'fx eur jpy: 2026-11-20']],
    ['cot eur 2026-11-10', ['cot eur legacy_futures: 2026-11-10', 'cot eur tff_futures: 2026-11-10']],
    ['COT EUR legacy_futures 2026-11-10', ['cot eur legacy_futures: 2026-11-10']],
    ['catalogue usd inflation', ['catalogue usd: inflation']],
    ['calendar usd 2026-11-16', EVENTS],
    ['calendar usd 2026-11-16T13:30:00Z', EVENTS],
    [
      'fx reference eur usd 2026-11-20',
      ['07:00', '09:00', '11:00', '13:15'].map(
        (time) => `fx reference eur usd: 2026-11-20 2026-11-20T${time}:00Z sandbox_eur_daily EUR/USD fixing`,
      ),
    ],
  ])('%s', async (line, lines) => {
    expect(await told(line)).toEqual(lines);
  });

  it('names a row of several numbers by its key, in a listing too', async () => {
    const { out } = await run('cot eur tff_futures 2026-11-10 --fields row,public --format csv');
    expect(out).toBe('row,public\n2026-11-10,2026-11-13T20:30:00Z\n');
  });
});

it('shows the contracts of each group of a report', async () => {
  const at = testPlatform({ now: '2026-11-27T18:00:00Z' });
  const file = join(import.meta.dirname, '../fixtures/official/cftc-financial-2026-06.txt');
  expect((await macro(`import ${file}`, at)).code).toBe(0);
  const { out } = await macro('why cot jpy 2026-06-09 --fields val --format csv --no-header', at);
  // Columns 9, 10, 12, 13, 15, 16, 18, 19, 23 and 24 of the line of the yen.
  const groups = [
    ...['dealer 154259 long, 30713 short, 123546 net', 'asset_manager 73711 long, 151787 short, -78076 net'],
    ...['leveraged_funds 91168 long, 191012 short, -99844 net', 'other_reportable 54430 long, 3505 short, 50925 net'],
    'nonreportable 46489 long, 43040 short, 3449 net',
  ];
  expect(out).toBe(`"${groups.join('; ')}"\n`);
});

it('shows the formula of a published change with its numbers, and how each value was known', async () => {
  const at = testPlatform({ now: '2026-11-27T18:00:00Z' });
  const official = (name: string) => join(import.meta.dirname, '../fixtures/official', name);
  expect((await macro(`import ${official('bls-cpi-2024.txt')} --quiet`, at)).code).toBe(0);
  const shown = async (line: string) =>
    (await macro(`why ${line} --fields series,val,marks,how --format csv --no-header`, at)).out.trimEnd().split('\n');
  const RULE =
    '"imported; unadjusted prices are known from 08:30 New York time, 33 days after the end of their month, assumed. Earlier months are known with January 1988, the first index on their base, and months corrected in 2000 from the correction. Adjusted prices are known from the import"';
  // 306.746 / 296.797 is 1.0335, and 299.170 / 281.148 is 1.0641.
  expect(await shown('usd/inflation 2023-01-31')).toEqual([
    `announcements usd inflation,6.4,assumed time,${RULE.replace('imported', '299.170 / 281.148 - 1; imported')}`,
    `announcements usd level inflation,299.170,assumed time,${RULE}`,
  ]);
  // The file has no index of the year before.
  expect(await shown('usd/inflation 2022-01-31')).toEqual([
    `announcements usd level inflation,281.148,assumed time,${RULE}`,
  ]);
  expect((await macro(`import ${official('alfred-payems-change-2021.csv')} --quiet`, at)).code).toBe(0);
  expect(await shown('usd/non_farm_payrolls_change 2021-03-31')).toEqual(
    ['916,"first print, assumed time"', '770,"revised, assumed time"', '785,"revised, assumed time"'].map(
      (value) => `announcements usd non_farm_payrolls_change,${value},listed among the vintages of the row`,
    ),
  );
});

describe('what macro why cannot tell', () => {
  it.each([
    ['panel 2026-11-20', 3, "No series of the mirror is named 'panel': such an answer is computed of other series"],
    ['sessions 2026-11-20', 3, "No series of the mirror is named 'sessions': such an answer is computed"],
    ['commodities silber 2026-11-20', 3, "No series of the mirror is named 'commodities silber'."],
    [
      'commodities gold 2019-01-01',
      3,
      'There is no row of commodities gold for 2019-01-01: the mirror covers that part',
    ],
    ['cot eur 2026-11-09', 3, 'The row before it is that of 2026-11-03.'],
    ['predictions 2026-09-30', 2, "'predictions' names"],
    ['comodities gold 2026-11-20', 2, 'Did you mean macro why commodities?'],
    ['commodities gold 12', 3, 'There is no row of commodities gold for 12: the mirror covers that part'],
    ['eur 2026-11-20', 2, 'macro why needs CCY/INDICATOR, BASE/QUOTE or the words of a series, then a date.'],
  ])('%s', async (line, code, sentence) => {
    const ran = await run(line);
    expect([ran.code, ran.out]).toEqual([code, '']);
    expect(ran.err).toContain(sentence);
  });
});

it('a row that is not held is exit 10 and its hint brings it; one that does not exist is exit 3', async () => {
  const upstream = testPlatform({});
  const { fetch } = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const at = testPlatform({ fetch, env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' } });
  expect((await macro('commodities gold --limit 5 --live', at)).code).toBe(0);
  const held = await macro('why commodities gold 2026-10-14', at);
  expect([held.code, held.err]).toEqual([10, expect.stringContaining('Complete it with: macro sync commodities gold')]);
  expect((await macro('sync commodities gold', at)).code).toBe(0);
  expect((await macro('why commodities gold 2026-10-14', at)).code).toBe(0);
  const none = await macro('why commodities gold 2026-10-17', at);
  expect([none.code, none.err]).toEqual([3, expect.stringContaining('There is no row of commodities gold')]);
});

describe('macro why explains a computed number', () => {
  const FIXTURE = join(import.meta.dirname, '../fixtures/official/ecb-eurofxref-2026-04-13.csv');

  // Rates of the file: EUR/GBP 0.87058, EUR/JPY 186.75, EUR/USD 1.1684.
  it.each([
    ['gbp/jpy', 'EUR/JPY 186.75 / EUR/GBP 0.87058', 186.75 / 0.87058, ['fx eur gbp', 'fx eur jpy']],
    ['usd/eur', '1 / EUR/USD 1.1684', 1 / 1.1684, ['fx eur usd']],
  ])('of %s: its legs and its formula', async (pair, how, val, legs) => {
    const at = testPlatform({});
    expect((await macro(`import ecb ${FIXTURE}`, at)).code).toBe(0);
    const { out } = await macro(`why ${pair} 2026-04-13 --format json`, at);
    const [made, ...others] = JSON.parse(out).data;
    expect(made).toMatchObject({ series: `fx ${pair.replace('/', ' ')}`, date: '2026-04-13', how, origin: 'computed' });
    expect(made.val).toBeCloseTo(val, 5);
    expect(others.map(({ series }: Record<string, string>) => series).sort()).toEqual(legs);
  });

  it.each([
    ['curve usd 2026-11-21', /^the newest yield of each of \d+ maturities/, /^announcements usd gov_bond_\d+[ym]$/],
    [
      'differential usd eur 2026-11-20',
      /^USD (\w+) [\d.]+ - EUR \1 [\d.]+$/,
      /^announcements (usd|eur) risk_free_rate$/,
    ],
    ['sentiment 2026-11-20', /^sum of ofr_fsi /, /^sentiment$/],
  ])('of %s', async (line, how, series) => {
    const { out } = await run(`${line} --format json`);
    const [made, ...legs] = JSON.parse(out).data;
    expect(made).toMatchObject({ how: expect.stringMatching(how), origin: 'computed' });
    expect(legs.length).toBeGreaterThan(0);
    for (const leg of legs) expect(leg.series).toMatch(series);
    if (!line.startsWith('differential')) return;
    const [base, quote] =
      how
        .exec(made.how)
        ?.input.match(/-?\d+(?:\.\d+)?(?= |$)/g)
        ?.map(Number) ?? [];
    expect(made.val).toBeCloseTo(Number(base) - Number(quote), 6);
  });
});

it('begins with the series whose value the answer shows, before the indexes that it was computed of', async () => {
  const at = testPlatform({ now: '2026-11-27T18:00:00Z' });
  const file = join(import.meta.dirname, '../fixtures/official/bls-cpi-2024.txt');
  expect((await macro(`import ${file}`, at)).code).toBe(0);
  const { out } = await macro('why usd/inflation 2023-12-31 --fields series,val --format csv --no-header', at);
  expect(out.split('\n')[0]).toBe('announcements usd inflation,3.4');
});
