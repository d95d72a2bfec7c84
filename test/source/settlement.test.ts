import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import type { Json, JsonObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { listedKeys, verifyRecord } from '../../src/derive/settlement/verify.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { runSync } from '../../src/sync/run.ts';
import { KEYS } from '../derive/settlement/vector.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS } from '../support/service.ts';
import { scriptUpstream } from '../support/upstream.ts';

const URL_BASE = 'https://svc.example';
const NOW = Date.parse('2026-11-21T05:46:13Z');

interface Fixture {
  readonly question: { readonly path: Record<string, string>; readonly query: Record<string, string> };
  readonly body: JsonObject;
}

const wire = (id: string): Fixture =>
  JSON.parse(readFileSync(new URL(`../fixtures/wire/${id}.json`, import.meta.url), 'utf8'));

function questionOf(id: string, { path, query }: Fixture['question']) {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`No endpoint ${id}`);
  return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'strict', now: NOW }).args };
}

const PATHS: Readonly<Record<string, string>> = {
  settlement: '/v1/settlement/USD/inflation?period=latest&strike=3&comparison=gte',
  settlement_contract: '/v1/settlement/contracts/usd_inflation_threshold?period=latest&strike=3',
  settlement_contracts: '/v1/settlement/contracts',
  settlement_keys: '/v1/settlement/keys',
};

/** A live source over one scripted answer, which writes into a fresh mirror. */
async function received(id: string, body: Json = wire(id).body) {
  const upstream = scriptUpstream([{ request: `GET ${PATHS[id]}`, body: JSON.stringify(body) }]);
  const world = testPlatform({ now: NOW, fetch: upstream.fetch });
  const mirror = await freshMirror(world.platform);
  const client = createClient({ platform: world.platform, baseUrl: URL_BASE, key: 'k-test' });
  const live = createLiveSource({ client, mirror });
  const context = { caller: { kind: 'owner' }, now: NOW } as const;
  const question = questionOf(id, wire(id).question);
  const reply = await live.ask(question, context);
  upstream.verify();
  return {
    world,
    mirror,
    client,
    live,
    reply,
    context,
    question,
    offline: createMirrorSource({ mirror, labels: LABELS }),
  };
}

describe('what a service says of settlement', () => {
  it.each(Object.keys(PATHS))('%s comes back from the mirror as it was received, unknown members too', async (id) => {
    const { reply, offline, question, context } = await received(id);
    expect(JSON.parse(reply.body)).toEqual(wire(id).body);
    const again = await offline.ask(question, context);
    expect(JSON.parse(again.body)).toEqual(wire(id).body);
    expect([again.from, again.asOf, again.notes]).toEqual(['mirror', NOW, []]);
  });

  it.each(['settlement', 'settlement_contract'])(
    '%s keeps its text to the byte, so that its signature holds',
    async (id) => {
      const { reply, offline, question, context } = await received(id);
      const { body } = await offline.ask(question, context);
      expect(body).toBe(reply.body);
      expect(verifyRecord(body, listedKeys(KEYS) ?? [])).toMatchObject({ result: 'valid' });
    },
  );

  it('answers any period that it holds, and no other strike or comparison', async () => {
    const { offline, context } = await received('settlement');
    const ask = (query: Record<string, string>) =>
      offline.ask(questionOf('settlement', { path: { currency: 'USD', indicator: 'inflation' }, query }), context);
    expect(JSON.parse((await ask({ strike: '3', period: '2026-09-30' })).body).period).toBe('2026-09-30');
    await expect(ask({ strike: '3', period: '2026-08-31' })).rejects.toMatchObject({
      code: 'mirror_incomplete',
      status: 503,
      extra: { mirror: { complete: false, missing: [{ series: 'announcements usd inflation' }] } },
    });
    await expect(ask({ strike: '3.1' })).rejects.toMatchObject({ code: 'not_mirrored' });
    await expect(ask({ strike: '3', comparison: 'lt' })).rejects.toMatchObject({ code: 'not_mirrored' });
  });

  it('keeps the record before a revision, and takes a new signature alone for no revision', async () => {
    const { world, mirror, client } = await received('settlement');
    const body = wire('settlement').body;
    const resigned = {
      ...body,
      attestation: { ...(body.attestation as JsonObject), signed_at: '2026-11-21T06:00:00Z' },
    };
    const revised = { ...resigned, latest_value: 2.9 };
    const target = questionOf('settlement', wire('settlement').question);
    const sync = async (answer: Json) => {
      // What was received within the hour is not asked for again.
      await world.clock.advance(3_601_000);
      const upstream = scriptUpstream([{ request: `GET ${PATHS.settlement}`, body: JSON.stringify(answer) }]);
      const fresh = createClient({
        platform: { ...world.platform, fetch: upstream.fetch },
        baseUrl: URL_BASE,
        key: 'k-test',
      });
      return (await runSync({ client: fresh, mirror, clock: world.clock, maxAge: 0, targets: [target] })).rows;
    };
    expect(client.service).toBe(URL_BASE);
    expect(await sync(resigned)).toEqual({ added: 0, revised: 0, vanished: 0, unchanged: 1 });
    expect(await sync(revised)).toEqual({ added: 0, revised: 1, vanished: 0, unchanged: 0 });
    const [series] = await mirror.find({ endpoint: 'settlement', scope: {} });
    if (!series) throw new Error('no series');
    expect((await mirror.rows(series, {})).map(({ text }) => JSON.parse(text).latest_value)).toEqual([2.9]);
  });

  it('a new period stands beside the old one', async () => {
    const { world, mirror, offline, context } = await received('settlement');
    const next = { ...wire('settlement').body, period: '2026-10-31' };
    const upstream = scriptUpstream([{ request: `GET ${PATHS.settlement}`, body: JSON.stringify(next) }]);
    const client = createClient({
      platform: { ...world.platform, fetch: upstream.fetch },
      baseUrl: URL_BASE,
      key: 'k-test',
    });
    const target = questionOf('settlement', wire('settlement').question);
    await world.clock.advance(3_601_000);
    const report = await runSync({ client, mirror, clock: world.clock, maxAge: 0, targets: [target] });
    expect([report.outcome, report.rows.added, report.rows.vanished]).toEqual(['complete', 1, 0]);
    expect(JSON.parse((await offline.ask(target, context)).body).period).toBe('2026-10-31');
  });
});

describe('who is asked', () => {
  it('of a record the mirror for an hour, then the service, where there is one: the latest value may be revised', async () => {
    const { mirror, offline, live, question, context } = await received('settlement');
    const held = { mirror, source: offline };
    const later = { ...context, now: NOW + 3_601_000 };
    expect(await chooseSource({ mode: 'auto', live, mirror: held }, question, context)).toBe(offline);
    expect(await chooseSource({ mode: 'auto', live, mirror: held }, question, later)).toBe(live);
    expect(await chooseSource({ mode: 'auto', mirror: held }, question, later)).toBe(offline);
  });

  it.each(['settlement_contracts', 'settlement_keys'])('of %s the mirror, for a day', async (id) => {
    const { mirror, offline, live, question, context } = await received(id);
    const choice = { mode: 'auto', live, mirror: { mirror, source: offline } } as const;
    expect(await chooseSource(choice, question, context)).toBe(offline);
    expect(await chooseSource(choice, question, { ...context, now: NOW + 86_401_000 })).toBe(live);
  });
});
