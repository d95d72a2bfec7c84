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
  const text = readFileSync(`test/fixtures/wire/${id}.json`, 'utf8');
  const { question, now } = JSON.parse(text);
  const span = memberSpans(text).find(({ name }) => name === 'body');
  const endpoint = endpointById(id);
  if (!span || !endpoint) throw new Error(`no fixture ${id}`);
  const { args } = readParams(endpoint, question, { mode: 'strict', now: Date.parse(now) });
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => question.path[name].toLowerCase());
  return {
    endpoint,
    args,
    now,
    body: text.slice(span.start, span.end),
    url: `${path}?${new URLSearchParams(question.query)}`,
  };
}

async function received(id: string) {
  const { endpoint, args, now, body, url } = fixtureOf(id);
  const fetch: Fetch = async () => new Response(body, { headers: { 'content-type': 'application/json' } });
  const { platform, clock } = testPlatform({ now, fetch });
  const mirror = await freshMirror(platform);
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  const question = { endpoint, args };
  await createLiveSource({ client, mirror }).ask(question, { caller: OWNER, now: clock.now() });
  return { mirror, platform, clock, question, body, url };
}

const rowsOf = (text: string) => cutBody({ kind: 'list', member: 'data' }, text).rows.map((row) => row.text);

describe.each(['curves', 'rate_differentials', 'factors', 'financial_prices', 'cot'])('an answer of %s', (id) => {
  it('comes out of the mirror deeply equal, its rows spelled as they were, unknown members included', async () => {
    const { mirror, question, clock, body } = await received(id);
    const source = createMirrorSource({ mirror, labels: LABELS });
    const reply = await source.ask(question, { caller: OWNER, now: clock.now() });
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(body));
    expect(rowsOf(reply.body)).toEqual(rowsOf(body));
  });

  it('is served the same to a caller with a key, and not at all to one without', async () => {
    const { mirror, platform, body, url } = await received(id);
    const service = await serviceOver(mirror, platform);
    const keyed = await service.fetch(`${SERVICE_URL}${url}`, { headers: { 'x-api-key': 'any' } });
    expect(await keyed.json()).toEqual(JSON.parse(body));
    const keyless = await service.fetch(`${SERVICE_URL}${url}`, {});
    expect(keyless.status).toBe(id === 'factors' ? 200 : 401);
  });
});
