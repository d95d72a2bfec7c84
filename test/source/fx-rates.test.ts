import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { targetOf } from '../../src/client/http/request.ts';
import { freshFor } from '../../src/contract/endpoint.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Question } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, serviceOver } from '../support/service.ts';
import { scriptUpstream } from '../support/upstream.ts';

const IDS = ['fx_intraday_reference_rates', 'fx_reference_rates', 'fx_session_rates', 'fx_source_universe'];
const wire = (id: string) => JSON.parse(readFileSync(new URL(`../fixtures/wire/${id}.json`, import.meta.url), 'utf8'));

/** A question about the endpoint of a fixture, with some of its arguments replaced; undefined takes one away. */
function questionOf(id: string, now: number, change: Record<string, string | undefined> = {}): Question {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  const { path, query } = wire(id).question;
  return {
    endpoint,
    args: readParams(endpoint, { path, query: { ...query, ...change } }, { mode: 'strict', now }).args,
  };
}

/** The service has answered the question of a fixture, and a mirror has kept it. */
async function received(id: string) {
  const { now, body } = wire(id);
  const world = testPlatform({ now });
  const question = questionOf(id, Date.parse(now));
  const text = JSON.stringify(body);
  const request = `GET ${targetOf(question.endpoint, question.args)}`;
  const upstream = scriptUpstream([{ request, body: text }]);
  const mirror = await freshMirror(world.platform);
  const client = createClient({
    platform: { ...world.platform, fetch: upstream.fetch },
    baseUrl: SERVICE_URL,
    key: 'k-test',
  });
  const live = createLiveSource({ client, mirror });
  const context = { caller: { kind: 'owner' }, now: Date.parse(now) } as const;
  expect((await live.ask(question, context)).body).toBe(text);
  upstream.verify();
  return { world, mirror, live, question, context, text, offline: createMirrorSource({ mirror, labels: LABELS }) };
}

describe.each(IDS)('an answer of %s', (id) => {
  it('fits the schemas of its endpoint', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const endpoint = endpointById(id);
    const { rows, envelope } = cutBody({ kind: 'list', member: 'data' }, JSON.stringify(wire(id).body));
    for (const { value } of rows) expect([ajv.validate(endpoint?.row ?? {}, value), ajv.errors]).toEqual([true, null]);
    expect([ajv.validate(endpoint?.envelope ?? {}, envelope), ajv.errors]).toEqual([true, null]);
  });

  it('comes out of the mirror deeply equal, offline and served, unknown members included', async () => {
    const { world, mirror, offline, question, context, text } = await received(id);
    const reply = await offline.ask(question, context);
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(text));
    const rows = (body: string) => cutBody({ kind: 'list', member: 'data' }, body).rows.map((row) => row.text);
    expect(rows(reply.body)).toEqual(rows(text));
    const service = await serviceOver(mirror, world.platform);
    const headers = { 'x-api-key': 'k-test' };
    const served = await service.fetch(SERVICE_URL + targetOf(question.endpoint, question.args), { headers });
    expect(await served.json()).toEqual(JSON.parse(text));
  });

  it('is proven, so that the mirror answers the same question while it is fresh', async () => {
    const { mirror, offline, live, question, context } = await received(id);
    const choice = { mode: 'auto', live, mirror: { mirror, source: offline } } as const;
    expect(await chooseSource(choice, question, context)).toBe(offline);
    const later = { ...context, now: context.now + (freshFor(question.endpoint, context.now) + 1) * 1000 };
    expect(await chooseSource(choice, question, later)).toBe(live);
  });
});

describe('a held answer', () => {
  it('of reference rates answers other questions about its window, and is counted again', async () => {
    const { offline, context } = await received('fx_reference_rates');
    const ask = async (change: Record<string, string | undefined>) =>
      JSON.parse((await offline.ask(questionOf('fx_reference_rates', context.now, change), context)).body);
    const native = await ask({ native_only: 'true' });
    expect(native.data.map(({ price }: { price: number }) => price)).toEqual([0.87]);
    expect(native).toMatchObject({
      tide: { level: 2 },
      data_quality: { row_count: 1, confidence: 'high' },
      pagination: { total_count: 1, has_more: false },
    });
    const official = await ask({ timestamp_type: 'official_published', order: 'date_desc' });
    expect(official.data).toHaveLength(1);
    const single = await ask({ date: '2026-11-20', include_source_legs: 'false' });
    expect(single.data).toEqual([wire('fx_reference_rates').body.data[2]]);
    expect(await ask({ source: 'nobody' })).toMatchObject({ data: [], coverage: { sources: [] } });
  });

  it('of one date was asked for that date alone, and proves that date alone', async () => {
    const { mirror, offline, live, context } = await received('fx_reference_rates');
    const choice = { mode: 'auto', live, mirror: { mirror, source: offline } } as const;
    const ask = (date: string) =>
      chooseSource(choice, questionOf('fx_reference_rates', context.now, { date }), context);
    expect(await ask('2026-11-17')).toBe(offline);
    expect(await ask('2026-11-13')).toBe(live);
  });

  it('of the universe is narrowed offline', async () => {
    const { offline, context } = await received('fx_source_universe');
    const ask = async (change: Record<string, string>) =>
      JSON.parse((await offline.ask(questionOf('fx_source_universe', context.now, change), context)).body);
    expect(await ask({ currency: 'jpy' })).toMatchObject({
      currency: 'JPY',
      data: [{ source: { id: 'ecb_eurofxref_daily' }, pair_count: 1, pairs: [{ pair: 'USD/JPY', weight: 2 }] }],
    });
    expect((await ask({ currency: 'XXX' })).data).toEqual([]);
  });

  it('of intraday rates proves its span and no other', async () => {
    const { mirror, offline, live, context } = await received('fx_intraday_reference_rates');
    const choice = { mode: 'auto', live, mirror: { mirror, source: offline } } as const;
    const ask = (change: Record<string, string>) =>
      chooseSource(choice, questionOf('fx_intraday_reference_rates', context.now, change), context);
    expect(await ask({ start_time: '2026-11-20T00:00:00Z' })).toBe(offline);
    expect(await ask({ start_time: '2026-11-19T14:59:59Z' })).toBe(live);
    expect(await ask({ end_time: '2026-11-20T15:00:01Z' })).toBe(live);
  });
});
