import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { checkRows } from '../../src/source/stored/answer-commit.ts';

const forex = endpointById('forex');
const window = { base: 'EUR', quote: 'USD', start_date: '2026-01-01', end_date: '2026-01-31' };

function check(...dates: readonly string[]): void {
  if (!forex) throw new Error('no forex');
  const rows = dates.map((date) => ({ text: asJsonText(`{"date":"${date}"}`), value: { date } }));
  checkRows(forex, window, rows);
}

describe('a page that is to be kept', () => {
  it('may be in the order of the key, either way', () => {
    expect(() => check('2026-01-31', '2026-01-02', '2026-01-01')).not.toThrow();
    expect(() => check('2026-01-01', '2026-01-02')).not.toThrow();
    expect(() => check()).not.toThrow();
  });

  it.each([
    [
      'a row outside of the window',
      ['1990-01-01', '2026-01-02'],
      'has a row of 1990-01-01, which is outside of 2026-01-01 to 2026-01-31',
    ],
    ['a date that does not exist', ['2026-01-32'], "has a row dated '2026-01-32'"],
    ['one row twice', ['2026-01-02', '2026-01-02'], 'lists 2026-01-02 twice'],
    ['rows in no order', ['2026-01-02', '2026-01-09', '2026-01-05'], 'has rows in no order'],
  ])('is refused with %s', (_, dates, told) => {
    expect(() => check(...dates)).toThrow(`The answer of forex ${told}.`);
  });
});
