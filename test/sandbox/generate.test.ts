import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../src/contract/json/json.ts';
import { CALENDAR_CURRENCIES, COMMODITIES, INDICATORS, MAIN_CURRENCIES } from '../../src/contract/words/words.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { GeneratedSeries } from '../../src/sandbox/rows.ts';
import { dataSet, NOW, rowsOf, seriesNamed, seriesOf } from './data-set.ts';

const small = dataSet();
const full = dataSet({ size: 'full' });
const texts = (all: readonly GeneratedSeries[]) =>
  all.map(({ endpoint, scope, envelope, rows }) => [endpoint, scope, envelope, rows.map((row) => row.text)]);

describe('determinism', () => {
  test('the same seed and day give the same rows, at any hour', () => {
    const morning = dataSet({ now: Date.parse('2026-11-21T00:00:00Z') });
    const night = dataSet({ now: Date.parse('2026-11-21T23:59:59.999Z') });
    expect(texts(night)).toEqual(texts(morning));
  });

  test('another seed gives other values for the same series', () => {
    const other = dataSet({ seed: 2 });
    expect(other.map(({ endpoint, scope }) => [endpoint, scope])).toEqual(
      small.map(({ endpoint, scope }) => [endpoint, scope]),
    );
    const pair = { base: 'EUR', quote: 'USD' };
    expect(rowsOf(other, 'forex', pair)).not.toEqual(rowsOf(small, 'forex', pair));
  });

  test('a later day only adds: what was said before stays, but for revisions of announcements', () => {
    const later = dataSet({ now: NOW + 30 * 86_400_000 });
    for (const series of small.filter(({ endpoint }) =>
      ['forex', 'commodities', 'risk_sentiment'].includes(endpoint),
    )) {
      const extended = seriesOf(later, series.endpoint, series.scope).rows.map((row) => row.text);
      expect(extended.length).toBeGreaterThan(series.rows.length);
      expect(extended.slice(-series.rows.length)).toEqual(series.rows.map((row) => row.text));
    }
    for (const series of seriesNamed(small, 'announcements')) {
      const extended = rowsOf(later, 'announcements', series.scope).slice(-series.rows.length);
      for (const [i, row] of series.rows.entries()) {
        const vintages = row.value.revisions ?? [];
        const now = extended[i];
        expect(now).toMatchObject({
          date: row.value.date,
          announcement_datetime: row.value.announcement_datetime,
        });
        const kept = now?.revisions;
        expect(Array.isArray(kept) && Array.isArray(vintages) ? kept.slice(0, vintages.length) : []).toEqual(vintages);
      }
    }
  });
});

/** Answered from other series: nothing of their own is generated. */
const COMPOSED = [
  'announcements_latest',
  'calendar_snapshot',
  'commodities_latest',
  'fx_intraday_reference_rates',
  'fx_session_rates',
  'fx_source_universe',
  'rate_differentials',
  'settlement',
  'settlement_contract',
  'settlement_keys',
];

describe('the rows', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  formats.default.default(ajv);

  test.each(ENDPOINTS.filter(({ id, mirror }) => mirror && !COMPOSED.includes(id)).map(({ id }) => [id]))(
    '%s: every row fits the schema of its endpoint',
    (id) => {
      const endpoint = endpointById(id);
      const valid = ajv.compile(endpoint?.row ?? {});
      const series = seriesNamed(small, id);
      expect(series.length).toBeGreaterThan(0);
      for (const { rows } of series)
        for (const { text } of rows) {
          const fits = valid(JSON.parse(text));
          expect(fits ? undefined : `${ajv.errorsText(valid.errors)} in ${text}`).toBeUndefined();
        }
    },
  );

  test('a row’s text says what its value says, with whole measured values spelled as floats', () => {
    for (const { rows } of small) for (const { text, value } of rows) expect(JSON.parse(text)).toEqual(value);
    const texts = small.flatMap(({ rows }) => rows.map(({ text }) => text));
    expect(texts.filter((text) => /"(val|open|high|low|close|change)":-?\d+[,}]/.test(text))).toEqual([]);
    expect(texts.some((text) => /"val":-?\d+\.0[,}]/.test(text))).toBe(true);
  });

  test('envelopes fit too, as far as they do not depend on the question', () => {
    for (const { endpoint, envelope } of small) {
      // Their cursors and counts are made with the answer.
      if (['announcements_changes', 'prediction_vintages', 'predictions'].includes(endpoint)) continue;
      const valid = ajv.compile(endpointById(endpoint)?.envelope ?? {});
      expect(valid(envelope) ? '' : `${endpoint}: ${ajv.errorsText(valid.errors)}`).toBe('');
    }
  });

  test('each stands once under its key, in the order of its endpoint', () => {
    for (const { endpoint, scope, rows } of full) {
      const mapping = endpointById(endpoint)?.mirror;
      const keys = rows.map(({ value, name }) =>
        (mapping?.key ?? []).map((column) => (name !== undefined ? name : value[column.name])),
      );
      const order = (a: readonly (Json | undefined)[], b: readonly (Json | undefined)[]): number => {
        const at = a.findIndex((value, i) => value !== b[i]);
        const [left, right] = [a[at], b[at]];
        return left === undefined || right === undefined || left === null || right === null ? 0 : left < right ? -1 : 1;
      };
      const sorted = [...keys].sort(order);
      if (mapping?.order === 'newest') sorted.reverse();
      expect({ endpoint, scope, keys }).toEqual({ endpoint, scope, keys: sorted });
      expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
    }
  });

  test('nothing but the calendar lies in the future, nor on the day that is not over', () => {
    const today = '2026-11-21';
    const midnight = Date.parse(`${today}T00:00:00Z`) / 1000;
    const instants = (value: Json): readonly number[] => {
      if (Array.isArray(value)) return value.flatMap(instants);
      if (!isJsonObject(value)) return [];
      return Object.entries(value).flatMap(([name, member]) =>
        /^(announcement_datetime|epoch|timestamp|release_timestamp)$/.test(name) && typeof member === 'number'
          ? [member]
          : instants(member),
      );
    };
    for (const { endpoint, rows } of full) {
      if (['calendar', 'calendar_versions'].includes(endpoint) || endpoint === 'data_catalogue') continue;
      for (const { value } of rows) {
        // A forecast is about a release that lies ahead.
        if (typeof value.date === 'string' && endpoint !== 'predictions') expect(value.date < today).toBe(true);
        expect(Math.max(0, ...instants(value))).toBeLessThan(midnight);
      }
    }
  });
});

describe('completeness', () => {
  test('every group that a mirror keeps is there, the composed ones excepted', () => {
    const kept = ENDPOINTS.filter(({ mirror }) => mirror).map(({ id }) => id);
    const wanted = kept.filter((id) => !COMPOSED.includes(id)).sort();
    for (const all of [small, full]) expect([...new Set(all.map(({ endpoint }) => endpoint))].sort()).toEqual(wanted);
  });

  test('all currencies of each set', () => {
    for (const all of [small, full]) {
      const currencies = (endpoint: string) => seriesNamed(all, endpoint).map(({ scope }) => scope.currency);
      expect(currencies('data_catalogue')).toEqual(MAIN_CURRENCIES);
      expect(currencies('calendar')).toEqual(CALENDAR_CURRENCIES);
      expect([...new Set(currencies('announcements'))]).toEqual(MAIN_CURRENCIES);
      expect(seriesNamed(all, 'commodities').map(({ scope }) => scope.indicator)).toEqual(COMMODITIES);
    }
  });

  test('every pair of the set follows from the pairs that are fixed', () => {
    const fixed = new Set(seriesNamed(full, 'forex').map(({ scope }) => scope.quote));
    expect([...fixed].sort()).toEqual(MAIN_CURRENCIES.filter((code) => code !== 'EUR'));
  });

  test('the indicators of the specification, all of them for the dollar', () => {
    const slugs = new Set(seriesNamed(full, 'announcements').map(({ scope }) => scope.indicator));
    expect([...slugs].filter((slug) => !INDICATORS.includes(slug ?? ''))).toEqual([]);
    const of = (currency: string) =>
      seriesNamed(full, 'announcements').filter((one) => one.scope.currency === currency);
    expect(of('USD').map(({ scope }) => scope.indicator)).toEqual([...INDICATORS].sort());
    expect(['EUR', 'GBP', 'JPY'].map((code) => of(code).length)).toEqual([32, 32, 32]);
    expect(of('PEN').length).toBe(12);
  });

  test('policy rates of all currencies on the same dates', () => {
    const policies = seriesNamed(full, 'announcements').filter(({ scope }) => scope.indicator === 'policy_rate');
    const dates = policies.map(({ rows }) => rows.map(({ value }) => value.date));
    expect(policies.map(({ scope }) => scope.currency)).toEqual(MAIN_CURRENCIES);
    // Eight meetings a year, and those of the year that is not over.
    expect(dates[0]?.length).toBe(10 * 8 + 7);
    expect(dates).toEqual(policies.map(() => dates[0]));
  });

  test('twelve years of rates, ten of announcements, and a small part of it all when small', () => {
    expect(rowsOf(full, 'forex', { base: 'EUR', quote: 'USD' }).at(-1)?.date).toBe('2014-01-02');
    expect(rowsOf(full, 'announcements', { currency: 'USD', indicator: 'inflation' }).at(-1)?.date).toBe('2016-01-31');
    const count = (all: readonly GeneratedSeries[]) => all.reduce((sum, { rows }) => sum + rows.length, 0);
    expect(count(full)).toBeGreaterThan(100_000);
    expect(count(small)).toBeLessThan(count(full) / 7);
  });
});

describe('labels', () => {
  test('every source, publisher and attribution says that it is synthetic', () => {
    const naming = /^(source|publisher|source_name|source_provider|attribution_text)$/;
    const wrong = (value: Json, at: string): readonly string[] => {
      if (Array.isArray(value)) return value.flatMap((item) => wrong(item, at));
      if (!isJsonObject(value)) return [];
      return Object.entries(value).flatMap(([name, member]) =>
        naming.test(name) && typeof member === 'string'
          ? // Forecasters are named by ids that people type.
            member.startsWith('Sandbox (synthetic)') || /^sandbox_[a-z]+$/.test(member)
            ? []
            : [`${at} ${name}: ${member}`]
          : wrong(member, at),
      );
    };
    for (const { endpoint, envelope, rows } of small) {
      expect(wrong(envelope ?? {}, endpoint)).toEqual([]);
      for (const { value } of rows) expect(wrong(value, endpoint)).toEqual([]);
    }
  });

  test('every series names its publisher, and nothing is called official', () => {
    for (const { envelope, rows } of small) {
      const text = JSON.stringify([envelope, rows[0]?.value]);
      expect(text).toMatch(/Sandbox \(synthetic\)/);
      expect(text).not.toMatch(/"is_official":true|"source_type":"official"/);
      const links = text.match(/https?:\/\/[^/"]+/g) ?? [];
      expect(links.filter((link) => link !== 'https://sandbox.invalid')).toEqual([]);
    }
  });
});
