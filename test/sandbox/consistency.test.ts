import { describe, expect, test } from 'vitest';
import {
  asJsonText,
  isJsonObject,
  type Json,
  type JsonObject,
  objectIn,
  parseObject,
} from '../../src/contract/json/json.ts';
import {
  CALENDAR_CURRENCIES,
  COMMODITIES,
  INDICATORS,
  MAIN_CURRENCIES,
  PRESS_CURRENCIES,
} from '../../src/contract/words/words.ts';
import { ENDPOINTS, endpointById } from '../../src/endpoints/index.ts';
import type { GeneratedSeries } from '../../src/sandbox/rows.ts';
import { testPlatform } from '../support/platform.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { COMPOSED, dataSet, NOW, rowsOf, seriesNamed, seriesOf } from './data-set.ts';

const full = dataSet({ size: 'full' });
const small = dataSet();
const midnight = Date.parse('2026-11-21T00:00:00Z') / 1000;
/** The rows of a series mostly name the same source: each that differs is looked at once. */
const distinctSources = (rows: GeneratedSeries['rows']) =>
  new Map(rows.map(({ value: { source } }) => [JSON.stringify(source), source])).values();
const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

describe('the rows', () => {
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
    const wrong: unknown[] = [];
    for (const { endpoint, rows } of full) {
      if (['calendar', 'calendar_versions'].includes(endpoint) || endpoint === 'data_catalogue') continue;
      for (const { value, text } of rows) {
        // A forecast is about a release that lies ahead.
        const isDated = typeof value.date === 'string' && endpoint !== 'predictions';
        if ((isDated && String(value.date) >= today) || instants(value).some((time) => time >= midnight))
          wrong.push([endpoint, text]);
      }
    }
    expect(wrong).toEqual([]);
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

describe('the catalogue', () => {
  test('counts the rows that are there', () => {
    for (const { scope, rows } of seriesNamed(full, 'data_catalogue')) {
      const held = seriesNamed(full, 'announcements').filter((one) => one.scope.currency === scope.currency);
      expect(rows.map(({ name }) => name)).toEqual(held.map((one) => one.scope.indicator).sort());
      for (const { name = '', value } of rows) {
        const dates = rowsOf(full, 'announcements', { ...scope, indicator: name }).map(({ date }) => date);
        expect(value.coverage).toMatchObject({
          available: true,
          row_count: dates.length,
          latest_available_date: dates[0],
          earliest_available_date: dates.at(-1),
          data_lag_days: (midnight * 1000 - Date.parse(`${dates[0]}T00:00:00Z`)) / 86_400_000,
          freshness_quality: 'fresh',
          requires_api_key: scope.currency !== 'USD',
        });
      }
    }
  });
});

describe('the calendar', () => {
  test('runs from 30 days back to 120 days ahead for every currency, under ids that hold the time', () => {
    for (const { scope, rows } of seriesNamed(full, 'calendar')) {
      const times = rows.map(({ value }) => Number(value.announcement_datetime));
      expect(Math.min(...times)).toBeGreaterThanOrEqual(midnight - 30 * 86_400);
      expect(Math.max(...times)).toBeLessThan(midnight + 120 * 86_400);
      expect(times.some((time) => time > midnight + 60 * 86_400)).toBe(true);
      for (const { value } of rows)
        expect(value.calendar_event_id).toBe(
          `${scope.currency?.toLowerCase()}_${value.release}_${value.announcement_datetime}`,
        );
    }
  });

  test('the next release of a series is that of the period after its newest row, one announcement a period', () => {
    const series = seriesNamed(full, 'announcements').filter(({ rows }) => rows[0]?.value.revisions !== undefined);
    expect(series.length).toBeGreaterThan(150);
    for (const { scope, rows } of series) {
      const newest = rows[0]?.value;
      const events = rowsOf(full, 'calendar', { currency: scope.currency ?? '' }).filter(
        ({ release }) => release === scope.indicator,
      );
      const ahead = events.filter((event) => Number(event.announcement_datetime) >= midnight);
      const behind = events.filter((event) => Number(event.announcement_datetime) < midnight);
      expect(ahead.length).toBeGreaterThan(0);
      for (const { date } of ahead) expect(String(date) > String(newest?.date)).toBe(true);
      const told = rows.slice(0, behind.length).map(({ value }) => [value.date, value.announcement_datetime]);
      expect(behind.map((event) => [event.date, event.announcement_datetime]).reverse()).toEqual(told);
    }
  });

  test('a month later the releases that were ahead are announcements', () => {
    const later = dataSet({ now: NOW + 30 * 86_400_000 });
    const wrong: unknown[] = [];
    let due = 0;
    // The small data set has a part of the series; the calendar announces all.
    for (const { scope } of seriesNamed(small, 'announcements'))
      for (const event of rowsOf(small, 'calendar', { currency: scope.currency ?? '' })) {
        const time = Number(event.announcement_datetime);
        if (event.release !== scope.indicator || time < midnight || time >= midnight + 30 * 86_400) continue;
        due += 1;
        const landed = rowsOf(later, 'announcements', scope).find(({ date }) => date === event.date);
        if (landed?.announcement_datetime !== time) wrong.push([event, landed]);
      }
    expect(wrong).toEqual([]);
    expect(due).toBeGreaterThan(20);
  });
});

describe('the announcements', () => {
  test('a row’s value is that of its last vintage, and its release that of the first', () => {
    let revised = 0;
    for (const { rows } of seriesNamed(full, 'announcements'))
      for (const { value } of rows) {
        const vintages = listOf(value.revisions);
        if (vintages.length === 0) continue;
        revised += vintages.length > 1 ? 1 : 0;
        expect(vintages[0]).toMatchObject({ epoch: value.announcement_datetime, is_first_release: true });
        expect(vintages.at(-1)?.val).toBe(value.val);
        const epochs = vintages.map(({ epoch }) => Number(epoch));
        expect([...epochs].sort((a, b) => a - b)).toEqual(epochs);
        expect(new Set(epochs).size).toBe(epochs.length);
        expect(vintages.map(({ observed_at_ns: ns }) => String(ns))).toEqual(
          vintages.map(({ observed_at_ns_string: twin }) => twin),
        );
      }
    expect(revised).toBeGreaterThan(1000);
  });

  test('a revision is carried by a later release of the same series', () => {
    const rows = rowsOf(full, 'announcements', { currency: 'USD', indicator: 'non_farm_payrolls' });
    const releases = new Set(rows.map(({ announcement_datetime: time }) => time));
    const carriers = rows.flatMap(({ revisions }) =>
      listOf(revisions)
        .slice(1)
        .map(({ epoch }) => epoch),
    );
    expect(carriers.length).toBeGreaterThan(50);
    expect(carriers.filter((epoch) => !releases.has(epoch ?? null))).toEqual([]);
  });

  test('change members compare with the row before', () => {
    const rows = rowsOf(full, 'announcements', { currency: 'GBP', indicator: 'inflation' });
    for (const [i, row] of rows.entries()) {
      const before = rows[i + 1];
      if (!before) expect(row.previous_value).toBeUndefined();
      else
        expect([row.previous_value, row.previous_date, row.change_from_previous]).toEqual([
          before.val,
          before.date,
          Number(row.val) - Number(before.val),
        ]);
    }
  });
});

describe('the events', () => {
  test('are the releases of the last seven days, each once, with the value that was printed first', () => {
    const events = rowsOf(full, 'announcements_changes');
    const expected = seriesNamed(full, 'announcements').flatMap(({ scope, rows }) =>
      rows
        .filter(({ value }) => Number(value.announcement_datetime) >= midnight - 604_800)
        .map(({ value }) => ({
          event_id: `${scope.currency?.toLowerCase()}_${scope.indicator}_${value.announcement_datetime}`,
          date: value.date,
          val: listOf(value.revisions)[0]?.val ?? value.val,
        })),
    );
    const seen = events.map(({ event_id, latest_announcement: latest }) => ({
      event_id,
      date: isJsonObject(latest) ? latest.date : undefined,
      val: isJsonObject(latest) ? latest.val : undefined,
    }));
    const byId = (a: { event_id?: unknown }, b: { event_id?: unknown }) =>
      String(a.event_id) < String(b.event_id) ? -1 : 1;
    expect([...seen].sort(byId)).toEqual(expected.sort(byId));
    expect(events.length).toBeGreaterThan(50);
    for (const event of events) {
      const late = Number(event.timestamp) - Number(event.release_timestamp);
      expect(late).toBeGreaterThanOrEqual(2);
      expect(late).toBeLessThan(10);
    }
  });
});

describe('weekly levels', () => {
  // The rule of replays: the newest week on or before the same day of the month, or of the year, before.
  const ago = (date: string, months: number) => {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
    return new Date(Date.UTC(year, month - 1 - months, Math.min(day, last))).toISOString().slice(0, 10);
  };

  test('change in per cent since the week of a month and of a year ago', () => {
    const rows = rowsOf(full, 'announcements', { currency: 'USD', indicator: 'initial_jobless_claims' });
    const change = (val: unknown, date: string) => {
      const before = rows.find((row) => String(row.date) <= date);
      return before && ((Number(val) - Number(before.val)) / Number(before.val)) * 100;
    };
    const recent = rows.slice(0, 400);
    expect(recent.length).toBe(400);
    for (const { date, val, pct_change_mom: mom, pct_change_yoy: yoy } of recent) {
      expect(mom).toBeCloseTo(change(val, ago(String(date), 1)) ?? Number.NaN, 2);
      expect(yoy).toBeCloseTo(change(val, ago(String(date), 12)) ?? Number.NaN, 2);
    }
  });
});

describe('the rates', () => {
  test('a dollar pair is the quotient of its euro pairs, within their rounding', () => {
    const euro = (quote: string) =>
      new Map(rowsOf(full, 'forex', { base: 'EUR', quote }).map(({ date, val }) => [date, Number(val)]));
    const [usd, jpy] = [euro('USD'), euro('JPY')];
    for (const { date, val } of rowsOf(full, 'forex', { base: 'USD', quote: 'JPY' })) {
      const cross = (jpy.get(date ?? null) ?? 0) / (usd.get(date ?? null) ?? 1);
      expect(Math.abs(Number(val) / cross - 1)).toBeLessThan(0.0002);
    }
  });

  test('a bar is that of the timed rates of its day, and stands on every day with four of them', () => {
    for (const all of [full, small])
      for (const { scope } of seriesNamed(all, 'forex')) {
        const timed = Map.groupBy(rowsOf(all, 'fx_reference_rates', scope), ({ date }) => date);
        const told = rowsOf(all, 'forex', scope).map(({ date, open, high, low, close, ...row }) => [
          date,
          { open, high, low, close, points: row.ohlc_point_count, sources: row.ohlc_source_count },
          [row.ohlc_timestamp_start_utc, row.ohlc_timestamp_end_utc],
        ]);
        const expected = told.map(([date]) => {
          const day = timed.get(String(date)) ?? [];
          const [first, last] = [day[0], day.at(-1)];
          const prices = day.map(({ price }) => Number(price)).sort((a, b) => a - b);
          if (day.length < 4) return [date, {}, [undefined, undefined]];
          const sources = new Set(day.map(({ source }) => JSON.stringify(source))).size;
          const bar = { open: first?.price, high: prices.at(-1), low: prices[0], close: last?.price };
          return [date, { ...bar, points: day.length, sources }, [first?.timestamp_utc, last?.timestamp_utc]];
        });
        expect({ scope, told }).toEqual({ scope, told: expected });
      }
  });

  test('bars stand in number on the larger pairs, and close at the rate of the day', () => {
    const barred = seriesNamed(full, 'forex').flatMap(({ scope }) => {
      const bars = rowsOf(full, 'forex', scope).filter(({ open }) => open !== undefined);
      expect(bars.filter(({ close, val }) => close !== val)).toEqual([]);
      return bars.length > 400 ? [`${scope.base}/${scope.quote}`] : [];
    });
    expect(barred.sort()).toEqual(['EUR/CHF', 'EUR/GBP', 'EUR/JPY', 'EUR/USD', 'USD/CHF', 'USD/JPY']);
  });

  test.each([
    ['EUR/USD', 'direct_original_pair'],
    ['USD/EUR', 'inverse_of_direct_pair'],
    ['GBP/JPY', 'cross_via_anchor'],
  ])('a rate of %s says what it was derived from, in the words of its answer', async (pair, method) => {
    const { platform } = testPlatform();
    const service = await serviceOver(await sandboxMirror(platform), platform);
    const answer = await service.fetch(`${SERVICE_URL}/v1/forex/${pair}?limit=2`, {
      headers: { 'X-API-Key': 'k-test' },
    });
    const { pair_metadata: told, data } = parseObject(asJsonText(await answer.text()));
    const { source_pair, source_legs, is_derived } = objectIn(told);
    const words = { source_pair, source_legs, is_derived, derivation_method: method, pair_consistency_check: 'passed' };
    expect([told, ...listOf(data).map(({ source }) => source)]).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining(words)),
    );
  });

  test('every timed rate says that nobody official made it', () => {
    for (const { rows } of seriesNamed(full, 'fx_reference_rates'))
      for (const source of distinctSources(rows)) expect(source).toMatchObject({ is_official: false });
  });

  test('dates are business days without gaps', () => {
    const dates = rowsOf(full, 'forex', { base: 'EUR', quote: 'NGN' }).map(({ date }) => String(date));
    const wanted: string[] = [];
    for (let ms = Date.UTC(2026, 10, 20); ms >= Date.UTC(2014, 0, 1); ms -= 86_400_000) {
      const day = new Date(ms);
      const date = day.toISOString().slice(0, 10);
      if (day.getUTCDay() % 6 !== 0 && !/-(01-01|12-25)$/.test(date)) wanted.push(date);
    }
    expect(dates).toEqual(wanted);
  });

  test('the list of publishers has the pairs that are there', () => {
    const sources = rowsOf(full, 'fx_sources');
    const native = sources.flatMap(({ native_pairs: pairs }) => (Array.isArray(pairs) ? pairs : []));
    const held = seriesNamed(full, 'forex').map(({ scope }) => `${scope.base}/${scope.quote}`);
    expect([...native].sort()).toEqual([...held].sort());
    expect(sources.map(({ served_pair_count: count }) => count)).toEqual([306, 12]);
  });
});

describe('the sentiment', () => {
  // Straight from the specification: 252-day z-scores, weights 40/20/20/20, the first two inverted, then tanh.
  const weights = { ofr_fsi: 0.4, gold: 0.2, aud_usd: 0.2, usd_jpy: 0.2 };

  test('is tanh of the sum of its components, with the regime that the thresholds give', () => {
    const rows = rowsOf(full, 'risk_sentiment');
    const regimes = new Set(rows.map(({ regime }) => regime));
    expect([...regimes].sort()).toEqual(['neutral', 'risk_off', 'risk_on']);
    for (const { val, regime, components } of rows) {
      const parts = Object.values(isJsonObject(components) ? components : {});
      const sum = parts.reduce<number>((total, part) => total + Number(part ?? 0), 0);
      expect(Math.abs(Number(val) - Math.tanh(sum))).toBeLessThanOrEqual(0.00005 + 1e-12);
      expect(regime).toBe(Number(val) >= 0.25 ? 'risk_on' : Number(val) <= -0.25 ? 'risk_off' : 'neutral');
    }
  });

  test('its gold and currencies are z-scores of the sandbox’s own series', () => {
    const rates = (quote: string) =>
      new Map(rowsOf(full, 'forex', { base: 'EUR', quote }).map(({ date, val }) => [String(date), Number(val)]));
    const [usd, aud] = [rates('USD'), rates('AUD')];
    const gold = rowsOf(full, 'commodities', { indicator: 'gold' });
    const history = {
      gold: gold.map(({ date, val }) => ({ date: String(date), val: Number(val) })),
      aud_usd: [...usd.keys()].map((date) => ({ date, val: (usd.get(date) ?? 0) / (aud.get(date) ?? 1) })),
    };
    for (const row of rowsOf(full, 'risk_sentiment').slice(0, 100)) {
      const components = isJsonObject(row.components) ? row.components : {};
      for (const [name, sign] of [
        ['gold', -1],
        ['aud_usd', 1],
      ] as const) {
        const at = history[name].findIndex(({ date }) => date === row.date);
        const last = history[name].slice(at, at + 252).map(({ val }) => val);
        const mean = last.reduce((sum, val) => sum + val, 0) / 252;
        const deviation = Math.sqrt(last.reduce((sum, val) => sum + (val - mean) ** 2, 0) / 251);
        const z = ((last[0] ?? 0) - mean) / deviation;
        // The rates are rounded for printing, the walk under them is not.
        expect(Number(components[name])).toBeCloseTo(weights[name] * sign * z, 2);
      }
    }
  });

  test('a missing component is null and its weight goes to the others', () => {
    const missing = rowsOf(full, 'risk_sentiment').filter(({ date }) => /-(05-01|12-26)$/.test(String(date)));
    expect(missing.length).toBeGreaterThan(2);
    for (const { components, component_coverage: coverage, stored_component_count: count } of missing) {
      expect(isJsonObject(components) && components.gold).toBeNull();
      expect(coverage).toEqual({ ofr_fsi: true, gold: false, aud_usd: true, usd_jpy: true });
      expect(count).toBe(3);
    }
  });

  test('its envelope tells the weights', () => {
    const { component_metadata: told } = seriesOf(full, 'risk_sentiment').envelope ?? {};
    for (const [name, weight] of Object.entries(weights)) expect(told).toMatchObject({ [name]: { weight } });
  });
});

describe('the archive of the schedule', () => {
  const rowsByEvent = (all: typeof full, currency: string) =>
    Map.groupBy(rowsOf(all, 'calendar_versions', { currency }), (row) => String(row.archive_event_id));

  test('ends with what the calendar says, for every currency', () => {
    for (const { scope, rows } of seriesNamed(full, 'calendar')) {
      const events = rowsByEvent(full, scope.currency ?? '');
      const last = [...events.values()].map((versions) => versions.at(-1));
      const byId = new Map(last.map((row) => [row?.calendar_event_id, row]));
      for (const { value } of rows) expect(byId.get(String(value.calendar_event_id))).toMatchObject(value);
      // What the calendar does not list is over, called off, or no release.
      const listed = new Set(rows.map(({ value }) => value.calendar_event_id));
      for (const row of last.filter((one) => !listed.has(String(one?.calendar_event_id))))
        expect([
          row?.schedule_status === 'released',
          row?.schedule_status === 'cancelled',
          row?.event_kind === 'other',
        ]).toContain(true);
    }
  });

  test('counts versions from one, each captured later than the one before, never inside of a gap', () => {
    for (const { scope, rows: gaps, envelope } of seriesNamed(full, 'calendar_coverage')) {
      const events = rowsByEvent(full, scope.currency ?? '');
      const versions = [...events.values()];
      expect([envelope?.event_count, envelope?.version_count]).toEqual([versions.length, versions.flat().length]);
      for (const list of versions) {
        expect(list.map(({ version }) => version)).toEqual(list.map((_, i) => i + 1));
        expect(list[0]?.change_type).toBe('created');
        const times = list.map(({ captured_at: at }) => String(at));
        expect(times).toEqual([...new Set(times)].sort());
        for (const time of times) {
          expect(time >= String(envelope?.archive_start) && time <= String(envelope?.archive_end)).toBe(true);
          expect(gaps.some(({ value }) => time > String(value.gap_start) && time < String(value.gap_end))).toBe(false);
        }
      }
    }
  });

  test('has events that were moved, confirmed, called off and released, and kinds to choose from', () => {
    const rows = seriesNamed(full, 'calendar_versions').flatMap((series) => series.rows.map(({ value }) => value));
    const words = (name: string) => [...new Set(rows.map((row) => row[name]))].sort();
    expect(words('change_type')).toEqual(['cancelled', 'confirmed', 'created', 'details_changed', 'rescheduled']);
    expect(words('schedule_status')).toEqual(['cancelled', 'released', 'scheduled', 'tentative']);
    expect(words('event_kind')).toEqual(['decision', 'other', 'release']);
  });
});

describe('press releases', () => {
  test('are there for every currency of the set, each under an address of its own', () => {
    expect(seriesNamed(full, 'press_releases').map(({ scope }) => scope.currency)).toEqual(PRESS_CURRENCIES);
    for (const { rows } of seriesNamed(full, 'press_releases')) {
      expect(rows.length).toBeGreaterThan(100);
      expect(new Set(rows.map(({ value }) => value.url)).size).toBe(rows.length);
      const kinds = new Set(rows.map(({ value }) => value.category));
      expect([...kinds].sort()).toEqual(['minutes', 'other', 'policy_decision', 'report', 'speech', 'statement']);
    }
  });
});

describe('the changes of risk sentiment', () => {
  const scores = rowsOf(full, 'risk_sentiment');
  const changes = rowsOf(full, 'risk_sentiment_changes');

  test('lead to the scores that are there', () => {
    const last = new Map(changes.map(({ date, val, regime, components }) => [date, { val, regime, components }]));
    const shown = scores.map(({ date, val, regime, components }) => [date, { val, regime, components }]);
    expect([...last].reverse()).toEqual(shown);
  });

  test('rise, and tell what a score was before its revision', () => {
    const sequences = changes.map(({ change_sequence: sequence }) => Number(sequence));
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    const revisions = changes.filter(({ change_type: type }) => type === 'score_revision');
    expect(revisions.length).toBeGreaterThan(50);
    for (const { date, previous_val: before } of revisions)
      expect(changes.find((one) => one.date === date)).toMatchObject({ change_type: 'addition', val: before });
  });
});
