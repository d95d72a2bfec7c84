import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportFormat } from '../../src/imports/format.ts';
import { bankOfCanada } from '../../src/imports/formats/bank-of-canada.ts';
import { h10 } from '../../src/imports/formats/federal-reserve-board.ts';
import { bundesbank, nbp, rba } from '../../src/imports/formats/fx-tables.ts';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { bytesOf, fileOf, refusalOf, surveyOf, textsOf } from './read-format.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../fixtures/official', name)));
/** One character a byte, so that an excerpt in any encoding can be altered and given back. */
const latin1 = (name: string) => Buffer.from(fixture(name)).toString('latin1');
const back = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

/** Made-up numbers in the shape of the Board's Data Download Program: no excerpt of a daily file is at hand. */
const H10 = [
  '"Series Description","AUSTRALIA -- SPOT","CANADA -- SPOT","BROAD DOLLAR INDEX"',
  '"Unit:","Currency:_Per_AUD","Currency:_Per_USD","Index:_1997_Jan_100"',
  '"Multiplier:","1","1","1"',
  '"Currency:","USD","CAD","NA"',
  '"Unique Identifier: ","H10/H10/RXI$US_N.B.AL","H10/H10/RXI_N.B.CA","H10/H10/JRXWTFB_N.B"',
  '"Time Period","RXI$US_N.B.AL","RXI_N.B.CA","JRXWTFB_N.B"',
  '2024-12-16,0.6370,1.4230,ND',
  '2024-12-25,ND,ND,ND',
  '2024-12-26,0.6230,,128.1',
].join('\r\n');

const FILES: readonly (readonly [string, ImportFormat, Uint8Array])[] = [
  ['bank-of-canada', bankOfCanada, fixture('boc-fx-daily-2017-01.csv')],
  ['nbp', nbp, fixture('nbp-table-a-2022-12.csv')],
  ['rba', rba, fixture('rba-f11.1-2024-12.csv')],
  ['bundesbank in English', bundesbank, fixture('bbk-eur-gbp-2022-03-en.csv')],
  ['bundesbank in German', bundesbank, fixture('bbk-eur-usd-2022-04-de.csv')],
  ['h10', h10, bytesOf(H10)],
];

const DAY = /^"?(?:\d{8}|\d{4}-\d\d-\d\d|\d\d-\w{3}-\d{4})/;
const linesOf = (text: string) => text.split('\n');
/** The last line of a day on which there was a rate. */
const lastLine = (text: string) => linesOf(text).findLast((line) => DAY.test(line) && /\d[.,]\d/.test(line)) ?? '';
const lastDay = (change: (line: string) => string) => (text: string) =>
  text.replace(lastLine(text), change(lastLine(text)));

describe.each(FILES)('%s', (_, format, bytes) => {
  const text = Buffer.from(bytes).toString('latin1');
  const read = textsOf(format, bytes);

  it('is recognised by its beginning, and by no other format', () => {
    expect(recogniseFormat(fileOf(bytes))).toBe(format);
  });

  it('may have other line ends, and no last one', () => {
    const lines = text.replaceAll('\r\n', '\n');
    expect(textsOf(format, back(lines))).toEqual(read);
    expect(textsOf(format, back(lines.replaceAll('\n', '\r\n')))).toEqual(read);
    const open = back(lines.trimEnd());
    expect(textsOf(format, open)).toEqual(read);
  });

  it.each([
    ['another separator', (all: string) => all.replaceAll(/[,;]/g, (mark) => (mark === ',' ? ';' : ','))],
    ['tabs', (all: string) => all.replaceAll(/[,;]/g, '\t')],
    ['a web page', () => '<!DOCTYPE html><html></html>'],
    [
      'no days',
      (all: string) =>
        linesOf(all)
          .filter((line) => !DAY.test(line))
          .join('\n'),
    ],
    [
      'no header',
      (all: string) =>
        linesOf(all)
          .filter((line) => DAY.test(line))
          .join('\n'),
    ],
    ['a letter in a rate', lastDay((line) => line.replace(/(\d[.,])\d/g, '$1x'))],
    [
      'another decimal mark',
      lastDay((line) => line.replace(/(\d)([.,])(\d)/, (_all, a, mark, b) => `${a}${mark === '.' ? ',' : '.'}${b}`)),
    ],
    ['a day twice', lastDay((line) => `${line}\n${line}`)],
    ['a day that does not exist', lastDay((line) => line.replace(/(\d{2}|-)(?=["]?[;,])/, '99'))],
    ['a day that has not come', lastDay((line) => line.replace(/20\d\d/, '2030'))],
    ['a line cut in half', (all: string) => all.slice(0, all.lastIndexOf(lastLine(all)) + lastLine(all).length / 2)],
    ['zeros for rates', lastDay((line) => line.replace(/\d+[.,]\d+/g, '0'))],
    ['negative rates', lastDay((line) => line.replace(/(\d+[.,]\d+)/g, '-$1'))],
  ])('with %s is refused', (_fault, spoil) => {
    const spoiled = spoil(text);
    expect(spoiled).not.toBe(text);
    expect(refusalOf(format, back(spoiled))).toMatch(/^(?:The file|Line \d+ of the file) cannot be imported: /);
  });
});

describe('rates', () => {
  it('of units of a hundred are of one, to the last digit', () => {
    const {
      'JPY/PLN': yen,
      'IDR/PLN': rupiah,
      'USD/PLN': dollar,
      'XDR/PLN': rights,
    } = textsOf(nbp, fixture('nbp-table-a-2022-12.csv'));
    // The file says 1USD 4,4018, 100JPY 3,3312 and 10000IDR 2,8276.
    expect(dollar?.at(-1)).toBe('{"date":"2022-12-30","val":4.4018}');
    expect(yen?.at(-1)).toBe('{"date":"2022-12-30","val":0.033312}');
    expect(rupiah?.at(-1)).toBe('{"date":"2022-12-30","val":0.00028276}');
    expect(rights).toBeUndefined();
  });

  it('per dollar and in dollars keep their direction, whatever the multiplier says', () => {
    expect(textsOf(h10, H10)).toEqual({
      'AUD/USD': ['{"date":"2024-12-16","val":0.6370}', '{"date":"2024-12-26","val":0.6230}'],
      'USD/CAD': ['{"date":"2024-12-16","val":1.4230}'],
    });
    expect(refusalOf(h10, H10.replace('_Per_AUD', '_Per_USD'))).toContain('do not agree');
  });

  it('of a table that calls a currency otherwise are refused and not left out', () => {
    const table = new TextDecoder().decode(fixture('rba-f11.1-2024-12.csv')).replace('A$1=EUR', 'Euro');
    expect(refusalOf(rba, table)).toMatch(/^Line 2 .*its title 'Euro' is no pair such as A\$1=USD/);
  });

  it('of a week are known from Tuesday of the next one', () => {
    const { publication } = h10;
    const at = publication.revised === 'never' ? publication.at : () => undefined;
    // 2024-12-16 is a Monday, 2024-12-20 a Friday; Tuesday is the 24th, and New York is five hours behind.
    for (const date of ['2024-12-16', '2024-12-20']) expect(at(date)).toBe(Date.UTC(2024, 11, 24, 21, 15) / 1000);
  });

  it('of a day are known from the hour of their publisher', () => {
    const known = (format: ImportFormat, date: string) =>
      format.publication.revised === 'never' ? new Date((format.publication.at(date) ?? 0) * 1000).toISOString() : '';
    expect(known(bankOfCanada, '2017-01-03')).toBe('2017-01-03T21:30:00.000Z');
    expect(known(nbp, '2022-12-30')).toBe('2022-12-30T11:15:00.000Z');
    expect(known(rba, '2024-12-18')).toBe('2024-12-18T06:00:00.000Z');
    expect(known(bundesbank, '2022-04-14')).toBe('2022-04-14T14:15:00.000Z');
  });

  it('are missing where the file has none: weekends, ended series', () => {
    const { 'EUR/GBP': pound } = textsOf(bundesbank, fixture('bbk-eur-gbp-2022-03-en.csv'));
    expect(pound).toHaveLength(20);
    expect(surveyOf(bundesbank, fixture('bbk-eur-gbp-2022-03-en.csv'))).toMatchObject({ to: '2022-03-23', rows: 20 });
  });

  it('in a hundred units that the Bundesbank states are refused', () => {
    expect(
      refusalOf(bundesbank, back(latin1('bbk-eur-usd-2022-04-de.csv').replace('Dimension;Eins', 'Dimension;Hundert'))),
    ).toContain("its dimension is 'Hundert' and not one.");
  });
});
