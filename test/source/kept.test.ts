import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { JsonObject } from '../../src/contract/json/json.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Question } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL } from '../support/service.ts';
import { NOW, OWNER, question, whole, world } from './world.ts';

/** A service that gives one answer, and the mirror that keeps it. */
async function answering(body: JsonObject, headers: Readonly<Record<string, string>> = {}) {
  const { platform } = testPlatform({ now: NOW });
  const mirror = await freshMirror(platform);
  const fetch: Fetch = async () =>
    new Response(JSON.stringify(body), { status: 200, headers: { 'content-type': 'application/json', ...headers } });
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  const live = createLiveSource({ client, mirror });
  const source = createMirrorSource({ mirror, labels: LABELS });
  const context = { caller: OWNER, now: NOW };
  return {
    mirror,
    live: (asked: Question) => live.ask(asked, context),
    offline: async (asked: Question) => JSON.parse((await source.ask(asked, context)).body),
  };
}

const rates = (...rows: readonly JsonObject[]): JsonObject => ({
  base: 'EUR',
  quote: 'USD',
  data: [...rows],
  pagination: { ...whole(rows.length), limit: 20 },
});
const FX = question('forex', { base: 'EUR', quote: 'USD' });
const ROW = { date: '2026-11-20', val: 1.15 };

describe('a live answer with members that were asked for', () => {
  it('is kept without them, and covers what it showed', async () => {
    const body = { ...rates({ ...ROW, rsi_14: 59.9 }), indicators: { rsi_14: 59.9 } };
    const { mirror, live } = await answering(body);
    await live(question('forex', { base: 'EUR', quote: 'USD' }, { indicators: 'rsi_14' }));
    const [series] = await mirror.find({ endpoint: 'forex', scope: {} });
    if (!series) throw new Error('nothing was kept');
    const rows = (await mirror.rows(series, {})).map(({ text }) => JSON.parse(text));
    const coveredRanges = (await mirror.coveredRanges(series, 'keyless')).map(({ from, to }) => [from, to]);
    expect([rows, coveredRanges, JSON.parse(series.envelope?.text ?? '{}').indicators]).toEqual([
      [ROW],
      [['2025-11-21', '2026-11-21']],
      undefined,
    ]);
  });

  it('leaves the wall clock of the publisher as it was told before', async () => {
    const row = (local: string, more: JsonObject = {}) => ({
      calendar_event_id: 'USD_inflation_1796130000',
      release: 'inflation',
      announcement_datetime: 1_796_130_000,
      announcement_datetime_local: local,
      ...more,
    });
    const { take, ask } = await world();
    const plain = question('calendar', { currency: 'USD' }, { start_date: '2026-12-01', end_date: '2026-12-01' });
    const tokyo = question(
      'calendar',
      { currency: 'USD' },
      { start_date: '2026-12-01', end_date: '2026-12-01', timezone: 'Asia/Tokyo' },
    );
    const home = '2026-12-01T08:00:00-05:00';
    await take(plain, { currency: 'USD', timezone: 'America/New_York', data: [row(home)] });
    const asked = '2026-12-01T22:00:00+09:00';
    const there = row(asked, { announcement_datetime_requested_timezone: asked });
    await take(tokyo, { currency: 'USD', timezone: 'Asia/Tokyo', requested_timezone: 'Asia/Tokyo', data: [there] });
    const { json } = await ask(plain, OWNER);
    expect([json.timezone, json.requested_timezone, json.data[0]]).toEqual(['America/New_York', undefined, row(home)]);
  });
});

describe('a live answer that names some rows only', () => {
  it('takes no held row away, covers nothing, and leaves what stands beside the rows', async () => {
    const price = (instrument_id: string, val: number) => ({
      date: '2026-11-20',
      source: 'treasury',
      instrument_id,
      measure: 'yield',
      val,
    });
    const { mirror, take, ask } = await world();
    const all = question('financial_prices', { currency: 'USD' }, { limit: '100' });
    const one = question('financial_prices', { currency: 'USD' }, { limit: '100', instrument_id: 'US10Y' });
    const older = { ...price('US10Y', 4.1), date: '2026-11-18' };
    await take(all, { currency: 'USD', data: [price('US10Y', 4.2), price('US02Y', 3.9), older], pagination: whole(3) });
    const [before] = await mirror.find({ endpoint: 'financial_prices', scope: {} });
    const coveredRanges = before && (await mirror.coveredRanges(before, 'keyless'));
    const revised = price('US10Y', 4.3);
    await take(one, { currency: 'USD', filters: { instrument_id: 'US10Y' }, data: [revised], pagination: whole(1) });
    const [after] = await mirror.find({ endpoint: 'financial_prices', scope: {} });
    expect([after?.envelope?.text, after && (await mirror.coveredRanges(after, 'keyless'))]).toEqual([
      before?.envelope?.text,
      coveredRanges,
    ]);
    expect((await ask(all, OWNER)).json.data).toEqual([revised, price('US02Y', 3.9), older]);
  });
});

describe('a live answer of other values', () => {
  it.each([
    ['revisions', 'all'],
    ['value_mode', 'source'],
  ])('for --%s %s is not kept, and one sentence says so', async (name, word) => {
    const body = { currency: 'USD', indicator: 'inflation', data: [ROW], pagination: { ...whole(1), limit: 20 } };
    const { mirror, live } = await answering(body);
    const reply = await live(question('announcements', { currency: 'USD', indicator: 'inflation' }, { [name]: word }));
    const option = `--${name.replaceAll('_', '-')}`;
    expect([reply.notes, await mirror.find({ endpoint: 'announcements', scope: {} })]).toEqual([
      [
        `This answer is not stored, because the mirror stores the question without ${option}: macro announcements usd inflation.`,
      ],
      [],
    ]);
  });

  it('is not kept where it is made of other series, and the sentence names the sync that brings them', async () => {
    const { live } = await answering({ currency: 'USD', count: 0, data: [], pagination: { ...whole(0), limit: 20 } });
    const reply = await live(question('announcements_recent', { currency: 'USD' }));
    expect(reply.notes).toEqual([
      'This answer is computed from other series, so it is not stored itself. Fill them with: macro sync announcements usd, catalogue usd',
    ]);
  });
});

describe('a live answer of a mirror that does not hold all of it', () => {
  const mark = { complete: false, missing: [{ from: '2025-11-21', to: '2026-11-19' }] };
  it.each([
    ['in its body', { ...rates(ROW), mirror: mark }, {}],
    ['in a header', rates(ROW), { 'X-SVC-Mirror': 'partial' }],
  ])('that says so %s gives its rows and covers nothing', async (_, body, headers) => {
    const { mirror, live, offline } = await answering(body, headers);
    await live(FX);
    const [series] = await mirror.find({ endpoint: 'forex', scope: {} });
    expect(series && [series.envelope, await mirror.coveredRanges(series, 'keyless')]).toEqual([undefined, []]);
    expect((await offline(FX)).data).toEqual([expect.objectContaining(ROW)]);
  });
});
