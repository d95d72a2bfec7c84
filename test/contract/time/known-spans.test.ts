import { expect, it } from 'vitest';
import { isKnownAt, knownUntil, unknownTimes } from '../../../src/contract/time/moments.ts';

const SPANS = [
  { from: 100, to: 200 },
  { from: 500, to: 500 },
];

it('a moment is known inside of a span, its ends included', () => {
  expect([99, 100, 200, 201, 499, 500, 501].map((moment) => isKnownAt(SPANS, moment))).toEqual([
    false,
    true,
    true,
    false,
    false,
    true,
    false,
  ]);
});

it('the time without knowledge around a moment begins with what was known last', () => {
  expect(unknownTimes(SPANS, [300])).toEqual([{ from: 200, to: 300 }]);
  expect(unknownTimes(SPANS.toReversed(), [600])).toEqual([{ from: 500, to: 600 }]);
  expect(unknownTimes(SPANS, [150, 500])).toEqual([]);
});

it('before everything it ends with what was known first', () => {
  expect(unknownTimes(SPANS, [40])).toEqual([{ from: 40, to: 100 }]);
  expect(unknownTimes(SPANS.toReversed(), [40, 30, 50])).toEqual([{ from: 30, to: 100 }]);
});

it('each such time is named once, as far as the moments look at it', () => {
  expect(unknownTimes(SPANS, [400, 700, 300, 10, 600])).toEqual([
    { from: 200, to: 400 },
    { from: 500, to: 700 },
    { from: 10, to: 100 },
  ]);
});

it('a series is known until its last look, and never where nobody looked', () => {
  expect(unknownTimes(knownUntil(1000), [900, 1000, 1001])).toEqual([{ from: 1000, to: 1001 }]);
  expect(knownUntil(0)).toEqual([]);
});
