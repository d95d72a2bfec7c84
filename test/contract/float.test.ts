import { describe, expect, it } from 'vitest';
import { float, floats, toJsonText } from '../../src/contract/json/json.ts';
import { parseInstant } from '../../src/contract/time/time.ts';

describe('float', () => {
  it('keeps the decimal point of a measured value that is whole, and leaves counts alone', () => {
    expect(toJsonText({ hours: float(4), zero: float(-0), part: float(0.1), count: 4 })).toBe(
      '{"hours":4.0,"zero":0.0,"part":0.1,"count":4}',
    );
  });
});

describe('floats', () => {
  it('marks every number of a value, however deep', () => {
    expect(toJsonText(floats({ rsi_14: 50, macd: { macd: 1, signal: null }, list: [2, 'x', true] }))).toBe(
      '{"rsi_14":50.0,"macd":{"macd":1.0,"signal":null},"list":[2.0,"x",true]}',
    );
  });
});

describe('parseInstant', () => {
  it('knows only instants whose year has four digits', () => {
    expect(['253402300799', '253402300800', '999999999999'].map(parseInstant)).toEqual([
      253_402_300_799,
      undefined,
      undefined,
    ]);
    expect(['-62167219200', '-62167219201'].map(parseInstant)).toEqual([-62_167_219_200, undefined]);
  });
});
