import { describe, expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { csvFormat } from '../../src/imports/generic/csv-format.ts';
import { readMapping } from '../../src/imports/generic/mapping.ts';
import { PERIODS, periodEnd, periodStart, readReleaseRule } from '../../src/imports/generic/release-rule.ts';
import type { CsvTarget } from '../../src/imports/generic/targets.ts';
import { refusalOf, textsOf } from './read-format.ts';

const TARGET: CsvTarget = {
  endpoint: 'announcements',
  scope: { currency: 'USD', indicator: 'inflation' },
  envelope: {},
  vintages: 'revisions',
};
const BASE = { as: 'announcements usd inflation', date: 'Day', value: 'CPI' };

const formatOf = (told: Record<string, string | string[]> = {}) =>
  csvFormat(readMapping({ ...BASE, ...told }), () => TARGET);
const read = (text: string, told: Record<string, string | string[]> = {}) =>
  textsOf(formatOf(told), text)['USD/inflation'];
const refused = (text: string, told: Record<string, string | string[]> = {}) => refusalOf(formatOf(told), text);

describe('a table that a person describes', () => {
  it('gives its values as they are spelled, negative ones too, and none where one is missing', () => {
    expect(read('Day,Note,CPI\n2024-01-31,a,3.10\n2024-02-29,b,\n2024-03-31,c,-0.5\n')).toEqual([
      '{"date":"2024-01-31","val":3.10}',
      '{"date":"2024-03-31","val":-0.5}',
    ]);
  });

  it('may have another separator, decimal mark, spelling of dates, words for nothing, and lines before its header', () => {
    const told = { separator: ';', decimal: ',', 'date-format': 'DD.MM.YYYY', missing: ['n/a', '-'] };
    expect(read('Made by hand\n\nDay;CPI\n31.01.2024;3,10\n29.02.2024;n/a\n31.03.2024;-\n', told)).toEqual([
      '{"date":"2024-01-31","val":3.10}',
    ]);
  });

  it('names its columns by title, else by number', () => {
    expect(read('x,y\n2024-01-31,3\n', { date: '1', value: '2' })).toEqual(['{"date":"2024-01-31","val":3}']);
    const twice = 'Day,CPI,CPI\n2024-01-31,3,4\n';
    expect(refused(twice)).toBe(
      'Line 1 of the file cannot be imported: it has the column CPI twice. Write its number for its name: 2 or 3.',
    );
    expect(refused(`Made by hand\nCPI,Day,CPI,CPI\n${twice}`)).toContain(
      'Line 2 of the file cannot be imported: it has the column CPI 3 times. Write its number for its name: 1 or 3 or 4.',
    );
    expect(refused(twice, { date: '1' })).toContain('it has the column CPI twice.');
    expect(read(twice, { value: '3' })).toEqual(['{"date":"2024-01-31","val":4}']);
  });

  it('makes the first day of a period its last', () => {
    expect(read('Day,CPI\n2024-02,3\n', { 'date-format': 'YYYY-MM', period: 'month' })).toEqual([
      '{"date":"2024-02-29","val":3}',
    ]);
    expect(PERIODS.map((one) => periodStart('2024-02-14', one))).toEqual([
      '2024-02-14',
      '2024-02-12',
      '2024-02-01',
      '2024-01-01',
      '2024-01-01',
    ]);
    expect(PERIODS.map((one) => periodEnd('2024-02-14', one))).toEqual([
      '2024-02-14',
      '2024-02-18',
      '2024-02-29',
      '2024-03-31',
      '2024-12-31',
    ]);
  });

  it('lists the vintages of a date, the newest one as its value', () => {
    const text =
      'Day,CPI,Known\n2024-01-31,3.80,2024-03-08T13:30:00Z\n2024-01-31,3.70,2024-02-02T13:30:00Z\n2024-02-29,4,2024-03-08\n';
    // 2024-02-02T13:30:00Z, 2024-03-08T13:30:00Z; a date alone is noon UTC of the next day.
    expect(read(text, { vintage: 'Known' })).toEqual([
      '{"date":"2024-01-31","val":3.80,"revisions":[{"epoch":1706880600,"val":3.70},{"epoch":1709904600,"val":3.80}]}',
      '{"date":"2024-02-29","val":4,"revisions":[{"epoch":1709985600,"val":4}]}',
    ]);
    expect(() =>
      csvFormat(readMapping({ ...BASE, vintage: 'Known' }), () => ({ ...TARGET, vintages: undefined })),
    ).toThrow('Rows of announcements have no vintages.');
  });

  it.each([
    // A value of March may be of its last day, which is over everywhere on 2024-04-01 at 12:00 UTC.
    ['YYYY-MM', '2024-01,3.1,2024-03', '{"date":"2024-01-31","val":3.1,"revisions":[{"epoch":1711972800,"val":3.1}]}'],
    // 2024-01-01T12:00:00Z
    ['YYYY', '2022,3.1,2023', '{"date":"2022-01-31","val":3.1,"revisions":[{"epoch":1704110400,"val":3.1}]}'],
    // A day among months is itself: 2024-03-13T12:00:00Z
    ['YYYY-MM', '2024-01,3,2024-03-12', '{"date":"2024-01-31","val":3,"revisions":[{"epoch":1710331200,"val":3}]}'],
  ])('knows a vintage spelled as %s at its end: %s', (spelling, line, row) => {
    const told = { vintage: 'Known', 'date-format': spelling, period: 'month' };
    expect(read(`Day,CPI,Known\n${line}\n`, told)).toEqual([row]);
  });

  it.each([
    ['2024-01-15', '2024-01-15'],
    ['2024-01-15T13:30:00Z', '2024-01-15'],
  ])('refuses a forecast, under the day of its vintage as it is spelled: %s', (known, day) => {
    expect(refused(`Day,CPI,Known\n2024-01-31,3,${known}\n`, { vintage: 'Known' })).toBe(
      `Line 2 of the file cannot be imported: its vintage of ${day} has a forecast of 2024-01-31, which had not ended then.`,
    );
  });

  it('takes a value back with a vintage that has none', () => {
    // Noon UTC behind 2024-02-10, 2024-03-10 and 2024-04-10.
    const text =
      'Day,CPI,Known\n2024-01-31,,2024-02-01\n2024-01-31,3,2024-02-10\n2024-01-31,,2024-03-10\n2024-01-31,,\n' +
      '2024-02-29,,2024-03-10\n2024-03-31,,2024-04-01\n2024-03-31,5,2024-04-10\n';
    expect(read(text, { vintage: 'Known' })).toEqual([
      '{"date":"2024-01-31","val":null,"revisions":[{"epoch":1707652800,"val":3},{"epoch":1710158400,"val":null}]}',
      '{"date":"2024-03-31","val":5,"revisions":[{"epoch":1712836800,"val":5}]}',
    ]);
  });

  it.each([
    ['-12,345,678', '-12345678'],
    ['1,234.5', '1234.5'],
  ])('never reads %s as a thousandth of it', (cell, meant) => {
    expect(refused(`Day,CPI\n2024-01-31,"${cell}"\n`)).toBe(
      `Line 2 of the file cannot be imported: '${cell}' of CPI may be ${meant}, with a comma between thousands. ` +
        'Take such commas out of the file.',
    );
  });

  it('never takes millions for units: a multiplier of SDMX is said in the unit', () => {
    const table = 'Day,CPI,UNIT,UNIT_MULT\n2024-01-31,17,EUR,6\n';
    expect(refused(table)).toBe(
      'Line 2 of the file cannot be imported: its UNIT_MULT is 6: values are times ten to the power of it. ' +
        "--unit 'EUR mn' says so.",
    );
    expect(refused(table.replace(',6\n', ',2\n'))).toContain("its UNIT_MULT is '2' for 'EUR'");
  });

  it('names both meanings of one comma before three digits: of 1,085 dollars for a euro the decimal one is right', () => {
    expect(refused('Day,CPI\n2024-01-31,"1,085"\n')).toBe(
      "Line 2 of the file cannot be imported: '1,085' of CPI may be 1085, with a comma between thousands. " +
        'Take such commas out of the file, or say that it is decimal: --decimal ,',
    );
  });

  it.each([
    ['Day,CPI\n2024-01-31,3,1\n', 'Line 2 of the file cannot be imported: it has 3 cells and the header has 2.'],
    ['Day,CPI\n31/01/2024,3\n', "Line 2 of the file cannot be imported: '31/01/2024' is no date."],
    ['Day,CPI\n2024-01-31,3\nSource: us,\n', "Line 3 of the file cannot be imported: 'Source: us' is no date."],
    ['Day,CPI\n2024-01-31,"3,1"\n', "Line 2 of the file cannot be imported: '3,1' is no number of CPI."],
    [
      'Day,CPI\n2024-01-31,"3\n',
      'Line 2 of the file cannot be imported: a quoted cell has no end: the file is cut off.',
    ],
    [
      'Day,CPI\n2024-01-31,3\n2024-01-31,3\n',
      'Line 3 of the file cannot be imported: 2024-01-31 stands in the file twice.',
    ],
    ['Day,CPI\n2030-01-31,3\n', 'Line 2 of the file cannot be imported: it speaks of 2030-01-31'],
    ['Day;CPI\n2024-01-31;3\n', 'Line 1 of the file cannot be imported: no line has the columns Day, CPI.'],
  ])('%j is refused', (text, message) => {
    expect(refused(text)).toContain(message);
  });

  it('may be UTF-16', () => {
    const text = '\uFEFFDay,CPI\n2024-01-31,3.1\n';
    expect(textsOf(formatOf(), new Uint8Array(Buffer.from(text, 'utf16le')))['USD/inflation']).toEqual([
      '{"date":"2024-01-31","val":3.1}',
    ]);
  });
});

describe('a table of several series', () => {
  const find = (question: string): CsvTarget => {
    const [, base = '', quote = ''] = question.split(' ');
    if (base === quote) throw new MacroError('usage', 'Base and quote must differ.');
    return { endpoint: 'forex', scope: { base, quote }, envelope: {}, vintages: undefined, isRate: true };
  };
  const format = csvFormat(readMapping({ as: 'fx {Base} {Quote}', date: 'Day', value: 'Rate' }), find);

  it('takes the series of a line from its cells, in any order of the lines', () => {
    const text =
      'Base,Day,Rate,Quote\nEUR,2024-01-30,1.10,USD\nGBP,2024-01-30,1.3,USD\nEUR,2024-01-31,,USD\nEUR,2024-01-31,0.85,GBP\n';
    expect(textsOf(format, text)).toEqual({
      'EUR/USD': ['{"date":"2024-01-30","val":1.10}'],
      'GBP/USD': ['{"date":"2024-01-30","val":1.3}'],
      'EUR/GBP': ['{"date":"2024-01-31","val":0.85}'],
    });
  });

  it.each([
    [
      'USD,2024-01-30,1,USD',
      "Line 2 of the file cannot be imported: it is read as 'fx USD USD'. Base and quote must differ.",
    ],
    ['EUR,2024-01-30,0,USD', 'Line 2 of the file cannot be imported: 0 of Rate is not above zero.'],
    ['EUR,2024-01-30,-1.5,USD', 'Line 2 of the file cannot be imported: -1.5 of Rate is not above zero.'],
    ['EUR,2024-01-30,1,', "Line 2 of the file cannot be imported: '' is no word that names a series."],
    ['EUR x,2024-01-30,1,USD', "Line 2 of the file cannot be imported: 'EUR x' is no word that names a series."],
  ])('refuses %j with the line', (line, message) => {
    expect(refusalOf(format, `Base,Day,Rate,Quote\n${line}\n`)).toContain(message);
  });

  it('needs those columns', () => {
    expect(refusalOf(format, 'Base,Day,Rate\nEUR,2024-01-30,1\n')).toContain(
      'no line has the columns Day, Rate, Base, Quote.',
    );
  });
});

describe('a rule of release', () => {
  it.each([
    ['month end +12d 08:30 America/New_York', '2024-01-31', '2024-02-12T13:30:00Z'],
    ['month +12d 08:30 America/New_York', '2024-06-01', '2024-07-12T12:30:00Z'],
    ['day 16:00 Europe/Berlin', '2024-07-01', '2024-07-01T14:00:00Z'],
    ['quarter end +30d 00:00 UTC', '2024-01-01', '2024-04-30T00:00:00Z'],
    // Skipped by the clock; shown by it twice, of which the later one counts; before it is shown twice.
    ['day 02:30 America/New_York', '2026-03-08', '2026-03-08T07:30:00Z'],
    ['day 01:30 America/New_York', '2026-11-01', '2026-11-01T06:30:00Z'],
    ['day 00:30 America/New_York', '2026-11-01', '2026-11-01T04:30:00Z'],
    // Lord Howe goes back by half an hour.
    ['day 01:45 Australia/Lord_Howe', '2026-04-05', '2026-04-04T15:15:00Z'],
  ])('%s gives for %s %s', (rule, date, instant) => {
    expect(readReleaseRule(rule)(date)).toBe(Date.parse(instant) / 1000);
  });

  it.each(['', 'month', 'month end +12d 8:30 UTC', 'day 24:00 UTC', 'day 10:00 Nowhere/Here', 'fortnight 10:00 UTC'])(
    '%j is none',
    (rule) => {
      expect(() => readReleaseRule(rule)).toThrow(`'${rule}' is no rule of release.`);
    },
  );
});

describe('a mapping', () => {
  it.each([
    [{ valu: 'x' }, "'valu' is no member of it"],
    [{ decimal: ';' }, 'decimal must be one of ., ,'],
    [{ missing: 'n/a' }, 'missing must be a list of texts'],
    [{ unit: 3 }, 'unit must be a text'],
    [{ begins: 'early' }, 'begins must be a date such as 2020-01-31'],
    [{ vintage: 'V', 'release-rule': 'day 10:00 UTC' }, 'vintage and release-rule exclude each other'],
  ])('with %j is refused', (told, message) => {
    expect(() => readMapping({ ...BASE, ...told })).toThrow(message);
  });

  it('lacks what it must say', () => {
    expect(() => readMapping({ as: 'fx usd chf', date: 'Day' })).toThrow('it has no value');
  });
});
