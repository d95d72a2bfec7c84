import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { memberSpans } from '../../src/contract/json/scan.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, serviceOver } from '../support/service.ts';

const OWNER: Caller = { kind: 'owner' };
const KEPT = [
  'latest_announcements',
  'latest_announcements_series',
  'announcements_recent_series',
  'predictions',
  'prediction_vintages',
  'predictions_coverage',
  'predictions_coverage_currency',
];
/** Made of the histories of others: what the service says of them is passed on, and computed again without it. */
const PASSED = ['announcements_recent', 'research_panel'];

const ajv = new Ajv2020({ strict: false });
formats.default.default(ajv);

/** A wire fixture; the body keeps its spelling. */
function fixtureOf(id: string) {
  const text = readFileSync(`test/fixtures/wire/${id}.json`, 'utf8');
  const { question, now } = JSON.parse(text);
  const span = memberSpans(text).find(({ name }) => name === 'body');
  const endpoint = endpointById(id);
  if (!span || !endpoint) throw new Error(`no fixture ${id}`);
  const { args } = readParams(endpoint, question, { mode: 'strict', now: Date.parse(now) });
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => question.path[name].toLowerCase());
  const body = text.slice(span.start, span.end);
  return { endpoint, args, now, body, url: `${path}?${new URLSearchParams(question.query)}` };
}

async function received(id: string) {
  const { endpoint, args, now, body, url } = fixtureOf(id);
  const fetch: Fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } });
  const { platform, clock } = testPlatform({ now, fetch });
  const mirror = await freshMirror(platform);
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  const question = { endpoint, args };
  const live = await createLiveSource({ client, mirror }).ask(question, { caller: OWNER, now: clock.now() });
  return { mirror, platform, clock, question, body, url, live };
}

const rowsOf = (id: string, text: string) => {
  const endpoint = endpointById(id);
  return endpoint ? cutBody(endpoint.body, text).rows.map((row) => row.text) : [];
};

describe.each([...KEPT, ...PASSED])('the recorded form of %s', (id) => {
  it('fits the contract, row by row and beside the rows', () => {
    const { endpoint, body } = fixtureOf(id);
    const { envelope, rows } = cutBody(endpoint.body, body);
    const validRow = ajv.compile(endpoint.row);
    expect(rows.map(({ value }) => (validRow(value) ? '' : ajv.errorsText(validRow.errors)))).toEqual(
      rows.map(() => ''),
    );
    const valid = ajv.compile(endpoint.envelope ?? {});
    expect(valid(envelope) ? '' : ajv.errorsText(valid.errors)).toBe('');
  });

  it('passes through a live source byte for byte', async () => {
    const { live, body } = await received(id);
    expect(live.body).toBe(body);
  });
});

describe.each(KEPT)('an answer of %s', (id) => {
  it('comes out of the mirror deeply equal, its rows spelled as they were, unknown members included', async () => {
    const { mirror, question, clock, body } = await received(id);
    const source = createMirrorSource({ mirror, labels: LABELS });
    const reply = await source.ask(question, { caller: OWNER, now: clock.now() });
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(body));
    expect(rowsOf(id, reply.body)).toEqual(rowsOf(id, body));
  });

  it('is served the same to a caller with a key', async () => {
    const { mirror, platform, body, url } = await received(id);
    const service = await serviceOver(mirror, platform);
    const keyed = await service.fetch(`${SERVICE_URL}${url}`, { headers: { 'x-api-key': 'any' } });
    expect(await keyed.json()).toEqual(JSON.parse(body));
    const keyless = await service.fetch(`${SERVICE_URL}${url}`, {});
    expect(keyless.status).toBe(id.startsWith('predictions_coverage') ? 200 : 401);
  });
});

describe.each(PASSED)('an answer of %s', (id) => {
  it('is not kept: without the histories that it is made of, the mirror says what would fill it', async () => {
    const { mirror, question, clock } = await received(id);
    expect((await mirror.stamp()).service).toBeUndefined();
    const source = createMirrorSource({ mirror, labels: LABELS });
    await expect(source.ask(question, { caller: OWNER, now: clock.now() })).rejects.toMatchObject({
      code: 'not_mirrored',
      hint:
        id === 'research_panel'
          ? 'Fill it with: macro sync announcements usd inflation, announcements eur inflation'
          : 'Fill it with: macro sync announcements eur, catalogue eur',
    });
  });
});

describe('an alias', () => {
  it('shares its series with the route that it stands for', async () => {
    const { mirror, clock } = await received('announcements_recent_series');
    const source = createMirrorSource({ mirror, labels: LABELS });
    const ask = async (id: string) => {
      const endpoint = endpointById(id);
      if (!endpoint) throw new Error(`no endpoint ${id}`);
      const raw = { path: { currency: 'eur', indicator: 'inflation' }, query: {} };
      const { args } = readParams(endpoint, raw, { mode: 'strict', now: clock.now() });
      const { body } = await source.ask({ endpoint, args }, { caller: OWNER, now: clock.now() });
      const { data, pagination } = JSON.parse(body);
      return [data.map((row: { date: string }) => row.date), pagination.limit, pagination.total_count];
    };
    expect(await ask('announcements')).toEqual([['2026-10-31', '2026-09-30'], 20, 2]);
    expect(await ask('announcements_recent_series')).toEqual([['2026-10-31', '2026-09-30'], 5, 2]);
    expect(await ask('latest_announcements_series')).toEqual([['2026-10-31'], 1, 2]);
  });
});

describe('forecasts from the mirror', () => {
  const ask = async (query: Record<string, string>) => {
    const { mirror, clock, question } = await received('predictions');
    const raw = { path: { currency: 'usd', indicator: 'inflation' }, query };
    const { args } = readParams(question.endpoint, raw, { mode: 'strict', now: clock.now() });
    const source = createMirrorSource({ mirror, labels: LABELS });
    const { body } = await source.ask({ endpoint: question.endpoint, args }, { caller: OWNER, now: clock.now() });
    return JSON.parse(body);
  };
  const told = (body: { data: { date: string; predictions: { predicted_value: number }[] }[] }) =>
    body.data.map(({ date, predictions }) => [date, predictions.map((one) => one.predicted_value)]);

  it('are narrowed to a class, a source, or what the event will print', async () => {
    expect(told(await ask({ prediction_class: 'compiled_consensus' }))).toEqual([['2026-10-31', [3]]]);
    expect(told(await ask({ prediction_source: 'example_nowcast' }))).toEqual([
      ['2026-11-30', [3.1]],
      ['2026-10-31', [3.05]],
    ]);
    expect(told(await ask({ event_compatible_only: 'true' }))).toEqual([['2026-11-30', [3.1]]]);
  });

  it('are those of a moment, when the release was still ahead', async () => {
    const body = await ask({ as_of: '2026-11-11' });
    expect(told(body)).toEqual([['2026-10-31', [3]]]);
    expect(body.data[0]).not.toHaveProperty('announcement_datetime');
    expect([body.as_of, body.count, body.prediction_count]).toEqual(['2026-11-11T00:00:00Z', 1, 1]);
    expect(body.official_forecasts).toHaveLength(2);
    expect((await ask({ as_of: '2026-06-01' })).official_forecasts).toHaveLength(1);
  });

  it('go on before a date, and count what is left', async () => {
    const first = await ask({ limit: '1' });
    expect([first.has_more, first.next_cursor, first.pagination.total_count]).toEqual([true, '2026-11-30', 2]);
    const second = await ask({ limit: '1', before_date: first.next_cursor });
    expect([told(second)[0]?.[0], second.has_more, second.pagination.total_count]).toEqual(['2026-10-31', false, 1]);
    expect(second).not.toHaveProperty('next_cursor');
  });

  it('made after the release are another series, which was not brought', async () => {
    await expect(ask({ pre_release_only: 'false' })).rejects.toMatchObject({ code: 'not_mirrored' });
  });
});
