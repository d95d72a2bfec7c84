import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { formatNamed, recogniseFormat } from '../../src/imports/formats.ts';
import { bytesOf, fileOf, refusalOf, surveyOf, textsOf } from './read-format.ts';

const named = (id: string) => formatNamed(id) ?? expect.fail(id);
const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/official', name), 'latin1');

it('FRED-MD under the name of another month, and under that of a download', () => {
  // Column UNRATE of the vintage 2023-06.
  const text = 'sasdate,UNRATE\nTransform:,2\n12/1/2009,9.9\n1/1/2010,9.8\n2/1/2010,9.8\n';
  expect(refusalOf(named('fred-md'), text, '2010-01.csv')).toMatch(
    /^Line 5 .*its vintage of 2010-01-31 has a forecast of 2010-02-28, which had not ended then/,
  );
  expect(refusalOf(named('fred-md'), text, 'current.csv')).toMatch(/its name does not say the vintage/);
  expect(surveyOf(named('fred-md'), text, { name: '2010-03.csv' }).rows).toBe(3);
});

describe('a broken file of statistics is refused with its line and the reason', () => {
  const unrate = 'observation_date,UNRATE\n2026-01-01,4.3\n2026-02-01,4.4\n';
  const alfred = 'DATE,PAYEMS_20220107,PAYEMS_20220204\n2021-11-01,1,2\n2021-12-01,3,4\n';
  const periods = 'period_start_date,UNRATE,realtime_start_date,realtime_end_date\n2024-01-01,3.7,2024-02-02,\n';
  const treasury = fixture('treasury-par-yields-2022-03.csv');
  const h15 = fixture('frb-h15-2022-03.csv');
  const legacy = fixture('cftc-legacy-2025-01.txt');
  const financial = fixture('cftc-financial-2026-06.txt');

  it.each([
    ['fred', 'observation_date,GNPCA\n2026-01-01,4.3\n', /^Line 1 .*nothing says how often GNPCA has a value/],
    ['fred', unrate.replace('UNRATE', 'DEXUSEU'), /^Line 3 .*DEXUSEU has a value for each day/],
    ['fred', unrate.replace('UNRATE', 'DGS10'), /^Line 3 .*DGS10 has a value for each day/],
    ['fred', unrate.replace('4.4', '4,4'), /^Line 3 .*3 cells and the header has 2/],
    ['fred', unrate.replaceAll(',', ';'), /DATE or observation_date, then ids/],
    ['fred', `${unrate}2026-02-01,4.4\n`, /^Line 4 .*2026-02-01 stands in the file twice/],
    ['fred', `${unrate}2026-01-01,4.4\n`, /^Line 4 .*2026-01-01 stands behind 2026-02-01/],
    ['fred', unrate.replace('2026-02-01', '2026-03-01'), /^Line 3 .*a value for each month/],
    ['fred', unrate.replace('2026-02-01', '2026-01-15'), /^Line 3 .*no first day of a month/],
    ['fred', unrate.replace('2026-02-01', '2/1/2026'), /^Line 3 .*'2\/1\/2026' is no date/],
    ['fred', unrate.replace('4.4', 'n.a.'), /^Line 3 .*'n.a.' is no number of UNRATE/],
    ['fred', unrate.replace('UNRATE', 'UNRATE,DGS10').replaceAll('4.', '4,4.'), /values for each month, day/],
    ['alfred', alfred.replace('_20220204', '_20220107'), /^Line 1 .*PAYEMS_20220107 stands there twice/],
    ['alfred', alfred.replace('_20220204', '_20221304'), /^Line 1 .*'PAYEMS_20221304' is no vintage/],
    ['alfred', alfred.replace('_20220204', '_20990204'), /^Line 2 .*a vintage of 2099-02-04T13:30:00Z, and now it is/],
    ['alfred', alfred.replace('3,4', '3'), /^Line 3 .*2 cells and the header has 3/],
    // Nobody knew in December what January was.
    [
      'alfred',
      alfred.replace('2021-12-01', '2022-01-01').replace('2021-11-01', '2021-12-01'),
      /^Line 3 .*its vintage of 2022-01-07 has a forecast of 2022-01-31/,
    ],
    [
      'alfred-periods',
      periods.replace('2024-02-02', '2024-01-20'),
      /^Line 2 .*its vintage of 2024-01-20 has a forecast of 2024-01-31, which had not ended then/,
    ],
    ['alfred-periods', `${periods}2024-01-01,3.8,2024-03-08,\n`, /^Line 3 .*begins before the one of 2024-02-02 ends/],
    ['treasury', treasury.replace('03/11/2022', '2022/03/11'), /^Line 2 .*'2022\/03\/11' is no date/],
    ['treasury', treasury.replace('"10 Yr"', '"Ten"'), /^Line 1 .*'Ten' is no maturity/],
    ['treasury', treasury.replace('"7 Yr"', '"10 Yr"'), /^Line 1 .*10 Yr stands there twice/],
    ['treasury', treasury.slice(0, -9), /cells and the header has 13/],
    ['treasury', treasury.replace('03/11/2022', '03/11/2027'), /^Line 2 .*speaks of 2027-03-11/],
    [
      'h15',
      h15.replace('_N.B"', '_N.M"').replaceAll('CM01_N.B', 'CM01_N.M'),
      /averages, and those are no daily values/,
    ],
    ['h15', h15.replace('"Percent:_Per_Year"', '"Basis points"'), /not in per cent/],
    ['h15', h15.replace('2022-02-11', '2/11/22'), /^Line 7 .*'2\/11\/22' is no date/],
    ['cftc-legacy', legacy.replace('"Open Interest (All)"', '"Open"'), /^Line 1 .*no column 'Open Interest \(All\)'/],
    ['cftc-legacy', legacy.replace('2025-01-21', '25-01-21'), /^Line 2 .*'25-01-21' is no date/],
    ['cftc-legacy', legacy.slice(0, -30), /^Line 13 /],
    ['cftc-financial', financial.replace('"FutOnly"', '"Combined"'), /futures and options together/],
  ])('%s %#', (id, text, reason) => {
    expect(refusalOf(named(id), text)).toMatch(reason);
  });

  it('a workbook without the sheet, and one that is damaged', () => {
    const book = (sheet: string, name = 'employ') =>
      zipSync({
        'xl/workbook.xml': bytesOf(`<workbook><sheets><sheet name="${name}" r:id="a"/></sheets></workbook>`),
        'xl/_rels/workbook.xml.rels': bytesOf(
          '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
        ),
        'xl/worksheets/sheet1.xml': bytesOf(sheet),
      });
    const row = (r: number, ...cells: string[]) =>
      `<row r="${r}">${cells.map((text, at) => `<c r="${'ABC'[at]}${r}" t="str"><v>${text}</v></c>`).join('')}</row>`;
    const sheet = (...rows: string[]) => `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
    const header = row(1, 'DATE', 'EMPLOY64M12', 'EMPLOY65M1');
    const refusal = (...rows: string[]) => refusalOf(named('philadelphia'), book(sheet(header, ...rows)));
    expect(refusal(row(2, '1964:10', '1.5', 'x'))).toMatch(/^Line 2 .*'x' is no number of EMPLOY/);
    expect(refusal(row(2, '1964-10', '1', '2'))).toMatch(/^Line 2 .*'1964-10' is no month/);
    expect(refusal(row(2, '1964:10', '1'))).toMatch(/^Line 2 .*2 cells and the header has 3/);
    expect(refusal(row(2, '1964:10', '1', '2'), row(3, '1964:12', '1', '2'))).toMatch(/^Line 3 .*each month/);
    const other = book(sheet(header), 'RCON');
    expect(() => recogniseFormat(fileOf(other, 'RCON.xlsx'))).toThrow('a workbook with no sheet that a format has');
    expect(refusalOf(named('pink-sheet'), book(sheet(header)))).toContain("it has no sheet 'Monthly Prices'");
    expect(refusalOf(named('philadelphia'), book(`${sheet(header).slice(0, -20)}<`))).toContain('is no XML');
    expect(textsOf(named('philadelphia'), book(sheet(header, row(2, '1964:11', '#N/A', '7.50'))))).toEqual({
      'USD/non_farm_payrolls': [
        '{"date":"1964-11-30","val":7.5,"revisions":[{"epoch":-156427200,"val":7.5,' +
          '"is_first_release":true,"publication_time_status":"assumed_historical","publication_time_precision":"month"}]}',
      ],
      'USD/non_farm_payrolls_change': [],
    });
    // Vintages of quarters: the middle of a quarter ends on the 16th, at noon UTC. Between two of them a month may be revised.
    const cpi = (...rows: string[]) => book(sheet(row(1, 'DATE', 'CPI94Q3', 'CPI94Q4'), ...rows), 'cpi');
    const tail = '"publication_time_status":"assumed_historical","publication_time_precision":"quarter"}';
    const [third, fourth] = ['1994-08-16T12:00:00Z', '1994-11-16T12:00:00Z'].map((at) => Date.parse(at) / 1000);
    const prices = textsOf(
      named('philadelphia'),
      cpi(row(2, '1994:06', '148', '147.9'), row(3, '1994:07', '#N/A', '148.4')),
    );
    expect(prices['USD/inflation/sa/level']).toEqual([
      `{"date":"1994-06-30","val":147.9,"revisions":[{"epoch":${third},"val":148,${tail},{"epoch":${fourth},"val":147.9,${tail}]}`,
      `{"date":"1994-07-31","val":148.4,"revisions":[{"epoch":${fourth},"val":148.4,${tail}]}`,
    ]);
    // 148.4 / 147.9 is 1.0034.
    expect(prices['USD/inflation_mom']).toEqual([
      `{"date":"1994-07-31","val":0.3,"revisions":[{"epoch":${fourth},"val":0.3,${tail}]}`,
    ]);
    const rcon = book(sheet(row(1, 'DATE', 'RCON65Q4', 'RCON66Q1'), row(2, '1947:Q1', '1.5', '1.5')), 'RCON');
    expect(recogniseFormat(fileOf(rcon, 'RCONQvQd.xlsx')).id).toBe('philadelphia');
    expect(Object.keys(textsOf(named('philadelphia'), rcon))).toEqual(['USD/philadelphia_rcon']);
  });
});

describe('observations by real-time period', () => {
  it('have a step for each value, and one where a value was taken back', () => {
    const file = [
      'period_start_date,UNRATE,realtime_start_date,realtime_end_date',
      '2024-01-01,3.7,2024-02-02,2024-03-07',
      '2024-01-01,3.8,2024-03-08,',
      '2024-02-01,3.9,2024-03-08,2024-04-04',
      '',
    ].join('\n');
    const tail = '"publication_time_status":"assumed_historical","publication_time_precision":"day"}';
    expect(textsOf(named('alfred-periods'), file)['USD/unemployment']).toEqual([
      // 2024-02-02 13:30 UTC is 08:30 in New York; nobody knows whether the first day of the file is that of the release.
      `{"date":"2024-01-31","val":3.8,"revisions":[{"epoch":1706880600,"val":3.7,${tail},{"epoch":1709904600,"val":3.8,${tail}]}`,
      `{"date":"2024-02-29","val":null,"announcement_datetime":1709904600,"publication_time_status":"assumed_historical","revisions":[{"epoch":1709904600,"val":3.9,"is_first_release":true,${tail},{"epoch":1712320200,"val":null,${tail}]}`,
    ]);
  });
});
