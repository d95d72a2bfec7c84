import { existsSync, readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { ecb } from '../../src/imports/formats/ecb.ts';
import { bytesOf, refusalOf, surveyOf, textsOf } from './read-format.ts';

const read = (content: string | Uint8Array) => textsOf(ecb, content);
const refusal = (content: string | Uint8Array) => refusalOf(ecb, content);

const HISTORY = 'Date,USD,JPY,\n2026-04-13,1.10,186.75,\n2026-04-10,1.1711,N/A,\n';
const ROWS = {
  'EUR/USD': ['{"date":"2026-04-13","val":1.10}', '{"date":"2026-04-10","val":1.1711}'],
  'EUR/JPY': ['{"date":"2026-04-13","val":186.75}'],
};

describe('the file of the whole history', () => {
  it('gives a series a currency, rates spelled as published', () => {
    expect(read(HISTORY)).toEqual(ROWS);
  });

  it('gives values beside the texts', () => {
    const { file } = surveyOf(ecb, 'Date,USD\n2026-04-13,1.10\n');
    expect([...ecb.read(file)].flatMap(({ rows }) => rows.map(({ row }) => row.value))).toEqual([
      { date: '2026-04-13', val: 1.1 },
    ]);
  });

  it('speaks about the dates from its first to its last line', () => {
    expect(surveyOf(ecb, HISTORY)).toMatchObject({ from: '2026-04-10', to: '2026-04-13', rows: 3 });
  });

  it('names the publisher in the words of the forex answer', () => {
    const [usd] = [...surveyOf(ecb, HISTORY).series.values()];
    expect(usd?.series.envelope).toMatchObject({
      source: 'European Central Bank',
      provenance: { source_series_id: 'ecb_eurofxref_daily' },
      pair_metadata: { source_legs: [{ pair: 'EUR/USD', source_frequency: 'daily' }] },
    });
  });
});

describe('what the files may differ in', () => {
  it.each([
    ['a byte order mark', `\uFEFF${HISTORY}`],
    ['line ends of Windows', HISTORY.replaceAll('\n', '\r\n')],
    ['no comma at the ends', HISTORY.replaceAll(',\n', '\n')],
    ['blank lines', `\n${HISTORY}\n  \n`],
    ['blanks around cells', HISTORY.replaceAll(',', ' , ')],
    ['an empty cell for no rate', HISTORY.replace('N/A', '')],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual(ROWS);
  });

  it('the file of one day, with its own spelling of dates', () => {
    expect(read('Date, USD, JPY, \n10 April 2026, 1.1711, 186.43, \n')).toEqual({
      'EUR/USD': ['{"date":"2026-04-10","val":1.1711}'],
      'EUR/JPY': ['{"date":"2026-04-10","val":186.43}'],
    });
    expect(read('Date, USD\n2 January 2026, 1.1\n')).toEqual({ 'EUR/USD': ['{"date":"2026-01-02","val":1.1}'] });
  });

  it('a ZIP around the CSV', () => {
    expect(read(zipSync({ 'eurofxref-hist.csv': bytesOf(HISTORY) }))).toEqual(ROWS);
  });

  it('a currency that has no rate at all', () => {
    expect(read('Date,USD,XTS\n2026-04-13,1.1,N/A\n')).toEqual({
      'EUR/USD': ['{"date":"2026-04-13","val":1.1}'],
      'EUR/XTS': [],
    });
  });
});

describe('a file that is not what it should be', () => {
  it.each([
    ['', 'The file cannot be imported: it is empty.'],
    ['Date,USD,\n', 'The file cannot be imported: it has a header and no values.'],
    ['<!doctype html>', 'Line 1 of the file cannot be imported: it is a page of the web, no file of data.'],
    ['Day,USD\n2026-04-13,1.1\n', 'The file cannot be imported: no line of it begins with Date.'],
    ['Date,\n2026-04-13,\n', 'Line 1 of the file cannot be imported: its header names no series such as USD.'],
    ['Date,USD,usd\n', "Line 1 of the file cannot be imported: 'usd' is no currency code."],
    ['Date,USD,,JPY\n', "Line 1 of the file cannot be imported: '' is no currency code."],
    ['Date,EUR\n', "Line 1 of the file cannot be imported: 'EUR' is no currency code."],
    ['Date,USD,USD\n', 'Line 1 of the file cannot be imported: the column USD stands there twice.'],
    ['Date,USD\n2026-04-13,1.1x\n', "Line 2 of the file cannot be imported: '1.1x' is no number of USD."],
    ['Date,USD\n\n2026-04-13,1.\n', "Line 3 of the file cannot be imported: '1.' is no number of USD."],
    ['Date,USD\n2026-04-13,1e3\n', "Line 2 of the file cannot be imported: '1e3' is no number of USD."],
    ['Date,USD\n2026-04-13,01.5\n', "Line 2 of the file cannot be imported: '01.5' is no number of USD."],
    ['Date,USD\n2026-04-13,1.1.1\n', "Line 2 of the file cannot be imported: '1.1.1' is no number of USD."],
    ['Date,USD\n2026-04-13,n/a\n', "Line 2 of the file cannot be imported: 'n/a' is no number of USD."],
    ['Date,USD\n2026-04-13,-1.1\n', 'Line 2 of the file cannot be imported: -1.1 of USD is not above zero.'],
    ['Date,USD\n2026-04-13,0.000\n', 'Line 2 of the file cannot be imported: 0.000 of USD is not above zero.'],
    ['Date,USD\n2026-02-30,1.1\n', "Line 2 of the file cannot be imported: '2026-02-30' is no date."],
    ['Date,USD\n30 February 2026,1.1\n', "Line 2 of the file cannot be imported: '30 February 2026' is no date."],
    ['Date,USD\n13 Apr 2026,1.1\n', "Line 2 of the file cannot be imported: '13 Apr 2026' is no date."],
    ['Date,USD\n13/04/2026,1.1\n', "Line 2 of the file cannot be imported: '13/04/2026' is no date."],
    [
      'Date,USD\n2026-04-13,1.1\n13 April 2026,1.1\n',
      'Line 3 of the file cannot be imported: 2026-04-13 stands in the file twice.',
    ],
    ['Date,USD,JPY,\n2026-04-13,1.1\n', 'Line 2 of the file cannot be imported: it has 2 cells and the header has 4.'],
    [
      'Date,USD,JPY,\n2026-04-13,1.1,186.7',
      'Line 2 of the file cannot be imported: it has 3 cells and the header has 4.',
    ],
    [
      'Date,USD\n2026-04-13,1.1,186.75\n',
      'Line 2 of the file cannot be imported: it has 3 cells and the header has 2.',
    ],
  ])('%j is refused', (text, message) => {
    expect(refusal(text)).toContain(message);
  });

  it('is refused when it is no text', () => {
    expect(refusal(new Uint8Array([0x44, 0xff, 0x00]))).toContain('it is no UTF-8 text');
  });

  it('is refused with the advice to give the publisher’s file', () => {
    expect(() => read('')).toThrow(expect.objectContaining({ hint: expect.stringContaining('Nothing was written') }));
  });
});

const OFFICIAL = '../shared/data/ecb-reference-rates.csv';

describe.skipIf(!existsSync(OFFICIAL))('the official file', () => {
  it('is read to the last cell', () => {
    const text = readFileSync(OFFICIAL, 'utf8');
    const [header = '', ...lines] = text.trim().split('\n');
    const rates = lines.flatMap((line) => line.split(',').slice(1)).filter((cell) => /\d/.test(cell)).length;
    const series = read(text);
    expect(Object.keys(series)).toEqual(
      header
        .split(',')
        .slice(1)
        .filter((name) => name !== '')
        .map((name) => `EUR/${name}`),
    );
    expect(Object.values(series).reduce((sum, rows) => sum + rows.length, 0)).toBe(rates);
    expect(series['EUR/USD']?.[0]).toBe('{"date":"2026-04-13","val":1.1684}');
    expect(series['EUR/TRL']?.at(-1)).toBe('{"date":"1999-01-04","val":372274}');
  });
});
