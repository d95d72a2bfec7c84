import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/official');

/** What an answer says of its numbers, whichever way it came. */
const MARKS = [
  'is_derived',
  'is_official',
  'source_type',
  'is_stale',
  'data_lag_days',
  'stale_after_days',
  'has_assumed_release_times',
  'assumed_release_time_count',
] as const;

/** Files, a question, its rows, and whether a rule says when each was published. */
it.each([
  ['treasury-par-yields-2022-03.csv', 'announcements usd gov_bond_10y', '2022-03-01', '2022-03-11', 9, true],
  ['frb-h15-2022-03.csv', 'announcements usd gov_bond_10y', '2022-02-11', '2022-02-14', 2, true],
  ['cftc-financial-2026-06.txt', 'cot jpy --report tff_futures', '2026-06-01', '2026-06-09', 2, true],
  ['ecb-eurofxref-2026-04-13.csv', 'fx eur usd', '2026-04-10', '2026-04-13', 2, true],
  ['fred-unrate-2026.csv', 'announcements usd unemployment', '2026-01-01', '2026-02-28', 2, false],
])('%s is marked the same now and as of now', async (file, question, start, end, rows, isAssumed) => {
  const at = testPlatform({ now: '2026-11-27T00:00:00Z' });
  copyFileSync(join(FIXTURES, file), join(at.folder, file));
  expect((await macro(`import ${file}`, at)).code).toBe(0);
  const marksOf = async (options: string) => {
    const line = `${question} --offline --start ${start} --end ${end} --allow-partial --format json ${options}`;
    const { data, data_quality: quality } = JSON.parse((await macro(line, at)).out);
    return [data.length, Object.fromEntries(MARKS.map((name) => [name, quality[name]]))];
  };
  const now = await marksOf('');
  expect(now).toEqual(await marksOf('--as-of 2026-11-27T00:00:00Z'));
  expect(now[0]).toBe(rows);
  expect(now[1]).toMatchObject({ is_official: true, source_type: 'official', has_assumed_release_times: isAssumed });
  if (question.startsWith('announcements')) expect(now[1].assumed_release_time_count).toBe(isAssumed ? rows : 0);
});

it('a computed series of a file that ended years ago is stale, and stays computed as of a moment', async () => {
  const at = testPlatform({ now: '2026-11-27T00:00:00Z' });
  // CPI of FRED: two years, from its beginning on; the yearly change is computed.
  const lines = Array.from(
    { length: 24 },
    (_, i) => `${1913 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01,${10 + i / 10}`,
  );
  writeFileSync(join(at.folder, 'CPIAUCNS.csv'), ['observation_date,CPIAUCNS', ...lines, ''].join('\n'));
  expect((await macro('import CPIAUCNS.csv', at)).code).toBe(0);
  for (const options of ['', '--as-of 2026-11-27T00:00:00Z']) {
    const line = `announcements usd inflation --offline --start 1914-01-01 --end 1914-12-31 --allow-partial --format json ${options}`;
    const { data_quality: quality, remap } = JSON.parse((await macro(line, at)).out);
    const { is_derived: derived, is_stale: stale, data_lag_days: lag, stale_after_days: after } = quality;
    // From 1914-12-31 to 2026-11-27.
    expect([options, derived, remap.applied, stale, lag, after]).toEqual([options, true, true, true, 40_874, 95]);
  }
});

/** Measured values in a body that are no floats in their shortest form. */
const oddlySpelled = (body: string) =>
  [...body.matchAll(/"(?:val|value|previous|previous_value)":([^,}\]]+)/g)].flatMap(([, text = '']) =>
    text === 'null' || (text.includes('.') && `${Number(text)}` === text.replace(/\.0$/, '')) ? [] : [text],
  );

it('values of a file are floats in every body, and keep their published digits in csv', async () => {
  const at = testPlatform({ now: '2026-11-20T00:00:00Z' });
  const table = 'date,val\n2026-08-31,158432\n2026-09-30,2.00\n2026-10-31,-0.50\n';
  writeFileSync(join(at.folder, 'own.csv'), table);
  for (const words of ['announcements usd unemployment', 'commodities gold', 'fx eur usd'])
    expect(
      (await macro(`import csv own.csv --as '${words}' --date date --value val --begins 2026-08-31`, at)).code,
    ).toBe(words.startsWith('fx') ? 2 : 0);
  const file = 'alfred-payems-change-2021.csv';
  copyFileSync(join(FIXTURES, file), join(at.folder, file));
  expect((await macro(`import ${file}`, at)).code).toBe(0);
  const asked = '--offline --allow-partial --start 2020-01-01';
  const questions = [
    `announcements usd unemployment ${asked}`,
    `commodities gold ${asked}`,
    `announcements usd non_farm_payrolls_change ${asked}`,
    `announcements usd non_farm_payrolls_change ${asked} --as-of 2021-12-20`,
    `announcements usd non_farm_payrolls_change ${asked} --revisions first`,
    'latest usd --offline --allow-partial',
    'panel --series usd/unemployment,usd/non_farm_payrolls_change --at 2026-11-20 --offline --allow-partial',
  ];
  for (const question of questions)
    for (const format of ['json', 'ndjson']) {
      const { out } = await macro(`${question} --format ${format}`, at);
      expect([question, out.includes('"val'), oddlySpelled(out)]).toEqual([question, true, []]);
    }
  for (const question of questions.slice(0, 2)) {
    const { out } = await macro(`${question} --format csv --fields date,val --no-header --reverse`, at);
    expect([question, out]).toEqual([question, table.slice(table.indexOf('\n') + 1)]);
  }
});
