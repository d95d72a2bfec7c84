import { describe, expect, test } from 'vitest';
import { derivePredictions, deriveVintages, type PredictionsArgs } from '../../../src/derive/predictions.ts';
import { bodyOf, pageOf, rowsOf } from '../announcements/page.ts';

const NOW = '2026-11-21T12:00:00Z';
const ARGS: PredictionsArgs = {
  currency: 'USD',
  indicator: 'inflation',
  start_date: '2026-01-01',
  end_date: '2027-02-19',
  pre_release_only: true,
  event_compatible_only: false,
  official_limit: 500,
  limit: 20,
  offset: 0,
};

const forecast = (value: string, more = '') =>
  `{"predicted_value":${value},"prediction_class":"model_nowcast","prediction_source":"a","generated_at":"2026-11-01T00:00:00Z"${more}}`;
const target = (date: string, ...forecasts: readonly string[]) =>
  `{"announcement_id":"usd_inflation_${date}","date":"${date}","predictions":[${forecasts.join(',')}]}`;

const official = (id: string, publication: object) => ({
  forecast_observation_id: id,
  predicted_value: 2,
  ...publication,
});

async function answer(rows: readonly string[], args: Partial<PredictionsArgs> = {}, stored = {}) {
  const derived = await derivePredictions(pageOf({ rows, stored, args: { ...ARGS, ...args }, now: NOW }));
  return { body: bodyOf(derived), rows: rowsOf(derived), texts: derived.rows ?? [], total: derived.total };
}

describe('forecasts', () => {
  test('keep their spelling when others of the same release are left out', async () => {
    const kept = forecast('3.10');
    const { texts } = await answer([target('2026-11-30', kept, forecast('3.2', ',"event_compatible":true'))], {
      event_compatible_only: true,
    });
    expect(texts).toEqual([
      '{"announcement_id":"usd_inflation_2026-11-30","date":"2026-11-30","predictions":[' +
        '{"predicted_value":3.2,"prediction_class":"model_nowcast","prediction_source":"a","generated_at":"2026-11-01T00:00:00Z","event_compatible":true}]}',
    ]);
    const whole = target('2026-11-30', kept);
    expect((await answer([whole], { prediction_source: 'a' })).texts).toEqual([whole]);
  });

  test('that are not narrowed leave a release without any where it is', async () => {
    expect((await answer([target('2026-11-30')])).total).toBe(1);
    expect((await answer([target('2026-11-30')], { prediction_source: 'a' })).total).toBe(0);
  });

  test('of an unknown time are not known to any moment', async () => {
    const undated = '{"predicted_value":3,"prediction_source":"a"}';
    const { body } = await answer([target('2026-11-30', undated, forecast('3.1'))], { as_of: Date.parse(NOW) / 1000 });
    expect(body).toMatchObject({ count: 1, prediction_count: 1, as_of: NOW });
  });

  test('count their page and their pages', async () => {
    const rows = ['2026-12-31', '2026-11-30', '2026-10-31'].map((date) => target(date, forecast('1'), forecast('2')));
    const { body, total } = await answer(rows, { limit: 2 });
    expect([body.count, body.prediction_count, body.has_more, body.next_cursor, total]).toEqual([
      2,
      4,
      true,
      '2026-11-30',
      3,
    ]);
    const last = await answer(rows, { limit: 2, before_date: '2026-11-30' });
    expect([last.body.count, last.body.has_more, last.total]).toEqual([1, false, 1]);
    const beyond = await answer(rows, { offset: 9 });
    expect([beyond.body.count, beyond.body.has_more, beyond.total]).toEqual([0, false, 3]);
  });
});

describe('official forecasts', () => {
  const stored = {
    official_forecasts: [
      official('c', { publication_datetime: '2026-08-14T14:00:00Z', publication_date: '2026-08-14' }),
      official('b', { publication_date: '2026-05-15' }),
      official('a', {}),
    ],
  };
  const ids = (body: { official_forecasts?: unknown }) =>
    (body.official_forecasts as { forecast_observation_id: string }[]).map((one) => one.forecast_observation_id);

  test('are never part of the data and are floats', async () => {
    const derived = await derivePredictions(pageOf({ rows: [], stored, args: ARGS, now: NOW }));
    expect(derived.rows).toEqual([]);
    expect(JSON.stringify(derived.envelope)).toContain('"predicted_value":2.0');
  });

  test('of a moment are those published by then; a day counts when it is over', async () => {
    const at = async (moment: string) => ids((await answer([], { as_of: Date.parse(moment) / 1000 }, stored)).body);
    expect(await at('2026-08-14T14:00:00Z')).toEqual(['c', 'b']);
    expect(await at('2026-08-14T13:59:59Z')).toEqual(['b']);
    expect(await at('2026-05-15T12:00:00Z')).toEqual([]);
  });

  test('more of them than were brought cannot be given', async () => {
    const many = { official_forecasts: Array.from({ length: 500 }, (_, i) => official(String(i), {})) };
    await expect(answer([], { official_limit: 501 }, many)).rejects.toMatchObject({ code: 'not_mirrored' });
    expect(ids((await answer([], { official_limit: 3 }, many)).body)).toEqual(['0', '1', '2']);
    expect(ids((await answer([], { official_limit: 2000 }, stored)).body)).toHaveLength(3);
  });
});

describe('vintages of a source', () => {
  const rows = ['d', 'c', 'b', 'a'].map((id) => `{"forecast_observation_id":"${id}","predicted_value":1.0}`);
  const page = (args: object) => {
    const asked = { currency: 'USD', prediction_source: 's', limit: 2, ...args };
    return deriveVintages({
      ...pageOf({ rows, args: { ...ARGS, ...asked }, now: NOW }),
      rows: rows.map((text) => ({ key: [], text: text as never })),
      args: asked as never,
    });
  };
  const told = (args: object) => {
    const { envelope = {}, rows: shown = [] } = page(args) as {
      envelope?: Record<string, unknown>;
      rows?: readonly string[];
    };
    return [shown.map((text) => JSON.parse(text).forecast_observation_id), envelope.has_more, envelope.next_cursor];
  };

  test('go back from an id, which need not be there', () => {
    expect(told({})).toEqual([['d', 'c'], true, 'c']);
    expect(told({ before_id: 'c' })).toEqual([['b', 'a'], false, undefined]);
    expect(told({ before_id: 'bb' })).toEqual([['b', 'a'], false, undefined]);
    expect(told({ before_id: 'a' })).toEqual([[], false, undefined]);
  });
});
