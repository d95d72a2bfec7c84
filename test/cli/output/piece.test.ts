import { describe, expect, it } from 'vitest';
import { createPiece, joinedText } from '../../../src/cli/print/piece.ts';
import { floatText } from '../../../src/contract/json/json.ts';
import { roundHalfEven } from '../../../src/derive/decimal.ts';
import { seeded } from '../../derive/technicals/support.ts';
import fc from '../../support/properties.ts';

/** The numbers as they are put into pieces, one a line. */
function put(numbers: Iterable<number>): string {
  const piece = createPiece();
  const pieces: Uint8Array[] = [];
  for (const number of numbers) {
    piece.number(number);
    piece.text('\n');
    if (piece.isFull()) pieces.push(piece.take());
  }
  return joinedText([...pieces, piece.take()]);
}

const spelled = (numbers: readonly number[]) => numbers.map((number) => `${floatText(number)}\n`).join('');

const MANY = 400_000;

describe('a number', () => {
  const random = seeded(7);
  const manyOf = (make: () => number) => Array.from({ length: MANY }, make);
  const sign = () => (random() < 0.5 ? -1 : 1);

  it.each([
    ['of an indicator', () => roundHalfEven(sign() * random() * 10 ** Math.floor(random() * 9 - 3), 6)],
    ['of so many millionths', () => (sign() * Math.floor(random() * 10 ** Math.floor(random() * 17))) / 1e6],
    ['of few decimals', () => (sign() * Math.floor(random() * 2000)) / 10 ** Math.floor(random() * 8)],
    ['of all its digits', () => sign() * random() * 10 ** Math.floor(random() * 40 - 15)],
  ])('%s is spelled as a float is', (_, make) => {
    const numbers = manyOf(make);
    expect(put(numbers) === spelled(numbers)).toBe(true);
  });

  it('of any kind is', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (numbers) => {
        expect(put(numbers)).toBe(spelled(numbers));
      }),
    );
  });

  it.each([
    [0, '0.0'],
    [-0, '0.0'],
    [1, '1.0'],
    [-7.5, '-7.5'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [999.999999, '999.999999'],
    [1_000_000, '1000000.0'],
    [123456789.0625, '123456789.0625'],
    [999999999.999999, '999999999.999999'],
    [1e9, '1000000000.0'],
    [1e22, '1e+22'],
    [Number.NaN, ''],
  ])('%d is %s', (number, text) => {
    expect(put([number])).toBe(`${text}\n`);
  });
});

it('texts of any length and script stay what they are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 120 })), (texts) => {
      const piece = createPiece();
      for (const text of texts) piece.text(text);
      expect(joinedText([piece.take()])).toBe(texts.join('').toWellFormed());
    }),
  );
});

it('a piece has room for a text that is longer than a piece', () => {
  const piece = createPiece();
  const long = 'é,'.repeat(200_000);
  piece.text('a');
  piece.text(long);
  const taken = [piece.isFull(), piece.take(), piece.isFull(), piece.take()];
  expect(taken).toEqual([true, Buffer.from(`a${long}`), false, Buffer.alloc(0)]);
});
