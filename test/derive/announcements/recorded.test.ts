import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cutBody, listAt } from '../../../src/contract/json/body.ts';
import { deriveHistory } from '../../../src/derive/announcements/indicator-history.ts';
import { bodyOf, pageOf } from './page.ts';

const PATH = '../shared/fixtures/recorded/probe/announcements_usd_inflation_limit3.json';

const ARGS = {
  currency: 'USD',
  indicator: 'inflation',
  start_date: '2025-09-19',
  end_date: '2026-09-19',
  revisions: 'latest',
  availability: 'public',
  value_mode: 'normalized',
  limit: 3,
  offset: 0,
};

/** Members that whoever answers adds, not the hook. */
const BY_THE_SOURCE = ['pagination', 'dataset_version', 'freemium_window'];

describe.skipIf(!existsSync(PATH))(`a recorded answer of the service (skipped without ${PATH})`, () => {
  const { envelope, rows } = cutBody(listAt(), existsSync(PATH) ? readFileSync(PATH, 'utf8') : '{"data":[]}');
  const texts = rows.map((row) => row.text);
  const expected = Object.fromEntries(Object.entries(envelope).filter(([name]) => !BY_THE_SOURCE.includes(name)));
  const recorded = { rows: texts, now: '2026-09-19T08:57:59Z', caller: 'keyless', args: ARGS } as const;

  test('comes out member for member, rows untouched', async () => {
    const derived = await deriveHistory(pageOf({ ...recorded, stored: envelope }));
    expect({ ...expected, ...bodyOf(derived) }).toEqual(expected);
    expect(derived.rows).toEqual(texts);
    expect(derived.total).toBe(3);
    expect(derived.includesLatest).toBe(true);
  });

  test('comes out the same from the second page on, save what tells the page', async () => {
    const derived = await deriveHistory(
      pageOf({ ...recorded, stored: envelope, args: { ...ARGS, limit: 1, offset: 1 } }),
    );
    const { data_quality: quality, ...others } = expected;
    expect({ ...others, ...bodyOf(derived) }).toEqual({
      ...others,
      page_includes_latest_available: false,
      data_quality: { ...(quality as object), page_includes_latest_available: false },
    });
    expect(derived.rows).toEqual([texts[1]]);
  });

  test('is computed again from its bare values', async () => {
    const members = ['previous_value', 'previous_date', 'previous_announcement_datetime', 'change_from_previous'];
    const bare = rows.map(({ value }) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(value).filter(
            ([name]) => ![...members, 'pct_change_from_previous', 'observation_id'].includes(name),
          ),
        ),
      ),
    );
    const derived = await deriveHistory(pageOf({ ...recorded, stored: envelope, rows: bare }));
    expect(derived.rows?.map((text) => JSON.parse(text))).toEqual(rows.map((row) => row.value));
  });

  test('is described from nothing but its rows, unit and source', async () => {
    const { name, source, source_url, source_series_id, seasonal_adjustment, value_metadata } = envelope;
    const stored = {
      name,
      source,
      source_url,
      source_series_id,
      seasonal_adjustment,
      value_metadata,
    } as typeof envelope;
    const body = bodyOf(await deriveHistory(pageOf({ ...recorded, stored: { ...stored, unit: '%YoY' } })));
    expect(body.selected_series_id).toBe('usd_inflation_canonical_yoy_nsa_standard_period');
    expect(body.data_quality).toEqual(envelope.data_quality);
    expect(body.filters).toEqual(envelope.filters);
    expect(body.remap).toEqual(envelope.remap);
  });
});
