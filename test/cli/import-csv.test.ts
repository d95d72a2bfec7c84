import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const AS = "--as 'announcements usd unemployment'";

function world() {
  const at = testPlatform();
  const file = (name: string, text: string) => writeFileSync(join(at.folder, name), text);
  file(
    'rates.csv',
    'Month,Rate,Known\n2026-08,4.3,2026-09-04T12:30:00Z\n2026-08,4.4,2026-10-02T12:30:00Z\n2026-09,4.5,2026-10-02T12:30:00Z\n',
  );
  file(
    'rates.json',
    JSON.stringify({
      as: 'announcements usd unemployment',
      date: 'Month',
      value: 'Rate',
      vintage: 'Known',
      'date-format': 'YYYY-MM',
      period: 'month',
    }),
  );
  return at;
}

describe('a table with vintages', () => {
  it('answers what was known at a moment', async () => {
    const at = world();
    const { out, err } = await macro('import csv rates.csv --mapping rates.json', at);
    expect([out.split('\n')[1], err]).toEqual([
      'csv\trates.csv\t1\t2\t2\t0\t0\t0\t2026-08-31\t2026-09-30',
      'note: Ask: macro announcements usd unemployment\n',
    ]);
    const values = async (asOf: string) =>
      (
        await macro(
          `announcements usd unemployment --start 2026-08-01 --end 2026-09-30 --as-of ${asOf} --fields date,val --no-header --allow-partial --quiet`,
          at,
        )
      ).out;
    expect(await values('2026-09-04T12:29:59Z')).toBe('');
    expect(await values('2026-09-05')).toBe('2026-08-31\t4.3\n');
    expect(await values('2026-10-03')).toBe('2026-09-30\t4.5\n2026-08-31\t4.4\n');
  });

  it('says before the first vintage when that was, and not when the file was imported', async () => {
    const at = world();
    expect((await macro('import csv rates.csv --mapping rates.json', at)).code).toBe(0);
    const { code, err } = await macro('announcements usd unemployment --as-of 2026-09-04T12:29:59Z', at);
    expect(code).toBe(3);
    expect(err).toContain('USD unemployment at 2026-09-04T12:29:59Z. It has them since 2026-09-04T12:30:00Z.\n');
    expect(err).toContain('That is the first vintage of the file.');
  });

  it('is shown and not written with --preview', async () => {
    const at = world();
    const { out } = await macro('import csv rates.csv --mapping rates.json --preview --fields date --no-header', at);
    expect(out).toBe('2026-08-31\n2026-09-30\n');
    expect(existsSync(join(at.folder, 'macro', 'mirrors', 'default.db'))).toBe(false);
  });
});

describe('the hint for a table that nobody described', () => {
  const hintOf = async (text: string) => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'cpi.csv'), text);
    return (await macro('import csv cpi.csv', at)).err.split('\n')[1];
  };
  const [index, change] = ['Date,Index', 'Date,Index,Inflation'];

  it('names the only column of numbers', async () => {
    expect(await hintOf(`${index}\n2024-01-01,308.4\n2024-02-01,310.3\n`)).toBe(
      "Say what its columns are, for example: macro import csv cpi.csv --as '...' --date Date --value Index --preview",
    );
  });

  it('lists several, since each may have a unit of its own', async () => {
    expect(await hintOf(`${change}\n2024-01-01,308.4,0.5\n2024-02-01,310.3,0.6\n`)).toBe(
      "Say what its columns are; its columns of numbers are Index, Inflation. For example: macro import csv cpi.csv --as '...' --date Date --value '...' --preview",
    );
  });

  it('lists the first of very many', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `C${i}`);
    expect(await hintOf(`Date,${names}\n2024-01-01,${names.map(() => 1)}\n`)).toContain(
      'its columns of numbers are C0, C1, C2, C3, C4, C5, C6, C7 and 2 more. For example',
    );
  });
});

describe('a table without times of release', () => {
  it('is known from its import, and a refusal says so', async () => {
    const at = world();
    writeFileSync(join(at.folder, 'plain.csv'), 'Month,Rate\n2026-08-31,4.3\n2026-09-30,4.5\n');
    expect((await macro(`import csv plain.csv ${AS} --date Month --value Rate`, at)).code).toBe(0);
    const { code, err } = await macro('announcements usd unemployment --as-of 2026-11-21T05:46:12Z', at);
    expect(code).toBe(3);
    expect(err).toContain('It has them since 2026-11-21T05:46:13Z.\n');
    expect(err).toContain('Nothing in these rows says when they were published.');
  });
});

describe('a table that cannot be kept', () => {
  it.each([
    ["--as 'cot usd' --date Month --value Rate", "'cot usd' is no question about one number for each date."],
    [`${AS} --date Month`, 'it has no value'],
    [`${AS} --date Month --value Rate --publisher ECB`, 'The publisher ECB has a format of its own.'],
    [`${AS} --date Month --value Rate --date-format YYYY-MM-DD`, "'2026-08' is no date. --date-format reads it as"],
    [`${AS} --date Month --value Rate --separator ';'`, 'Its cells may be cut by another mark: --separator ,'],
  ])('%s is refused', async (options, message) => {
    const { code, err } = await macro(`import csv rates.csv ${options}`, world());
    expect([code, err.includes(message)]).toEqual([2, true]);
  });
});

it('series are listed by name, whichever the table had first', async () => {
  const at = testPlatform();
  const lines = ['gov_bond_10y', 'gov_bond_2y', 'gov_bond_1y'].map((slug) => `${slug},2026-04-13,4`);
  writeFileSync(join(at.folder, 'yields.csv'), ['slug,date,rate', ...lines, ''].join('\n'));
  const described = "--as 'announcements usd {slug}' --date date --value rate";
  expect((await macro(`import csv yields.csv ${described} --quiet`, at)).code).toBe(0);
  const { out } = await macro('mirror status --fields series --no-header', at);
  expect(out.trim().split('\n')).toEqual(['1y', '2y', '10y'].map((size) => `announcements usd gov_bond_${size}`));
});

it('a decimal comma is told with the option that reads it', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'gold.csv'), 'Day;Price\n2026-04-13;1,5\n');
  const described = "--as 'commodities gold' --date Day --value Price --separator ';'";
  const { code, err } = await macro(`import csv gold.csv ${described}`, at);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("'1,5' is no number of Price. --decimal , reads it as one."),
  ]);
});

it('a word that is neither a format nor a file is told with the one that was meant', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'ecb.csv'), 'Date,USD,\n2026-04-13,1.25,\n');
  const { code, err } = await macro('import ekb ecb.csv', at);
  expect([code, err]).toEqual([2, expect.stringContaining("'ekb' is neither a format nor a file.\nDid you mean ecb?")]);
});

it('a cross by a currency that no list names is answered, and told where it came from', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'ecb.csv'), 'Date,USD,\n2026-04-13,1.25,\n');
  writeFileSync(join(at.folder, 'xof.csv'), 'base,quote,date,rate\nEUR,XOF,2026-04-13,655.957\n');
  const described = "--as 'fx {base} {quote}' --date date --value rate --publisher BCEAO";
  expect((await macro('import ecb.csv --quiet', at)).code).toBe(0);
  expect((await macro(`import csv xof.csv ${described} --quiet`, at)).code).toBe(0);
  const asked = await macro('fx usd xof --start 2026-04-13 --end 2026-04-13 --fields date,val --no-header --quiet', at);
  // 655.957 / 1.25
  expect([asked.code, asked.out]).toEqual([0, '2026-04-13\t524.7656\n']);
  for (const words of ['usd/xof', 'fx usd xof', 'usdxof']) {
    const why = await macro(`why ${words} 2026-04-13 --fields series,val --no-header --quiet`, at);
    expect([why.code, why.out.trim().split('\n').sort()]).toEqual([
      0,
      ['fx eur usd\t1.25', 'fx eur xof\t655.957', 'fx usd xof\t524.7656'],
    ]);
  }
});

describe('a refused table ends in a command that works as typed', () => {
  const TABLE = 'Day;Price\n13.04.2026;1,5\n14.04.2026;n/a\n';
  const BEGUN = "import csv gold.csv --as 'commodities gold' --date Day --value Price";

  /** The command of a hint, without the program's name. */
  const commandIn = (err: string) => /macro (import csv .*--preview)$/m.exec(err)?.[1] ?? err;

  it('however much of the description is missing', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'gold.csv'), TABLE);
    const asked = "--as '...' --date Day --value Price --separator ';' --preview";
    for (const line of ['import gold.csv', 'import csv gold.csv'])
      expect(commandIn((await macro(line, at)).err)).toBe(`import csv gold.csv ${asked}`);
    expect(commandIn((await macro("import csv gold.csv --as 'commodities gold' --date Day", at)).err)).toBe(
      `${BEGUN} --separator ';' --preview`,
    );
  });

  it('one after the other leads to a table that is read', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, 'gold.csv'), TABLE);
    const typed = [BEGUN];
    for (let turn = 0; turn < 3; turn += 1) typed.push(commandIn((await macro(typed.at(-1) ?? '', at)).err));
    expect(typed.slice(1)).toEqual([
      `${BEGUN} --separator ';' --preview`,
      `${BEGUN} --separator ';' --decimal , --preview`,
      `${BEGUN} --decimal , --separator ';' --missing n/a --preview`,
    ]);
    const { code, out } = await macro(`${typed.at(-1)} --fields date,row --no-header`, at);
    expect([code, out]).toEqual([0, '2026-04-13\t{"date":"2026-04-13","val":1.5}\n']);
  });

  it('and a workbook of no known format names its sheets and how another table is read', async () => {
    const at = testPlatform();
    const book = zipSync({
      'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="RCON" r:id="a"/></sheets></workbook>'),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      'xl/worksheets/sheet1.xml': strToU8('<worksheet><sheetData/></worksheet>'),
    });
    writeFileSync(join(at.folder, 'other.xlsx'), book);
    expect(await macro('import other.xlsx', at)).toMatchObject({
      code: 2,
      err: [
        'macro: The file cannot be imported: it is a workbook with no sheet that a format has (philadelphia, pink-sheet): RCON.',
        'Nothing was written. Save a sheet with a column of dates and one of values as CSV: macro import csv --help says how it is read.',
        '',
      ].join('\n'),
    });
  });
});

it('a private table is never said to be official', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'desk.csv'), 'Day,Rate\n2026-04-13,1.5\n2026-04-14,1.6\n');
  expect((await macro("import csv desk.csv --as 'fx eur usd' --date Day --value Rate --publisher desk", at)).code).toBe(
    0,
  );
  const { out } = await macro(
    'fx eur usd --offline --start 2026-04-13 --end 2026-04-14 --format json --allow-partial',
    at,
  );
  const { source_type: type, source_name: name, is_official: official } = JSON.parse(out).data_quality;
  expect([type, name, official]).toEqual(['private', 'desk', false]);
});
