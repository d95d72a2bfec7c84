import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import type { AccessTag } from '../../src/mirror/api/series.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Question, Source } from '../../src/source/source.ts';
import { commitOfAnswer } from '../../src/source/stored/answer-commit.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';

const NOW = Date.parse('2026-11-21T12:34:00Z');
const HOUR = 3_600_000;
const OWNER: Caller = { kind: 'owner' };
const KEYED: AccessTag = 'key:1';

const live: Source = { ask: () => Promise.reject(new Error('the service was asked')) };

function question(id: string, path: Record<string, string>, query: Record<string, string> = {}): Question {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now: NOW }).args };
}

const eurUsd = (query: Record<string, string>) => question('forex', { base: 'eur', quote: 'usd' }, query);
const inflation = (query: Record<string, string>) =>
  question('announcements', { currency: 'usd', indicator: 'inflation' }, query);

async function world() {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const take = (
    asked: Question,
    body: JsonObject,
    { access = KEYED, at = NOW }: { access?: AccessTag; at?: number } = {},
  ) => {
    const text = asJsonText(JSON.stringify(body));
    const reply = {
      status: 200,
      body: text,
      etag: undefined,
      request: 'GET',
      synthetic: false,
      edgeHit: false,
      notes: [],
    } as const;
    return mirror.commitPage(commitOfAnswer({ ...asked, reply, service: 'https://s.test', access, at }));
  };
  const chosen = async (asked: Question, access: AccessTag = KEYED, maxAge?: number) => {
    const aged = maxAge === undefined ? {} : { maxAge };
    const choice = { mode: 'auto', live, access, mirror: { mirror, source }, ...aged } as const;
    return (await chooseSource(choice, asked, { caller: OWNER, now: NOW })) === live ? 'live' : 'mirror';
  };
  const ask = async (asked: Question, caller: Caller = OWNER, now = NOW) => {
    const reply = await source.ask(asked, { caller, now });
    return { ...reply, json: JSON.parse(reply.body) };
  };
  return { take, chosen, ask };
}

function days(count: number): JsonObject[] {
  const at = (i: number) => new Date(Date.parse('2026-11-21') - i * 24 * HOUR).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, i) => ({ date: at(i), val: 1 + i / 100 }));
}

const whole = (count: number) => ({
  limit: 100,
  offset: 0,
  returned_count: count,
  total_count: count,
  has_more: false,
});
const rates = (count: number) => ({ base: 'EUR', quote: 'USD', pagination: whole(count), data: days(count) });
/** An answer that goes on, so that nothing is proven of it. */
const started = (base: string, quote: string) => ({
  base,
  quote,
  pagination: { limit: 5, offset: 0, returned_count: 5, total_count: 90, has_more: true, next_offset: 5 },
  data: days(5),
});
const print = { date: '2026-10-31', val: 3, announcement_datetime: 1794576600 };
const prints = { currency: 'USD', indicator: 'inflation', unit: '%YoY', pagination: whole(1), data: [print] };

function event(time: string) {
  const unix = Date.parse(time) / 1000;
  return { calendar_event_id: `usd_inflation_${unix}`, announcement_datetime: unix, release: 'inflation' };
}

describe('the mirror answers by itself', () => {
  it('what it is proven to hold and what is fresh', async () => {
    const { take, chosen } = await world();
    const wide = eurUsd({ start_date: '2026-08-20', limit: '100' });
    await take(wide, rates(94));
    expect(await chosen(wide)).toBe('mirror');
    expect(await chosen(eurUsd({ start_date: '2026-10-01', end_date: '2026-10-31' }))).toBe('mirror');
  });

  it('a schedule from the moment on that was asked', async () => {
    const { take, chosen } = await world();
    const open = question('calendar', { currency: 'usd' });
    await take(open, { currency: 'USD', data: [event('2026-11-24T13:30:00Z')] });
    expect(await chosen(open)).toBe('mirror');
    expect(await chosen(question('calendar', { currency: 'usd' }, { end_date: '2026-12-31' }))).toBe('mirror');
  });
});

describe('the service is asked', () => {
  it('for the rest of a schedule of which a part is held', async () => {
    const { take, chosen } = await world();
    await take(question('calendar', { currency: 'usd' }, { end_date: '2026-11-25' }), {
      currency: 'USD',
      data: [event('2026-11-24T13:30:00Z')],
    });
    expect(await chosen(question('calendar', { currency: 'usd' }))).toBe('live');
    expect(await chosen(question('calendar', { currency: 'usd' }, { start_date: '2026-01-01' }))).toBe('live');
  });

  it('once a release is out that the calendar announced, and again until it can be there', async () => {
    const { take, chosen } = await world();
    const calendar = (released: string) =>
      take(question('calendar', { currency: 'usd' }, { start_date: '2026-11-01' }), {
        currency: 'USD',
        data: [event(released)],
      });
    const asked = inflation({ start_date: '2026-10-01', limit: '100' });
    const proven = (iso: string) => take(asked, prints, { at: Date.parse(iso) });
    await calendar('2026-11-21T12:30:00Z');
    await proven('2026-11-21T12:29:59Z');
    expect(await chosen(asked)).toBe('live');
    expect(await chosen(question('announcements', { currency: 'usd', indicator: 'gdp' }))).toBe('live');
    // Within a minute of the last look, but not before the release.
    await proven('2026-11-21T12:32:59Z');
    expect(await chosen(asked)).toBe('live');
    await proven('2026-11-21T12:33:30Z');
    expect(await chosen(asked)).toBe('mirror');
    await calendar('2026-11-21T12:20:00Z');
    await calendar('2026-11-21T12:35:00Z');
    expect(await chosen(asked)).toBe('mirror');
  });

  it('when the last proof is of a moment that has not come: a clock was wrong, and nobody knows how old it is', async () => {
    const { take, chosen } = await world();
    const asked = inflation({ start_date: '2026-10-01', limit: '100' });
    await take(asked, prints, { at: NOW + 30 * 24 * HOUR });
    expect(await chosen(asked)).toBe('live');
    const other = eurUsd({ start_date: '2026-10-23', limit: '100' });
    await take(other, rates(30), { at: NOW + 30 * 24 * HOUR + 60_000 });
    expect(await chosen(other)).toBe('live');
    await take(asked, prints);
    expect(await chosen(asked)).toBe('mirror');
  });

  it('a while after a release no more often than usual, and never when the person said how old is fine', async () => {
    const { take, chosen, ask } = await world();
    const asked = inflation({ start_date: '2026-10-01', limit: '100' });
    await take(question('calendar', { currency: 'usd' }, { start_date: '2026-11-01' }), {
      currency: 'USD',
      data: [event('2026-11-21T12:00:00Z')],
    });
    await take(asked, prints, { at: Date.parse('2026-11-21T12:09:59Z') });
    expect(await chosen(asked)).toBe('live');
    expect(await chosen(asked, KEYED, 3600)).toBe('mirror');
    await take(asked, prints, { at: Date.parse('2026-11-21T12:10:00Z') });
    expect(await chosen(asked)).toBe('mirror');
    expect((await ask(asked)).json.data).toHaveLength(1);
  });

  it('which indicators a currency has', async () => {
    const { take, chosen } = await world();
    await take(inflation({ limit: '100' }), prints);
    expect(await chosen(question('announcements_latest', { currency: 'usd' }))).toBe('live');
  });

  it('for indicators over a history whose beginning is not held', async () => {
    const { take, chosen } = await world();
    await take(eurUsd({ start_date: '2026-10-23', limit: '100' }), rates(30));
    expect(await chosen(eurUsd({ start_date: '2026-10-23' }))).toBe('mirror');
    expect(await chosen(eurUsd({ start_date: '2026-10-23', indicators: 'sma_200' }))).toBe('live');
  });

  it('for a pair that is proven to have no rows, while the cross that would be shown instead is not proven', async () => {
    const { take, chosen, ask } = await world();
    const of = (base: string, quote: string) =>
      question('forex', { base, quote }, { start_date: '2026-11-01', limit: '100' });
    await take(of('eur', 'gbp'), { base: 'EUR', quote: 'GBP', pagination: whole(0), data: [] });
    expect(await chosen(of('eur', 'gbp'))).toBe('mirror');
    await take(of('eur', 'usd'), started('EUR', 'USD'));
    await take(of('gbp', 'usd'), started('GBP', 'USD'));
    expect((await ask(of('eur', 'gbp'))).json.pair_metadata.derivation_method).toBe('cross_via_anchor');
    expect(await chosen(of('eur', 'gbp'))).toBe('live');
  });

  it('by a caller with a key for what was proven without one', async () => {
    const { take, chosen } = await world();
    await take(inflation({ start_date: '2026-10-01' }), prints, { access: 'keyless' });
    expect(await chosen(inflation({ start_date: '2026-10-01' }), 'keyless')).toBe('mirror');
    expect(await chosen(inflation({ start_date: '2026-10-01' }))).toBe('live');
  });

  it('for a window that was proven long ago, though a part of it was just confirmed', async () => {
    const { take, chosen } = await world();
    const wide = eurUsd({ start_date: '2026-08-20', limit: '100' });
    await take(wide, rates(94), { at: NOW - 20 * HOUR });
    expect(await chosen(wide)).toBe('live');
    await take(eurUsd({ start_date: '2026-11-18', limit: '20' }), rates(4));
    expect(await chosen(wide)).toBe('live');
  });

  it('without a key in steps of five minutes', async () => {
    const { take, chosen } = await world();
    await take(inflation({ start_date: '2026-10-01' }), prints, { access: 'keyless', at: NOW - 10 * 60_000 });
    expect(await chosen(inflation({ start_date: '2026-10-01' }), 'keyless')).toBe('live');
  });
});

describe('an answer of the mirror', () => {
  it('keeps an event that the service, whose clock is ahead of ours, did not list as upcoming any more', async () => {
    const { take, ask } = await world();
    const week = question('calendar', { currency: 'usd' }, { start_date: '2026-11-14' });
    await take(week, { currency: 'USD', data: [event('2026-11-21T12:35:00Z'), event('2026-12-11T13:30:00Z')] });
    await take(question('calendar', { currency: 'usd' }), { currency: 'USD', data: [event('2026-12-11T13:30:00Z')] });
    const { json } = await ask(week);
    expect(json.data.map((row: JsonObject) => row.calendar_event_id)).toEqual([
      'usd_inflation_1795264500',
      'usd_inflation_1796995800',
    ]);
  });

  it('has the same dataset version on both sides of a step of the keyless delay that shows nothing new', async () => {
    const { take, ask } = await world();
    const asked = inflation({ start_date: '2026-10-01' });
    await take(asked, prints);
    const before = await ask(asked, { kind: 'keyless' });
    const after = await ask(asked, { kind: 'keyless' }, NOW + 300_000);
    expect(after.json.dataset_version).toBe(before.json.dataset_version);
  });

  it('takes the events of changes into the journal', async () => {
    const { take } = await world();
    const event = '{"event_id":"usd_gdp_1791982000","currency":"usd","indicator":"gdp","timestamp":1791982002}';
    const body = { count: 1, next_cursor: 'x', has_more: false, data: [JSON.parse(event)] };
    const asked = question('announcements_changes', {});
    expect([(await take(asked, body)).arrived, (await take(asked, body)).arrived]).toEqual([[1], [undefined]]);
  });

  it('has no validator where it moves with the clock', async () => {
    const { take, ask } = await world();
    const asked = question('announcements_changes', {});
    await take(asked, { count: 0, next_cursor: 'x', has_more: false, data: [] });
    expect((await ask(asked, { kind: 'keyed', plan: 'individual' })).etag).toBeUndefined();
  });
});
