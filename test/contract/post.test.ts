import { describe, expect, test } from 'vitest';
import { readBody } from '../../src/contract/params/post.ts';
import { panelPost } from '../../src/derive/panel/body.ts';
import { MacroError } from '../../src/errors.ts';

const QUESTION = {
  series: [
    { currency: 'usd', indicator: 'inflation', max_age_days: 60 },
    { currency: 'eur', indicator: 'inflation', max_age_days: null },
  ],
  decision_times: ['2026-10-14T12:30:00Z', 1791981000],
  start_date: '2026-01-01',
  end_date: '2026-12-31',
};

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (body: unknown, type: string | undefined = 'application/json') =>
  readBody(panelPost, bytes(typeof body === 'string' ? body : JSON.stringify(body)), type);

function findingsIn(body: unknown, type?: string) {
  try {
    read(body, type);
  } catch (error) {
    if (error instanceof MacroError) return error.findings.map(({ loc, type: kind }) => [loc.join('.'), kind]);
    throw error;
  }
  return [];
}

describe('a posted question', () => {
  test('is another spelling of the query', () => {
    expect(read(QUESTION)).toEqual({
      series: 'usd:inflation:60,eur:inflation',
      decision_times: '2026-10-14T12:30:00Z,1791981000',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    });
  });

  test('carries its choice and its pin, and a pin of null is none', () => {
    const pin = 'a'.repeat(64);
    expect(read({ ...QUESTION, availability: 'captured', dataset_version: pin })).toMatchObject({
      availability: 'captured',
      dataset_version: pin,
    });
    expect(read({ ...QUESTION, dataset_version: null })).not.toHaveProperty('dataset_version');
  });

  test('is written as it is read', () => {
    const args = {
      series: ['USD:inflation:60', 'EUR:inflation'],
      decision_times: ['2026-10-14T12:30:00Z'],
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      availability: 'public',
      dataset_version: undefined,
    };
    const body = panelPost.toBody(args);
    expect(body).toEqual({
      series: [
        { currency: 'USD', indicator: 'inflation', max_age_days: 60 },
        { currency: 'EUR', indicator: 'inflation' },
      ],
      decision_times: ['2026-10-14T12:30:00Z'],
      start_date: '2026-01-01',
      end_date: '2026-12-31',
      availability: 'public',
    });
    expect(read(body)).toMatchObject({ series: 'USD:inflation:60,EUR:inflation' });
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.x+json'])(
    'is taken as %s',
    (type) => expect(findingsIn(QUESTION, type)).toEqual([]),
  );
});

describe('a body is refused', () => {
  test.each([
    ['no JSON', '{"series":'],
    ['nothing', ''],
    ['another type', JSON.stringify(QUESTION), 'text/plain'],
    ['no type', JSON.stringify(QUESTION), ''],
  ])('that is %s', (_, body, type?: string) => {
    expect(findingsIn(body, type)).toEqual([['body', 'json_invalid']]);
  });

  test('that is no UTF-8', () => {
    expect(() => readBody(panelPost, new Uint8Array([0x7b, 0xff, 0x7d]), 'application/json')).toThrow(
      /JSON decode error/,
    );
  });

  const { series, decision_times, ...window } = QUESTION;

  test.each([
    ['a list', [], [['body', 'value_error']]],
    [
      'an empty object',
      {},
      [
        ['body.series', 'missing'],
        ['body.decision_times', 'missing'],
        ['body.start_date', 'missing'],
        ['body.end_date', 'missing'],
      ],
    ],
    [
      'a stranger',
      { ...QUESTION, extra: 1, __proto__x: 2 },
      [
        ['body.extra', 'extra_forbidden'],
        ['body.__proto__x', 'extra_forbidden'],
      ],
    ],
    [
      'texts for lists',
      { ...window, series: 'usd:inflation', decision_times: '2026-01-01' },
      [
        ['body.series', 'list_type'],
        ['body.decision_times', 'list_type'],
      ],
    ],
    ['no series', { ...QUESTION, series: [] }, [['body.series', 'value_error']]],
    ['seven series', { ...QUESTION, series: Array(7).fill(series[0]) }, [['body.series', 'value_error']]],
    [
      'too many times',
      { ...QUESTION, decision_times: Array(10_001).fill('2026-01-01') },
      [['body.decision_times', 'value_error']],
    ],
    [
      'odd series',
      { ...QUESTION, series: [{ currency: 'us', indicator: 'a:b', max_age_days: -1, more: 1 }, 'usd:inflation'] },
      [
        ['body.series.0.currency', 'string_pattern_mismatch'],
        ['body.series.0.indicator', 'string_pattern_mismatch'],
        ['body.series.0.max_age_days', 'greater_than_equal'],
        ['body.series.0.more', 'extra_forbidden'],
        ['body.series.1', 'value_error'],
      ],
    ],
    [
      'ages',
      { ...QUESTION, series: [36_501, 1.5, '60'].map((max_age_days) => ({ ...series[1], max_age_days })) },
      [
        ['body.series.0.max_age_days', 'less_than_equal'],
        ['body.series.1.max_age_days', 'int_parsing'],
        ['body.series.2.max_age_days', 'int_parsing'],
      ],
    ],
    [
      'odd times',
      { ...QUESTION, decision_times: [...decision_times, 'soon', '2026-01-01,2026-01-02', 1.5, null] },
      [
        ['body.decision_times.2', 'value_error'],
        ['body.decision_times.3', 'value_error'],
        ['body.decision_times.4', 'value_error'],
        ['body.decision_times.5', 'value_error'],
      ],
    ],
    [
      'an odd window',
      { ...QUESTION, start_date: '2026-02-30', end_date: 20260101 },
      [
        ['body.start_date', 'date_from_datetime_parsing'],
        ['body.end_date', 'value_error'],
      ],
    ],
    [
      'an odd choice and pin',
      { ...QUESTION, availability: 'mirrored', dataset_version: 'abc' },
      [
        ['body.availability', 'enum'],
        ['body.dataset_version', 'string_pattern_mismatch'],
      ],
    ],
  ])('for %s, every finding at once', (_, body, expected) => {
    expect(findingsIn(body)).toEqual(expected);
  });

  test('with a bounded list of findings, and without repeating what is nested', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(
      findingsIn(`{"series":${deep},"decision_times":[1],"start_date":"2026-01-01","end_date":"2026-01-01"}`),
    ).toEqual([['body', 'json_invalid']]);
    expect(findingsIn({ ...QUESTION, decision_times: Array(10_000).fill('x') })).toHaveLength(100);
  });
});
