import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createWire } from '../../src/client/http/wire.ts';
import { createManager } from '../../src/client/manage.ts';
import deliveries from '../../src/endpoints/events/deliveries.ts';
import rotation from '../../src/endpoints/events/rotate-secret.ts';
import subscription from '../../src/endpoints/events/subscription.ts';
import subscriptions from '../../src/endpoints/events/subscriptions.ts';
import { testPlatform } from '../support/platform.ts';
import { type Exchange, scriptUpstream } from '../support/upstream.ts';
import { SUBSCRIPTION } from '../webhooks/vector.ts';
import { BASE, failure, KEY } from './support.ts';

const SECRET = `whsec_${'0a'.repeat(32)}`;
const { id: ID, url: URL_OK } = SUBSCRIPTION;
const BUSY = { status: 503, body: { detail: 'busy', code: 'service_unavailable' } };

function scene(script: readonly Exchange[], key: string | undefined = KEY) {
  const upstream = scriptUpstream(script);
  const { platform } = testPlatform({ fetch: upstream.fetch });
  const wire = createWire({ platform, baseUrl: BASE, ...(key !== '' && { key }) });
  return { upstream, manager: createManager(wire, { subscriptions, subscription, rotation, deliveries }) };
}

describe('a new subscription', () => {
  const CREATE = { request: 'POST /v1/webhooks/subscriptions' };

  it('is asked for with the key in a header, and its secret comes apart from it', async () => {
    const body = { ...SUBSCRIPTION, signing_secret: SECRET };
    const sent = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const { upstream, manager } = scene([{ ...CREATE, status: 201, body, sent }]);
    const made = await manager.create({ url: URL_OK, currencies: ['usd'], indicators: null });
    upstream.verify();
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toEqual({
      url: URL_OK,
      currencies: ['usd'],
      indicators: null,
    });
    expect([made.id, made.subscription, made.secret.reveal()]).toEqual([ID, SUBSCRIPTION, SECRET]);
    expect(`${inspect(made, { depth: 9, showHidden: true })}${JSON.stringify(made)}${made.secret}`).not.toContain(
      SECRET,
    );
  });

  it('is asked for once, whatever comes back, and told to be looked for where that is not known', async () => {
    for (const answer of [
      BUSY,
      { fails: new Error('reset') },
      { status: 200, body: '<html>' },
      { status: 201, body: {} },
    ]) {
      const { upstream, manager } = scene([{ ...CREATE, ...answer }]);
      const error = await failure(manager.create({ url: URL_OK }));
      expect(upstream.requests).toHaveLength(1);
      expect(error.hint).toContain('It may have been done anyway');
    }
  });

  it('is not sent again after a redirect, not even to the same place', async () => {
    const { upstream, manager } = scene([{ ...CREATE, status: 307, headers: { location: '/v1/other' } }]);
    expect(await failure(manager.create({ url: URL_OK }))).toMatchObject({
      kind: 'upstream',
      code: 'redirect_refused',
    });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ['not_https', 'Give an https address: deliveries are never sent in the clear.'],
    ['private_address', 'The host name must lead to public addresses only.'],
    ['something_new', 'Give a whole address like https://hooks.example.com/in.'],
  ])('with a destination that is %s tells what to do', async (reason, hint) => {
    const code = 'invalid_webhook_destination';
    const body = { detail: 'No.', code, error: code, reason };
    const { manager } = scene([{ ...CREATE, status: 400, body }]);
    expect(await failure(manager.create({ url: URL_OK }))).toMatchObject({ kind: 'usage', status: 400, code, hint });
  });

  it('beyond the most that a key may have tells how to make room', async () => {
    const body = { detail: 'There are 10 already.', code: 'subscription_limit_reached' };
    const { manager } = scene([{ ...CREATE, status: 409, body }]);
    expect(await failure(manager.create({ url: URL_OK }))).toMatchObject({
      kind: 'usage',
      hint: 'Delete one first: macro webhooks list shows them.',
    });
  });

  it('without a key, or with a body that cannot be right, spends no request', async () => {
    const keyless = scene([], '');
    expect(await failure(keyless.manager.create({ url: URL_OK }))).toMatchObject({ kind: 'auth', status: 401 });
    const { upstream, manager } = scene([]);
    expect(await failure(manager.create({ url: `${URL_OK}${'x'.repeat(2048)}` }))).toMatchObject({
      kind: 'usage',
      status: 422,
    });
    expect([...keyless.upstream.requests, ...upstream.requests]).toEqual([]);
  });

  it('whose answer has no secret in it is no success', async () => {
    for (const signing_secret of [undefined, null, 7, '']) {
      const { manager } = scene([{ ...CREATE, status: 201, body: { ...SUBSCRIPTION, signing_secret } }]);
      expect(await failure(manager.create({ url: URL_OK }))).toMatchObject({ kind: 'protocol' });
    }
  });
});

describe('a subscription that is there', () => {
  const AT = `/v1/webhooks/subscriptions/${ID}`;

  it('is listed and shown as the service sent it', async () => {
    const list =
      '{"count":1,"data":[{"id":"sub_1","url":"https://h.example","status":"active","events":["announcement"],"x":1.50}]}';
    const one = '{"id":"sub_1","url":"https://h.example","status":"active","events":["announcement"],"x":1.50}';
    const { manager } = scene([
      { request: 'GET /v1/webhooks/subscriptions', body: list },
      { request: 'GET /v1/webhooks/subscriptions/sub_1', body: one },
    ]);
    expect([await manager.list(), await manager.show('sub_1')]).toEqual([list, one]);
  });

  it('is changed by what is given and nothing else; that may be tried again', async () => {
    const { upstream, manager } = scene([
      { request: `PATCH ${AT}`, ...BUSY },
      { request: `PATCH ${AT}`, body: SUBSCRIPTION },
      { request: `PATCH ${AT}`, body: SUBSCRIPTION },
      { request: `PATCH ${AT}`, body: { ...SUBSCRIPTION, status: 'disabled' } },
    ]);
    expect(await manager.update(ID, { description: null, currencies: ['eur'] })).toEqual(SUBSCRIPTION);
    expect(await manager.enable(ID)).toEqual(SUBSCRIPTION);
    expect(await manager.disable(ID)).toMatchObject({ status: 'disabled' });
    upstream.verify();
    expect(upstream.requests.map(({ body }) => body)).toEqual([
      '{"description":null,"currencies":["eur"]}',
      '{"description":null,"currencies":["eur"]}',
      '{"status":"active"}',
      '{"status":"disabled"}',
    ]);
  });

  it('is deleted; after a try whose answer was lost, being gone is success', async () => {
    const gone = { status: 404, body: { detail: 'There is no such subscription.', code: 'not_found' } };
    const done = scene([{ request: `DELETE ${AT}`, status: 204, sent: { 'content-type': null } }]);
    await done.manager.delete(ID);
    const lost = scene([
      { request: `DELETE ${AT}`, fails: new Error('reset') },
      { request: `DELETE ${AT}`, ...gone },
    ]);
    await lost.manager.delete(ID);
    const unknown = scene([{ request: `DELETE ${AT}`, ...gone }]);
    expect(await failure(unknown.manager.delete(ID))).toMatchObject({
      kind: 'notFound',
      hint: 'macro webhooks list shows which there are.',
    });
    for (const { upstream } of [done, lost, unknown]) upstream.verify();
  });

  it('gets another secret, asked for once', async () => {
    const answer = { ...SUBSCRIPTION, signing_secret: SECRET };
    const { upstream, manager } = scene([{ request: `POST ${AT}/rotate-secret`, body: answer }]);
    expect((await manager.rotate(ID)).secret.reveal()).toBe(SECRET);
    expect(upstream.requests[0]?.body).toBeUndefined();
    const busy = scene([{ request: `POST ${AT}/rotate-secret`, ...BUSY }]);
    expect(await failure(busy.manager.rotate(ID))).toMatchObject({ kind: 'upstream', status: 503 });
    busy.upstream.verify();
  });
});

it('deliveries are asked for by subscription, status and number', async () => {
  const body = { count: 0, data: [] };
  const { upstream, manager } = scene([
    { request: `GET /v1/webhooks/deliveries?subscription_id=${ID}&status=failed&limit=5`, body },
  ]);
  expect(await manager.deliveries({ subscription_id: ID, status: 'failed', limit: 5 })).toBe(JSON.stringify(body));
  upstream.verify();
});

it('a service without webhooks says so', async () => {
  const { manager } = scene([
    { request: 'GET /v1/webhooks/subscriptions', status: 404, body: { detail: 'No such path.' } },
  ]);
  expect(await failure(manager.list())).toMatchObject({ kind: 'notFound', hint: 'This service has no webhooks.' });
});
