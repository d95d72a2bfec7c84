import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

/** What commands say and do, one after the other, where a file stands. */
async function typed(file: string, text: string, ...lines: string[]) {
  const at = testPlatform();
  writeFileSync(join(at.folder, file), text);
  const said = [];
  for (const line of lines) said.push(await macro(line, at));
  return said;
}

const rows = (out = '') => out.trim().split('\n');

describe('dates as publishers spell them are read without a word about them', () => {
  const question = (words: string, options = '--start 1900-01-01') =>
    `announcements ${words} ${options} --offline --allow-partial --quiet --format csv --fields date,val --no-header`;

  it.each([
    // Bank of England, its page of Bank Rate and its database.
    ['18-Dec-25,3.75', '7-Aug-25,4', ['2025-12-18,3.75', '2025-08-07,4']],
    ['"04 Aug 22","1.75"', '"16 Jun 22","1.25"', ['2022-08-04,1.75', '2022-06-16,1.25']],
    // OECD, Eurostat, ECB, ONS: made up values.
    ['2024-Q1,1.1', '2024-Q2,1.2', ['2024-06-30,1.2', '2024-03-31,1.1']],
    ['2025Q4,1.1', '2025Q3,1.2', ['2025-12-31,1.1', '2025-09-30,1.2']],
    ['2022 Q1,1.1', '2022 Q2,1.2', ['2022-06-30,1.2', '2022-03-31,1.1']],
    ['1960M01,1.1', '1960M02,1.2', ['1960-02-29,1.2', '1960-01-31,1.1']],
    ['2022 JAN,1.1', '2022 FEB,1.2', ['2022-02-28,1.2', '2022-01-31,1.1']],
    ['Jan-01,1.1', 'Feb-01,1.2', ['2001-02-28,1.2', '2001-01-31,1.1']],
    // May is as long as its first three letters.
    ['3 May 2024,1.1', '4 May 2024,1.2', ['2024-05-04,1.2', '2024-05-03,1.1']],
  ])('%s', async (first, second, expected) => {
    const [imported, asked] = await typed(
      'table.csv',
      csv('When,Value', first, second),
      "import csv table.csv --as 'announcements gbp policy_rate' --date When --value Value",
      question('gbp policy_rate'),
    );
    expect([imported?.code, rows(asked?.out)]).toEqual([0, expected]);
  });

  it('but not where they can be read in two ways', async () => {
    const [both] = await typed(
      'table.csv',
      csv('When,Value', '1/2/2024,1.1', '3/4/2024,1.2'),
      "import csv table.csv --as 'announcements gbp policy_rate' --date When --value Value",
    );
    expect([both?.code, both?.err]).toEqual([
      2,
      expect.stringContaining("--date-format reads it as 'MM/DD/YYYY' or 'DD/MM/YYYY'."),
    ]);
  });
});

describe('an import suggests what to ask, in the order of the file, the questions without options first', () => {
  it.each([
    [
      'FEDFUNDS.csv',
      csv('DATE,FEDFUNDS', '2023-11-01,5.33', '2023-12-01,5.33', '2024-01-01,5.33'),
      'macro announcements usd fred_fedfunds',
    ],
    [
      'rates.csv',
      csv('Date,USD,JPY,GBP,CHF,', '2025-02-06,1.0377,158.31,0.83,0.94,'),
      'macro fx eur usd, macro fx eur jpy, macro fx eur gbp',
    ],
    [
      'CPIAUCSL.csv',
      csv('DATE,CPIAUCSL', '2017-04-01,244.1', '2017-05-01,243.8'),
      'macro announcements usd inflation_mom, macro announcements usd inflation --seasonality sa --frequency level',
    ],
  ])('%s', async (file, text, commands) => {
    const [loud, quiet] = await typed(file, text, `import ${file}`, `import ${file} --quiet`);
    expect([loud?.code, loud?.err, quiet?.err]).toEqual([0, `note: Ask: ${commands}\n`, '']);
  });
});

it.each([
  ['chart.png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'it is a picture, not a table.'],
  ['report.pdf', '%PDF-1.7\n', 'it is a PDF, not a table.'],
])('%s is refused by its kind', async (file, text, sentence) => {
  const [refused] = await typed(file, text, `import ${file}`);
  expect([refused?.code, refused?.err]).toEqual([2, expect.stringContaining(`cannot be imported: ${sentence}\n`)]);
});

describe('a table with dates as columns', () => {
  // Statistics Canada, table 18-10-0004-01: the form, and the first values.
  const TABLE = csv(
    'Products and product groups\tJan-01\tFeb-01\tMar-01',
    'All-items\t96.3\t96.8\t',
    'Food\t95.3\t96.1\t96.9',
  );
  const begun = "import csv cpi.csv --as 'announcements cad inflation' --wide --separator tab";

  it('gives the line that is named', async () => {
    const [several, missing, imported, asked, shown] = await typed(
      'cpi.csv',
      TABLE,
      begun,
      `${begun} --row Shelter`,
      `${begun} --row All-items`,
      'announcements cad inflation --offline --allow-partial --quiet --start 2001-01-01 --format csv --fields date,val --no-header',
      'import cpi.csv',
    );
    expect([several?.code, several?.err]).toEqual([2, expect.stringContaining("such as --row 'Food'")]);
    expect([missing?.code, missing?.err]).toEqual([2, expect.stringContaining("no line has a cell 'Shelter'.")]);
    expect([imported?.code, rows(asked?.out)]).toEqual([0, ['2001-02-28,96.8', '2001-01-31,96.3']]);
    expect(shown?.err).toContain("macro import csv cpi.csv --as '...' --separator tab --wide --preview");
  });

  it('or a series for each line, by a column', async () => {
    const [imported, asked] = await typed(
      'pairs.csv',
      csv('Base,2024-01-30,2024-01-31', 'EUR,1.10,1.11', 'GBP,1.35,1.31'),
      "import csv pairs.csv --as 'fx {Base} usd' --wide",
      'fx gbp usd --offline --quiet --start 2024-01-30 --end 2024-01-31 --format csv --fields date,val --no-header',
    );
    expect([imported?.code, rows(asked?.out)]).toEqual([0, ['2024-01-31,1.31', '2024-01-30,1.35']]);
  });
});

describe('the hint for an unknown table', () => {
  it.each([
    [
      'SDMX-CSV of another publisher',
      csv('KEY,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS', 'M.CH.CPI,M,2024-01,1.3,A', 'M.CH.CPI,M,2024-02,1.2,A'),
      "--as '...' --date TIME_PERIOD --value OBS_VALUE --preview",
    ],
    [
      'titles that say something else than the cells',
      csv('Update;Month of it;Level;Note', 'yes;2024-01;3,5;x', 'no;2024-02;3,6;y'),
      "--as '...' --date 'Month of it' --value Level --separator ';' --preview",
    ],
    [
      'quotes around every cell, as the ECB Data Portal has them',
      csv(
        '"DATE","TIME PERIOD","M3, Stocks (BSI.M.U2.Y.V.M30.X.1.U2.2300.Z01.E) - Modified value (Quarterly)"',
        '"1980-03-31","1980Q1","1117228.00"',
        '"1980-06-30","1980Q2","1139157.00"',
      ),
      "--as '...' --date DATE --value 'M3, Stocks (BSI.M.U2.Y.V.M30.X.1.U2.2300.Z01.E) - Modified value (Quarterly)' --preview",
    ],
    ['no dates', csv('Place,Size', 'Bern,3', 'Basel,4'), "--as '...' --date '...' --value Size --preview"],
  ])('takes columns by their content and leaves the question open: %s', async (_, text, options) => {
    const [said] = await typed('t.csv', text, 'import t.csv');
    expect([said?.code, said?.err]).toEqual([2, expect.stringContaining(`macro import csv t.csv ${options}`)]);
  });
});

it('a workbook of Excel 97 is named as one', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'old.xls'), Buffer.from('d0cf11e0a1b11ae10000', 'hex'));
  expect(await macro('import old.xls', at)).toMatchObject({
    code: 2,
    err: 'macro: The file cannot be imported: it is a workbook of Excel 97 to 2003 (.xls), which is not read.\nNothing was written. Save the sheet as CSV, or get the CSV of the publisher.\n',
  });
});

it('a preview refuses what the import would refuse', async () => {
  const described = "--as 'announcements usd unemployment' --date Day --value Rate";
  const at = testPlatform();
  writeFileSync(join(at.folder, 'long.csv'), csv('Day,Rate', '2026-01-31,4.3', '2026-02-28,4.4', '2026-03-31,4.5'));
  writeFileSync(join(at.folder, 'short.csv'), csv('Day,Rate', '2026-01-31,4.1', '2026-02-28,4.4'));
  expect((await macro(`import csv long.csv ${described}`, at)).code).toBe(0);
  const [preview, imported] = [
    await macro(`import csv short.csv ${described} --preview`, at),
    await macro(`import csv short.csv ${described}`, at),
  ];
  expect(preview).toEqual({ ...imported, out: '' });
  expect([preview.code, preview.err]).toEqual([
    2,
    expect.stringContaining('The file ends earlier, so it may be older.'),
  ]);
});
