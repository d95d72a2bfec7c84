import { describe, expect, it } from 'vitest';
import { readDate, readNumber } from '../../src/imports/read/cells.ts';

const number = (text: string, decimal?: '.' | ',') => readNumber({ text, line: 7 }, decimal);

describe('a number of a cell', () => {
  it.each([
    ['1.10', '1.10'],
    ['-0.5', '-0.5'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['372274', '372274'],
  ])('%s keeps its digits', (text, expected) => {
    expect(number(text)).toBe(expected);
  });

  it('has the decimal mark of its file, and no other', () => {
    expect(number('1,10', ',')).toBe('1.10');
    for (const [text, mark] of [
      ['1,10', '.'],
      ['1.10', ','],
      ['1.234,5', ','],
      ['1,234.5', '.'],
    ] as const)
      expect(() => number(text, mark)).toThrow(`Line 7 of the file cannot be imported: '${text}' is no number.`);
  });

  it.each(['', '.', '1.', '1e3', '0x10', '01.5', '1 000', '--1', 'NaN', '١'])('%j is none', (text) => {
    expect(() => number(text)).toThrow('is no number.');
  });
});

describe('a date of a cell', () => {
  it.each([
    ['2024-02-29', 'YYYY-MM-DD', '2024-02-29'],
    ['20240229', 'YYYYMMDD', '2024-02-29'],
    ['3-Jan-2023', 'D MMM YYYY', '2023-01-03'],
    ['03 January 2023', 'D MMMM YYYY', '2023-01-03'],
    ['1/2/2023', 'MM/DD/YYYY', '2023-01-02'],
    ['1/2/2023', 'DD/MM/YYYY', '2023-02-01'],
    ['1.2.2023', 'DD.MM.YYYY', '2023-02-01'],
    ['18-Dec-25', 'D MMM YY', '2025-12-18'],
    ['04 Aug 22', 'D MMM YY', '2022-08-04'],
    ['20-JAN-75', 'D MMM YY', '1975-01-20'],
    ['2024-Q1', 'YYYY-Q', '2024-01-01'],
    ['2025Q4', 'YYYY-Q', '2025-10-01'],
    ['2022 Q1', 'YYYY-Q', '2022-01-01'],
    ['1947:Q3', 'YYYY-Q', '1947-07-01'],
    ['1960M01', 'YYYY-MM', '1960-01-01'],
    ['2022 JAN', 'YYYY MMM', '2022-01-01'],
    ['Jan-01', 'MMM YY', '2001-01-01'],
    ['Dec-99', 'MMM YY', '1999-12-01'],
    ['Mar 2024', 'MMM YYYY', '2024-03-01'],
  ] as const)('%s as %s is %s', (text, spelling, expected) => {
    expect(readDate({ text, line: 1 }, spelling)).toBe(expected);
  });

  it.each([
    ['2023-02-29', 'YYYY-MM-DD'],
    ['13/01/2023', 'MM/DD/YYYY'],
    ['3-Foo-2023', 'D MMM YYYY'],
    ['2024-Q5', 'YYYY-Q'],
    ['2024M13', 'YYYY-MM'],
    ['31-Jun-25', 'D MMM YY'],
  ] as const)('%s as %s is none', (text, spelling) => {
    expect(() => readDate({ text, line: 4 }, spelling)).toThrow(
      `Line 4 of the file cannot be imported: '${text}' is no date.`,
    );
  });
});
