import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../src/contract/json/json.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { GeneratedSeries } from '../../src/sandbox/rows.ts';
import { COMPOSED, dataSet, NOW, rowsOf, seriesNamed, seriesOf } from './data-set.ts';

const small = dataSet();
const later = dataSet({ now: NOW + 30 * 86_400_000 });
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

  test('a later day of the quarter takes no version of the schedule back', () => {
    for (const { scope, rows } of seriesNamed(small, 'calendar_versions')) {
      const texts = new Set(seriesOf(later, 'calendar_versions', scope).rows.map(({ text }) => text));
      expect(rows.filter(({ text }) => !texts.has(text))).toEqual([]);
    }
  });
  test('a later day keeps press releases', () => {
    for (const { scope, rows } of seriesNamed(small, 'press_releases')) {
      const extended = seriesOf(later, 'press_releases', scope).rows.map(({ text }) => text);
      expect(extended.slice(-rows.length)).toEqual(rows.map(({ text }) => text));
    }
  });
  test('a later day keeps changes of risk sentiment', () => {
    const changed = rowsOf(later, 'risk_sentiment_changes');
    const held = rowsOf(small, 'risk_sentiment_changes');
    expect(changed.slice(0, held.length)).toEqual(held);
    expect(changed.length).toBeGreaterThan(held.length);
  });
});

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
      // Cursors, counts, windows and derivations are made with the answer.
      if (['announcements_changes', 'prediction_vintages', 'predictions', 'forex'].includes(endpoint)) continue;
      const valid = ajv.compile(endpointById(endpoint)?.envelope ?? {});
      expect(valid(envelope) ? '' : `${endpoint}: ${ajv.errorsText(valid.errors)}`).toBe('');
    }
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
