import { readFileSync } from 'node:fs';
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

/** A wire fixture; the body keeps its spelling. */
function fixtureOf(id: string) {
  const text = readFileSync(new URL(`../fixtures/wire/${id}.json`, import.meta.url), 'utf8');
  const { question, now } = JSON.parse(text);
  const span = memberSpans(text).find(({ name }) => name === 'body');
  const endpoint = endpointById(id);
  if (!span || !endpoint) throw new Error(`no fixture ${id}`);
  const { args } = readParams(endpoint, question, { mode: 'strict', now: Date.parse(now) });
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => question.path[name]);
  const url = `${path}?${new URLSearchParams(question.query)}`;
  return { endpoint, args, now, body: text.slice(span.start, span.end), url };
}

async function received(id: string, body = fixtureOf(id).body) {
  const { endpoint, args, now, url } = fixtureOf(id);
  const fetch: Fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } });
  const { platform, clock } = testPlatform({ now, fetch });
  const mirror = await freshMirror(platform);
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  const question = { endpoint, args };
  await createLiveSource({ client, mirror }).ask(question, { caller: OWNER, now: clock.now() });
  const ask = async (others: object = {}) => {
    const asked = { endpoint, args: { ...args, ...others } };
    return createMirrorSource({ mirror, labels: LABELS }).ask(asked, { caller: OWNER, now: clock.now() });
  };
  return { mirror, platform, ask, body, url, endpoint };
}

const PUBLIC = ['risk_sentiment', 'risk_sentiment_changes', 'press_releases'];

describe.each([
  'press_releases',
  'risk_sentiment',
  'risk_sentiment_changes',
  'commodities_latest',
  'calendar_coverage',
  'calendar_versions',
  'calendar_snapshot',
])('an answer of %s', (id) => {
  it('comes out of the mirror deeply equal, its rows spelled as they were, unknown members included', async () => {
    const { ask, body, endpoint } = await received(id);
    const reply = await ask();
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(body));
    const rows = (text: string) => cutBody(endpoint.body, text).rows.map((row) => row.text);
    expect(rows(reply.body)).toEqual(rows(body));
    expect(reply.notes).toEqual([]);
  });

  it('is served the same to a caller with a key, and to one without where the route is public', async () => {
    const { mirror, platform, body, url } = await received(id);
    const service = await serviceOver(mirror, platform);
    const keyed = await service.fetch(`${SERVICE_URL}${url}`, { headers: { 'x-api-key': 'any' } });
    expect(await keyed.json()).toEqual(JSON.parse(body));
    const keyless = await service.fetch(`${SERVICE_URL}${url}`, {});
    expect(keyless.status).toBe(PUBLIC.includes(id) ? 200 : 401);
  });
});

describe('an answer that came as the first page of several', () => {
  it('is told again as that page, and passes for nothing more', async () => {
    const whole = fixtureOf('calendar_snapshot').body;
    const first = whole.replace(
      '"returned_count": 3, "has_more": false',
      '"returned_count": 3, "has_more": true, "next_cursor": "n"',
    );
    const { ask, mirror, platform } = await received('calendar_snapshot', first);
    expect(JSON.parse((await ask()).body)).toEqual(JSON.parse(first));
    const other = await ask({ limit: 50 });
    expect(JSON.parse(other.body)).toMatchObject({
      data_quality: { row_count: 3, is_derived: true, reason: 'held_versions_only' },
    });
    const series = 'calendar snapshot eur as_of=1793491200';
    expect([other.partial?.mark.missing, other.partial?.cures]).toEqual([[{ series }], [`macro sync ${series}`]]);
    const service = await serviceOver(mirror, platform);
    const url = `${SERVICE_URL}/v1/calendar/EUR/snapshot?as_of=2026-11-01&checkpoint=cp1.91aa&cursor=n`;
    const next = await service.fetch(url, { headers: { 'x-api-key': 'any' } });
    expect([next.status, await next.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_cursor' })]);
  });
});

describe('the latest of commodities', () => {
  const list = JSON.parse(fixtureOf('commodities_latest').body);
  const { data, ...members } = list;
  const map = Object.fromEntries(data.map(({ indicator, ...entry }: { indicator: string }) => [indicator, entry]));

  it.each([
    ['under data', { ...members, data: map }],
    ['as the body itself', { ...members, ...map }],
  ])('may come as a map by slug %s, and is served as a list', async (_, body) => {
    const { ask } = await received('commodities_latest', JSON.stringify(body));
    expect(JSON.parse((await ask()).body)).toEqual(list);
  });
});
