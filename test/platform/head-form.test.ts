import { expect, test } from 'vitest';
import { headFormOf } from '../../src/platform/shortcut/head-form.ts';

const headOf = (...lines: readonly string[]) => [' HTTP/1.1', ...lines, '', ''].join('\r\n');
const LISTED = ['Host', 'a', 'X-Id', '7', 'X-Odd', 'b c', 'Content-Length', '5'];
const SPELLED = ['Host: a', 'X-Id: 7', 'X-Odd: b c', 'Content-Length: 5'];
const varies = (name: string) => name === 'X-Id';
const form = headFormOf(headOf(...SPELLED), LISTED, varies);

test('a head of the form is read as the list that the parser would make', () => {
  expect(form?.read(headOf('Host: a', 'X-Id: a-B_9=.,:+/', 'X-Odd: b c', 'Content-Length: 12'), 12)).toEqual([
    ...['Host', 'a', 'X-Id', 'a-B_9=.,:+/', 'X-Odd', 'b c', 'Content-Length', '12'],
  ]);
});

test.each([
  ['another value where values are one', headOf('Host: b', ...SPELLED.slice(1))],
  ['a longer value where values are one', headOf('Host: ab', ...SPELLED.slice(1))],
  ['a header more', headOf(...SPELLED, 'X-More: 1')],
  ['a header less', headOf('Host: a', 'X-Id: 7', 'Content-Length: 5')],
  ['no end', headOf(...SPELLED).slice(0, -2)],
  ['more behind the end', `${headOf(...SPELLED)}x`],
  ['another version', headOf(...SPELLED).replace('1.1', '1.0')],
  ['no value', headOf('Host: a', 'X-Id: ', ...SPELLED.slice(2))],
  ...[
    ' 7',
    '7 ',
    '\t7',
    '7\t',
    '7\r',
    '7\n',
    '7\r\n 8',
    '7\nX-Odd: 8',
    '\u0000',
    '\u007f',
    '\u00e4',
    '7 8',
    '"7"',
    '7;',
  ].map((value) => [JSON.stringify(value), headOf('Host: a', `X-Id: ${value}`, ...SPELLED.slice(2))]),
])('a head with %s is none of the form', (_, rest) => {
  expect(form?.read(rest ?? '', 5)).toBeUndefined();
});

test.each(['4', '6', '05', '+5', '5,5', '5.0', '0x5', ''])('a length of %j is not that of five bytes', (length) => {
  expect(form?.read(headOf(...SPELLED.slice(0, -1), `Content-Length: ${length}`), 5)).toBeUndefined();
});

test.each([
  ['space', headOf('Host:  a', ...SPELLED.slice(1))],
  ['no space', headOf('Host:a', ...SPELLED.slice(1))],
  ['space at the end', headOf('Host: a ', ...SPELLED.slice(1))],
  ['a fold', headOf('Host:\r\n a', ...SPELLED.slice(1))],
  ['another order', headOf(...SPELLED.toReversed())],
])('a head that is spelled with %s has no form', (_, rest) => {
  expect(headFormOf(rest, LISTED, varies)).toBeUndefined();
});

test('a head without a length has no form', () => {
  expect(headFormOf(headOf('Host: a'), ['Host', 'a'], varies)).toBeUndefined();
});
