import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseKeys } from '../../../src/serve/access/keys.ts';
import fc, { draws } from '../../support/properties.ts';
import { REFUSED } from '../../webhooks/destinations.ts';
import { SUBSCRIPTION } from '../../webhooks/vector.ts';
import { managed, NOW } from './support.ts';

const LIST = '/v1/webhooks/subscriptions';
const WISH = { url: 'https://hooks.example.com/in', currencies: ['USD', 'usd'], description: 'desk' };

describe('webhook management', () => {
  it('makes a subscription of the documented form, and shows its secret once', async () => {
    const { ask } = await managed();
    const { status, headers, body } = await ask(`POST ${LIST}`, WISH);
    const { id, signing_secret: secret, ...rest } = body;
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    expect(id).toMatch(/^sub_[0-9a-hjkmnp-tv-z]{16}$/);
    expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    const { id: _, ...told } = SUBSCRIPTION;
    expect(rest).toEqual(told);
    expect((await ask(`GET ${LIST}`)).body).toEqual({ data: [{ id, ...told }], count: 1 });
    expect((await ask(`GET ${LIST}/${id}`)).body).toEqual({ id, ...told });
  });

  it('keeps the secret in a file of its own that nobody else can read, and nowhere else', async () => {
    const { ask, at, mirror } = await managed();
    const { id, signing_secret: secret } = (await ask(`POST ${LIST}`, WISH)).body;
    const path = join(at.folder, 'secrets', `${id}.secret`);
    expect(readFileSync(path, 'utf8')).toBe(`${secret}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(at.folder, 'secrets')).mode & 0o777).toBe(0o700);
    for (const file of [mirror.name, `${mirror.name}-wal`])
      expect(readFileSync(file, 'latin1')).not.toContain(String(secret));
  });

  it('answers below both prefixes, and lists the newest one first', async () => {
    const { ask } = await managed();
    await ask(`POST /api${LIST}`, { ...WISH, description: 'first' });
    await ask(`POST ${LIST}`, { ...WISH, description: 'second', events: ['announcement'], indicators: ['GDP'] });
    const { data } = (await ask(`GET /api${LIST}/`)).body;
    expect(data).toMatchObject([{ description: 'second', indicators: ['gdp'] }, { description: 'first' }]);
  });

  it('names filter words that no table has, in a warning', async () => {
    const { ask } = await managed();
    const made = await ask(`POST ${LIST}`, { ...WISH, currencies: ['usd', 'xyz'], indicators: ['inflatoin'] });
    const warnings =
      '299 - "xyz is none of the 20 currencies known for this route. Known are aud, brl, cad, chf, cnh, cny, dkk, eur, gbp, ils, jpy, ngn, nok, nzd, pen, sek, thb, usd, g10, all.", ' +
      '299 - "inflatoin is none of the 94 indicators known for this route. Did you mean inflation?"';
    expect([made.status, made.headers.warning]).toEqual([201, warnings]);
    const changed = await ask(`PATCH ${LIST}/${made.body.id}`, { indicators: ['gdp', 'inflatoin'] });
    expect([changed.status, changed.headers.warning]).toEqual([200, warnings.slice(warnings.lastIndexOf('299'))]);
    const known = await ask(`PATCH ${LIST}/${made.body.id}`, { indicators: ['gdp'], currencies: null });
    expect([known.status, known.headers.warning]).toEqual([200, undefined]);
  });

  it('changes what is given, and says when', async () => {
    const { ask, at } = await managed();
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    await at.clock.advance(1000);
    const change = { currencies: null, indicators: ['Inflation'], description: null };
    const { status, body } = await ask(`PATCH ${LIST}/${id}`, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      url: 'https://hooks.example.com/in',
      currencies: null,
      indicators: ['inflation'],
      description: null,
      updated_at: '2026-10-01T00:00:01Z',
    });
    expect(body).not.toHaveProperty('signing_secret');
  });

  it('disables on demand and activates again', async () => {
    const { ask } = await managed();
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    expect((await ask(`PATCH ${LIST}/${id}`, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      disabled_at: '2026-10-01T00:00:00Z',
      disabled_reason: 'requested',
    });
    const { body } = await ask(`PATCH ${LIST}/${id}`, { status: 'active' });
    expect(body.status).toBe('active');
    expect(body).not.toHaveProperty('disabled_at');
    expect(body).not.toHaveProperty('disabled_reason');
  });

  it('rotates the secret', async () => {
    const { ask, at } = await managed();
    const { id, signing_secret: first } = (await ask(`POST ${LIST}`, WISH)).body;
    const { status, body } = await ask(`POST ${LIST}/${id}/rotate-secret`);
    expect([status, body.id]).toEqual([200, id]);
    expect(body.signing_secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(body.signing_secret).not.toBe(first);
    expect(readFileSync(join(at.folder, 'secrets', `${id}.secret`), 'utf8')).toBe(`${body.signing_secret}\n`);
  });

  it('deletes without a body', async () => {
    const { ask } = await managed();
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    const { status, headers, body } = await ask(`DELETE ${LIST}/${id}`);
    expect([status, body, headers['content-length'], headers['content-type']]).toEqual([204, {}, undefined, undefined]);
    expect((await ask(`GET ${LIST}/${id}`)).status).toBe(404);
    expect((await ask(`DELETE ${LIST}/${id}`)).status).toBe(404);
  });

  it('knows nothing of what belongs to another key', async () => {
    const { ask } = await managed();
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    const unknown = {
      detail: `There is no webhook subscription ${id}.`,
      code: 'unknown_resource',
      error: 'unknown_resource',
    };
    for (const [line, body] of [
      [`GET ${LIST}/${id}`],
      [`PATCH ${LIST}/${id}`, { status: 'disabled' }],
      [`DELETE ${LIST}/${id}`],
      [`POST ${LIST}/${id}/rotate-secret`],
    ] as const)
      expect(await ask(line, body, 'k-other')).toMatchObject({ status: 404, body: unknown });
    expect((await ask(`GET ${LIST}`, undefined, 'k-other')).body).toEqual({ data: [], count: 0 });
    expect((await ask(`GET ${LIST}/${id}`)).body.status).toBe('active');
  });

  it('gives a key ten subscriptions and no more', async () => {
    const { ask } = await managed({ quotas: false });
    for (let i = 0; i < 10; i += 1) expect((await ask(`POST ${LIST}`, WISH)).status).toBe(201);
    expect(await ask(`POST ${LIST}`, WISH)).toMatchObject({
      status: 409,
      body: { code: 'subscription_limit_reached', error: 'subscription_limit_reached' },
    });
    expect((await ask(`POST ${LIST}`, WISH, 'k-other')).status).toBe(201);
  });

  it('gives it no more when they are asked for at the same time', async () => {
    const { ask } = await managed({ quotas: false });
    const answers = await Promise.all(Array.from({ length: 15 }, () => ask(`POST ${LIST}`, WISH)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(5).fill(409)]);
    expect((await ask(`GET ${LIST}`)).body.count).toBe(10);
  });

  it('needs no key where access is open, and has one owner for all', async () => {
    const { ask } = await managed({ open: true });
    const { id } = (await ask(`POST ${LIST}`, WISH, null)).body;
    expect((await ask(`GET ${LIST}/${id}`, undefined, 'k-other')).status).toBe(200);
  });

  it('makes at most twenty a minute for a key', async () => {
    const { ask } = await managed();
    const bad = { url: 'https://localhost/' };
    for (let i = 0; i < 20; i += 1) expect((await ask(`POST ${LIST}`, bad)).status).toBe(400);
    const { status, headers, body } = await ask(`POST ${LIST}`, bad);
    expect([status, headers['x-ratelimit-window'], body.code]).toEqual([429, 'endpoint', 'rate_limit_exceeded']);
    expect((await ask(`GET ${LIST}`)).status).toBe(200);
  });

  it('lists deliveries: an empty list with a count', async () => {
    const { ask } = await managed();
    expect((await ask('GET /v1/webhooks/deliveries')).body).toEqual({ count: 0, data: [] });
  });

  it('lists what became of a delivery', async () => {
    const { ask, mirror } = await managed();
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    const delivery = `${id}_usd_inflation_1791981000`;
    const owed = { id: delivery, subscription: String(id), event: 'usd_inflation_1791981000', position: 1, body: '{}' };
    await mirror.outbox.enqueue([owed], 1, NOW);
    const claim = {
      destinations: [{ subscription: String(id), parallel: 1 }],
      holder: 'one',
      now: NOW,
      until: NOW + 1,
    };
    await mirror.outbox.claim(claim);
    const limits = { failures: 10, streak: 1 };
    const listed = async () => (await ask('GET /v1/webhooks/deliveries')).body;
    const retry = { kind: 'retry', error: 'status 503', at: NOW + 8000 } as const;
    await mirror.outbox.settle([{ delivery, holder: 'one', at: NOW + 3000, status: 503, result: retry, limits }]);
    expect(await listed()).toMatchObject({ data: [{ status: 'retrying', next_attempt_at: '2026-10-01T00:00:08Z' }] });
    await mirror.outbox.claim({ ...claim, now: NOW + 8000, until: NOW + 9000 });
    // Nobody knows when it is tried after the present attempt.
    expect(await listed()).not.toMatchObject({ data: [{ next_attempt_at: expect.anything() }] });
    const result = { kind: 'succeeded' } as const;
    await mirror.outbox.settle([{ delivery, holder: 'one', at: NOW + 8100, status: 200, result, limits }]);
    const record = {
      id: delivery,
      subscription_id: id,
      event_id: 'usd_inflation_1791981000',
      event: 'announcement',
      status: 'succeeded',
      attempt_count: 2,
      last_status_code: 200,
      last_error: null,
      delivered_at: '2026-10-01T00:00:08Z',
    };
    const counts = async (query: string) => (await ask(`GET /v1/webhooks/deliveries${query}`)).body.count;
    expect((await ask('GET /v1/webhooks/deliveries')).body).toEqual({ count: 1, data: [record] });
    expect(await counts(`?subscription_id=${id}&status=succeeded&limit=1`)).toBe(1);
    expect(await counts('?status=failed')).toBe(0);
    expect((await ask('GET /v1/webhooks/deliveries', undefined, 'k-other')).body.count).toBe(0);
  });
});

describe('a request that is refused', () => {
  // See docs/interface-events.md#webhook-subscriptions: a url that is no string or too long is 422, every other bad
  // destination 400.
  it.each([
    [{ url: 'https://127.0.0.1/' }, 400, 'ip_literal'],
    [{ url: '' }, 400, 'invalid_url'],
    [{ url: 'http://hooks.example.com/' }, 400, 'not_https'],
    [{ url: 'https://inside.example.com/' }, 400, 'private_address'],
    [{ url: 'https://nowhere.example.com/' }, 400, 'unresolved_host'],
    [{ url: 5 }, 422, undefined],
    [{ url: `https://hooks.example.com/${'x'.repeat(2048)}` }, 422, undefined],
    [{}, 422, undefined],
    [{ ...WISH, curencies: ['usd'] }, 422, undefined],
    [{ ...WISH, events: ['release'] }, 422, undefined],
    [{ ...WISH, currencies: [] }, 422, undefined],
    [{ ...WISH, currencies: 'usd' }, 422, undefined],
    [{ ...WISH, description: 'x'.repeat(257) }, 422, undefined],
    ['{"url":', 422, undefined],
  ])('creating %j is %i', async (wish, wanted, reason) => {
    const { ask } = await managed();
    const { status, body } = await ask(`POST ${LIST}`, wish);
    expect([status, body.reason]).toEqual([wanted, reason]);
    if (wanted === 400) expect(body).toMatchObject({ code: 'invalid_webhook_destination' });
    expect((await ask(`GET ${LIST}`)).body.count).toBe(0);
  });

  it('names any destination of the table of forbidden ones, to create or to change', async () => {
    const { ask } = await managed({ quotas: false });
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    for (const [url, reason] of REFUSED)
      for (const line of [`POST ${LIST}`, `PATCH ${LIST}/${id}`]) {
        const { status, body } = await ask(line, { url });
        expect([line, url, status, body.reason]).toEqual([line, url, 400, reason]);
      }
    expect((await ask(`GET ${LIST}`)).body).toMatchObject({ count: 1, data: [{ url: WISH.url }] });
  });

  it('names everything that is wrong with a body at once', async () => {
    const { ask } = await managed();
    const { body } = await ask(`POST ${LIST}`, { currencies: ['euro'], more: 1 });
    const findings = body.detail as readonly { loc: unknown; type: string }[];
    expect(findings.map(({ loc, type }) => [loc, type])).toEqual([
      [['body', 'url'], 'missing'],
      [['body', 'currencies', 0], 'string_pattern_mismatch'],
      [['body', 'more'], 'extra_forbidden'],
    ]);
  });

  it('keeps the destination that it had when the new one is bad', async () => {
    const { ask } = await managed();
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    const { status, body } = await ask(`PATCH ${LIST}/${id}`, { url: 'https://inside.example.com/', description: 'x' });
    expect([status, body.reason]).toEqual([400, 'private_address']);
    expect((await ask(`GET ${LIST}/${id}`)).body).toMatchObject({ url: WISH.url, description: 'desk' });
  });

  it('has no key, a bad one, or a plan without webhooks', async () => {
    const keys = parseKeys('k-desk individual\nk-small basic');
    const { ask } = await managed({ keys: () => keys });
    const codes = async (line: string, body?: unknown) => {
      const answers = [await ask(line, body, null), await ask(line, body, 'k-none'), await ask(line, body, 'k-small')];
      return answers.map((answer) => [answer.status, answer.body.code]);
    };
    const refused = [
      [401, 'api_key_required'],
      [401, 'invalid_api_key'],
      [403, 'subscription_required'],
    ];
    expect(await codes(`GET ${LIST}`)).toEqual(refused);
    expect(await codes(`POST ${LIST}`, WISH)).toEqual(refused);
    expect(await codes('DELETE /v1/webhooks/subscriptions/sub_x')).toEqual(refused);
    expect(await codes('GET /v1/webhooks/deliveries')).toEqual(refused);
  });

  it('holds anything whatever: what is no subscription makes none, and breaks nothing', async () => {
    const { ask } = await managed({ quotas: false });
    const { id } = (await ask(`POST ${LIST}`, WISH)).body;
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('https://hooks.example.com/', 'usd', ['usd'], null));
    const body = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(WISH), 'status', 'x'), value));
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const made = await ask(`POST ${LIST}`, JSON.stringify(sent));
        const changed = await ask(`PATCH ${LIST}/${id}`, JSON.stringify(sent));
        expect([201, 400, 409, 422]).toContain(made.status);
        expect([200, 400, 422]).toContain(changed.status);
      }),
      { numRuns: draws(60), seed: 7 },
    );
    expect((await ask(`GET ${LIST}/${id}`)).status).toBe(200);
  });

  it('has a verb that is not there', async () => {
    const { ask } = await managed();
    const answers = [
      await ask(`PUT ${LIST}`),
      await ask(`POST ${LIST}/sub_x`),
      await ask(`GET ${LIST}/sub_x/rotate-secret`),
      await ask('DELETE /v1/webhooks/deliveries'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.allow])).toEqual([
      [405, 'GET, HEAD, POST'],
      [405, 'DELETE, GET, HEAD, PATCH'],
      [405, 'POST'],
      [405, 'GET, HEAD'],
    ]);
  });

  it('asks for more deliveries than there may be', async () => {
    const { ask } = await managed();
    const bad = ['limit=0', 'limit=101', 'status=done', 'subscription_id=a%20b'];
    for (const query of bad) expect((await ask(`GET /v1/webhooks/deliveries?${query}`)).status).toBe(422);
  });
});
