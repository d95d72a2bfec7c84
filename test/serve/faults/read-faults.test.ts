import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MacroError } from '../../../src/errors.ts';
import {
  FAULT_KINDS,
  FILE_FIELDS,
  readFaultHeader,
  readFaultList,
  readFaults,
} from '../../../src/serve/faults/fault.ts';

function refusalOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof MacroError ? `${error.message} ${error.hint}` : error;
  }
}

describe('a faults file', () => {
  it('is a list of faults', () => {
    const faults = [
      { fault: 'latency', ms: 200, jitter: 100, path: '/v1/forex/*', share: 0.5 },
      { fault: 'error', status: 503, skip: 10, times: 3, every: 50 },
      { fault: 'webhook-doubled', copies: 2 },
    ];
    expect(readFaults(JSON.stringify({ faults }))).toEqual(faults);
    expect(readFaultList(faults)).toEqual(faults);
  });

  const SHAPE = 'Write {"faults": [{"fault": "latency", "ms": 200}]}.';
  it.each([
    ['{', `The faults file is no JSON. ${SHAPE}`],
    ['[]', `The faults file has no list of faults. ${SHAPE}`],
    ['{"faults":[],"seed":1}', `The faults file does not know 'seed'. ${SHAPE}`],
    ['{"faults":[1]}', `Fault 1 is no object. ${SHAPE}`],
    [
      '{"faults":[{"ms":1}]}',
      `Fault 1: the member "fault" is missing. Legal faults: ${Object.keys(FAULT_KINDS).join(', ')}.`,
    ],
    [
      '{"faults":[{"fault":"stale-etag"},{"fault":"slow"}]}',
      `Fault 2: 'slow' is no fault. Legal faults: ${Object.keys(FAULT_KINDS).join(', ')}.`,
    ],
    [
      '{"faults":[{"fault":"reset","byte":1}]}',
      "Fault 1: reset has no field 'byte'. Legal fields: bytes, path, share, skip, times, every.",
    ],
    [
      '{"faults":[{"fault":"latency","ms":1.5}]}',
      'Fault 1: 1.5 is no value for ms of latency. Give a whole number from 0 to 60000.',
    ],
    [
      '{"faults":[{"fault":"error","status":404}]}',
      'Fault 1: 404 is no value for status of error. Give one of 500, 502, 503, 504.',
    ],
    [
      '{"faults":[{"fault":"limit"}]}',
      'Fault 1: limit needs window. Give one of minute, hour, day, month, concurrency, endpoint.',
    ],
    [
      '{"faults":[{"fault":"cut","path":"stream"}]}',
      'Fault 1: "stream" is no value for path of cut. Give a path that begins with /, such as /v1/forex/*.',
    ],
    ['{"faults":[{"fault":"cut","share":2}]}', 'Fault 1: 2 is no value for share of cut. Give a number from 0 to 1.'],
  ])('is refused plainly: %s', (text, told) => {
    expect(refusalOf(() => readFaults(text))).toBe(told);
  });

  it('has every word described in the docs', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/faults.md'), 'utf8');
    const words = Object.entries(FAULT_KINDS).flatMap(([name, { fields }]) => [name, ...Object.keys(fields)]);
    expect([...words, ...Object.keys(FILE_FIELDS)].filter((word) => !text.includes(`\`${word}\``))).toEqual([]);
  });
});

describe('the header of a request', () => {
  it('names faults with their fields', () => {
    expect(readFaultHeader('latency; ms=200, page;as=shifted , cut; skip=2')).toEqual([
      { fault: 'latency', ms: 200 },
      { fault: 'page', as: 'shifted' },
      { fault: 'cut', skip: 2 },
    ]);
  });

  it.each([
    ['', /^Fault 1: '' is no fault/],
    ['reset; path=/v1', /^Fault 1: reset has no field 'path'/],
    ['latency; ms', /^Fault 1: "" is no value for ms of latency/],
    ['stale-etag, __proto__; a=1', /^Fault 2: '__proto__' is no fault/],
    ['reset; __proto__=1', /^Fault 1: reset has no field '__proto__'|^\[/],
  ])('is refused plainly: %s', (text, told) => {
    expect(refusalOf(() => readFaultHeader(text))).toMatch(told);
  });
});
