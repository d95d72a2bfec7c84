import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNamed, recogniseFormat } from '../../src/imports/formats.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { fileOf, refusalOf, surveyOf, textsOf } from './read-format.ts';

const fred = formatNamed('fred') ?? expect.fail();
const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

async function asked(files: Readonly<Record<string, string>>, ...lines: string[]) {
  const at = testPlatform();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at.folder, name), text);
  const said = [];
  for (const line of lines) said.push(await macro(line, at));
  return said;
}

describe('series of FRED by any id', () => {
  it('are dollar rates in the direction of their id', () => {
    // FRED, H.10: dollars for a euro, yen for a dollar.
    expect(textsOf(fred, csv('DATE,DEXUSEU,DEXJPUS', '2018-04-26,1.2113,109.3', '2018-04-27,1.2108,.'))).toEqual({
      'EUR/USD': ['{"date":"2018-04-26","val":1.2113}', '{"date":"2018-04-27","val":1.2108}'],
      'USD/JPY': ['{"date":"2018-04-26","val":109.3}'],
    });
    expect(refusalOf(fred, csv('DATE,DEXUSEU', '2018-04-26,-1.2'))).toMatch(/^Line 2 .*not above zero/);
  });

  it('are words of their own where the interface has none, and never an indicator that they resemble', () => {
    expect(textsOf(fred, csv('observation_date,FEDFUNDS', '2026-01-01,3.64', '2026-02-01,3.60'))).toEqual({
      'USD/fred_fedfunds': ['{"date":"2026-01-31","val":3.64}', '{"date":"2026-02-28","val":3.60}'],
    });
  });

  it.each([
    ['days', ['2026-08-21', '2026-08-22'], 'Daily', ['2026-08-21', '2026-08-22']],
    ['weeks', ['2026-08-08', '2026-08-15'], 'Weekly', ['2026-08-08', '2026-08-15']],
    ['months', ['2026-01-01', '2026-02-01'], 'Monthly', ['2026-01-31', '2026-02-28']],
    [
      'months, of which one is missing',
      ['2025-09-01', '2025-11-01', '2025-12-01'],
      'Monthly',
      ['2025-09-30', '2025-11-30', '2025-12-31'],
    ],
    ['quarters', ['1947-04-01', '1947-07-01'], 'Quarterly', ['1947-06-30', '1947-09-30']],
    ['years', ['2023-01-01', '2024-01-01'], 'Annual', ['2023-12-31', '2024-12-31']],
  ])('have values of %s, by their dates', (_, dates, frequency, ends) => {
    const survey = surveyOf(fred, csv('DATE,SOMEID', ...dates.map((date) => `${date},1.5`)));
    const [{ series } = expect.fail()] = [...survey.series.values()];
    expect([series.envelope.frequency, series.envelope.unit]).toEqual([frequency, undefined]);
    expect([...fred.read(survey.file)].map(({ date }) => date)).toEqual(ends);
  });

  it.each([
    ['a single date', ['2026-01-01']],
    ['half years', ['2025-01-01', '2025-07-01']],
    ['years that end in September', ['2023-09-30', '2024-09-30']],
  ])('with %s are refused, because nothing says their period', (_, dates) => {
    expect(refusalOf(fred, csv('DATE,SOMEID', ...dates.map((date) => `${date},1.5`)))).toContain(
      'nothing says how often',
    );
  });

  it('leave other columns alone, and say so', async () => {
    const text = csv('observation_date,UNRATE,GDP,Note', '2026-01-01,4.3,30000,a', '2026-02-01,4.4,,b');
    const [imported = expect.fail()] = await asked({ 'both.csv': text }, 'import fred both.csv');
    expect([imported.code, imported.err]).toEqual([
      0,
      expect.stringContaining('both.csv: GDP, Note left out. Download a file for each period.'),
    ]);
    expect(Object.keys(textsOf(fred, text))).toEqual(['USD/unemployment']);
  });

  it('are recognised, and other tables with a column DATE are not', () => {
    const recognised = (head: string) => fred.recognises(fileOf(csv(head, '2026-01-01,1')));
    const ours = ['DATE,DFF', 'observation_date,4BIGEURORECDM', '"DATE","GDP"', 'observation_date,IUDSOIA'];
    expect(ours.map(recognised)).toEqual(ours.map(() => true));
    const others = [
      'DATE,CLOSE',
      'DATE,EUR',
      'DATE,Cpi',
      'DATE,IUDSOIA',
      'DATE,XUDLUSS',
      'DATE,GDP_20260330',
      'Date,USD',
    ];
    expect(others.map(recognised)).toEqual(others.map(() => false));
    expect(() => recogniseFormat(fileOf(csv('DATE,CLOSE', '2026-01-01,1')))).toThrow('no format that is known');
  });

  it('are of another currency with --as, and are found by their words', async () => {
    const dff = csv('DATE,JPNCPIALLMINMEI', '2021-05-01,101.1', '2021-06-01,101.2');
    const [imported, rows, found, wrong] = await asked(
      { 'japan.csv': dff },
      'import japan.csv --as jpy',
      'announcements jpy fred_jpncpiallminmei --offline --start 2021-05-01 --end 2021-06-30 --format csv --fields date,val',
      'search jpncpi --format csv',
      'import ecb japan.csv --as jpy',
    );
    expect([imported?.code, rows?.out, rows?.code]).toEqual([0, 'date,val\n2021-06-30,101.2\n2021-05-31,101.1\n', 0]);
    expect(found?.out).toContain('announcements jpy fred_jpncpiallminmei');
    expect([wrong?.code, wrong?.err]).toEqual([2, expect.stringContaining('Files of ecb take no --as.')]);
  });
});

describe('vintages of series without a word of their own', () => {
  it('are known at the end of their day, because nobody knows the hour', () => {
    const alfred = formatNamed('alfred') ?? expect.fail();
    const tail = '"publication_time_status":"assumed_historical","publication_time_precision":"day"}';
    const texts = textsOf(alfred, csv('DATE,INDPRO_20220115,INDPRO_20220216', '2021-11-01,1,2', '2021-12-01,3,4'));
    // 2022-01-15 ends everywhere at noon UTC of 2022-01-16.
    const [first, second] = [Date.parse('2022-01-16T12:00:00Z') / 1000, Date.parse('2022-02-17T12:00:00Z') / 1000];
    expect(texts).toEqual({
      'USD/fred_indpro': [
        `{"date":"2021-11-30","val":2,"revisions":[{"epoch":${first},"val":1,${tail},{"epoch":${second},"val":2,${tail}]}`,
        `{"date":"2021-12-31","val":4,"revisions":[{"epoch":${first},"val":3,${tail},{"epoch":${second},"val":4,${tail}]}`,
      ],
    });
    const periods = formatNamed('alfred-periods') ?? expect.fail();
    const lines = ['2021-11-01,1,2022-01-15,', '2021-12-01,3,2022-01-15,'];
    const read = textsOf(periods, csv('period_start_date,INDPRO,realtime_start_date,realtime_end_date', ...lines));
    expect(read['USD/fred_indpro']?.[0]).toBe(
      `{"date":"2021-11-30","val":1,"revisions":[{"epoch":${first},"val":1,${tail}]}`,
    );
  });
});

describe('FRED-MD under the name of its download', () => {
  const text = csv('sasdate,UNRATE', 'Transform:,2', '4/1/2023,3.4', '5/1/2023,3.7');

  it('takes its month from --vintage', async () => {
    const [without, wrong, early, imported, asOf] = await asked(
      { 'current.csv': text },
      'import current.csv',
      'import current.csv --vintage 2023',
      'import current.csv --vintage 2023-04',
      'import current.csv --vintage 2023-06',
      'announcements usd unemployment --offline --start 2023-04-01 --end 2023-05-31 --as-of 2023-07-02 --format csv --fields date,val',
    );
    expect([without?.code, without?.err]).toEqual([2, expect.stringContaining('Rename it to its vintage month')]);
    expect([wrong?.code, early?.code, imported?.code]).toEqual([2, 2, 0]);
    expect(early?.err).toContain('its vintage of 2023-04-30 has a forecast of 2023-05-31, which had not ended then');
    expect(asOf?.out).toBe('date,val\n2023-05-31,3.7\n2023-04-30,3.4\n');
  });

  it('is refused with another month than the one behind its last, unless its name says that month', async () => {
    const lines = ['2023-05', '2023-07', '2024-06'].map((month) => `import current.csv --vintage ${month}`);
    const [same, next, year, named] = await asked(
      { 'current.csv': text, '2023-07.csv': text },
      ...lines,
      'import 2023-07.csv',
    );
    const of = (month: string) => `it ends with 2023-05, so it is not the vintage of ${month}.`;
    expect([same, next, year].map((one) => one?.code)).toEqual([2, 2, 2]);
    expect(same?.err).toContain(of('2023-05'));
    expect(next?.err).toContain(of('2023-07'));
    expect(year?.err).toContain('Say --vintage 2023-06.');
    expect(named?.code).toBe(0);
  });
});
