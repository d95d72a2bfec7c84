import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { INTERFACE } from '../../src/endpoints/index.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { LABELS, serveScripted } from '../serve/scripted-source.ts';

const document = openApiDocument(INTERFACE, { title: 'x', version: '1.0.0', labels: LABELS, prefixes: ['/v1'] });
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
const SUBSCRIPTION = '/v1/webhooks/subscriptions/{subscription_id}';

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return [...(typeof value.$ref === 'string' ? [value.$ref] : []), ...Object.values(value).flatMap(referencesIn)];
}

const verbs = (path: string) => Object.keys(paths[path] ?? {});
const statuses = (path: string, verb: string) => Object.keys(paths[path]?.[verb]?.responses ?? {}).join(' ');

test('the document of the whole interface is valid, and every reference leads somewhere', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect([result.valid, result.errors ?? []]).toEqual([true, []]);
  const at = (pointer: string) =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), document);
  expect([...new Set(referencesIn(document))].filter((pointer) => at(pointer) === undefined)).toEqual([]);
});

// The specification, "Webhook management", and docs/interface-events.md#webhook-subscriptions.
describe('webhook management', () => {
  it('has exactly the verbs of the interface', () => {
    expect(verbs('/v1/webhooks/subscriptions')).toEqual(['get', 'post']);
    expect(verbs(SUBSCRIPTION)).toEqual(['get', 'patch', 'delete']);
    expect(verbs(`${SUBSCRIPTION}/rotate-secret`)).toEqual(['post']);
    expect(verbs('/v1/webhooks/deliveries')).toEqual(['get']);
  });

  it('answers with the statuses of the interface', () => {
    expect(statuses('/v1/webhooks/subscriptions', 'post')).toBe('201 400 401 403 405 409 413 422 429');
    expect(statuses(SUBSCRIPTION, 'patch')).toBe('200 400 401 403 404 405 413 422 429');
    expect(statuses(SUBSCRIPTION, 'delete')).toBe('204 401 403 404 405 422 429');
    expect(statuses(`${SUBSCRIPTION}/rotate-secret`, 'post')).toBe('200 401 403 404 405 422 429');
  });

  it('describes bodies, needs a key and is marked as ours', () => {
    const create = paths['/v1/webhooks/subscriptions']?.post;
    expect(create).toMatchObject({
      operationId: 'webhook_subscriptions_v1_webhooks_subscriptions_post',
      tags: ['release-event delivery'],
      security: [{ APIKeyHeader: [] }, { HTTPBearer: [] }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/WebhookSubscriptionsPostRequest' } } },
      },
      'x-provisional': true,
    });
    const { schemas } = document.components as { schemas: Record<string, JsonObject> };
    expect(schemas.WebhookSubscriptionsPostRequest).toMatchObject({ required: ['url'], additionalProperties: false });
    expect(schemas.WebhookSubscriptionsPostResponse).toMatchObject({ required: ['id', 'signing_secret'] });
    expect(JSON.stringify(schemas.WebhookSubscriptionsRow)).not.toContain('signing_secret');
  });

  it('has operation ids of its own', () => {
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('the stream is described as server-sent events that go on from an event', () => {
  const get = paths['/v1/stream/events']?.get as JsonObject;
  const named = (get.parameters as JsonObject[]).flatMap(({ name }) => name ?? []);
  expect(named).toEqual([
    'currencies',
    'indicators',
    'payload',
    'live_only',
    'max_age_ms',
    'last_event_id',
    'Last-Event-ID',
  ]);
  const { 200: good, 304: unchanged } = get.responses as Record<string, { content: object; headers: object }>;
  expect([Object.keys(good?.content ?? {}), unchanged]).toEqual([['text/event-stream'], undefined]);
  expect(Object.keys(good?.headers ?? {})).not.toContain('ETag');
});

test('deprecated routes are marked, and no other', () => {
  const marked = Object.entries(paths).flatMap(([path, { get }]) => (get?.deprecated ? [path] : []));
  expect(marked).toEqual(['/v1/capabilities', '/v1/coverage_matrix']);
});

test('what serve does not answer is neither in its document nor a route, even when it is handed over', async () => {
  const { app, ask } = await serveScripted({}, { endpoints: INTERFACE });
  const served = app.routes.flatMap((route) => route.paths);
  const described = Object.keys(((await ask('/openapi.json')).json as { paths: object }).paths);
  expect([...served, ...described].filter((path) => /webhooks/.test(path))).toEqual([]);
  expect((await ask('/v1/webhooks/subscriptions')).status).toBe(404);
});
