import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ANSWERED } from '../support/answered.ts';
import { builtLibrary, type Library } from './built-library.ts';
import type { MacroClient, MacroServer } from './surface.d.ts';

let library: Library;
let server: MacroServer;
let client: MacroClient;

beforeAll(async () => {
  library = await builtLibrary();
  server = await library.createMacroServer({ keys: [{ key: 'good-key' }] });
  client = library.createClient({ baseUrl: server.url, apiKey: 'good-key' });
});

afterAll(() => server.close());

beforeEach(() => server.reset());

const methodOf = (id: string) => id.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

type Asked = (query: object) => Promise<{ readonly text: string; readonly body: unknown }>;

test.each(ANSWERED.filter(({ post }) => !post))(
  'the method of $id answers what fetch gets',
  async ({ id, path, doc }) => {
    const filled = path.replace(/\{([^}]+)\}/g, (_all, name: string) => doc.example[name] ?? '');
    // The examples are of a later day than the prepared data.
    const query = { ...doc.exampleQuery, ...(doc.exampleQuery?.as_of !== undefined && { as_of: '2026-07-01' }) };
    const address = `${server.url}${filled}?${new URLSearchParams(query)}`;
    const raw = await (await fetch(address, { headers: { 'x-api-key': 'good-key' } })).text();
    const method: Asked = Reflect.get(client, methodOf(id));
    const answer = await method({ ...doc.example, ...query });
    expect(answer.text).toBe(raw);
    expect(answer.body).toEqual(JSON.parse(raw));
  },
);

test('the method of a posted question answers what its address does', async () => {
  const window = { start_date: '2026-01-01', end_date: '2026-06-30' };
  const query = { ...window, series: 'USD:inflation,EUR:inflation', decision_times: '2026-06-01,2026-07-01T12:00:00Z' };
  const address = `${server.url}/v1/research/panel?${new URLSearchParams(query)}`;
  const raw = await (await fetch(address, { headers: { 'x-api-key': 'good-key' } })).json();
  const series = ['USD:inflation', 'EUR:inflation'];
  const answer = await client.researchPanel({
    ...{ ...window, series, decision_times: ['2026-06-01', new Date('2026-07-01T12:00:00Z')] },
  });
  expect(answer.body).toEqual(raw);
  expect(answer.body.data.map(({ values }) => values.length)).toEqual([2, 2]);
  expect(server.requests().map(({ method }) => method)).toEqual(['GET', 'POST']);
});

test('only what was given is sent: the clock of the service decides about today', async () => {
  await client.forex({ base: 'EUR', quote: 'USD' });
  await client.forex({ base: 'EUR', quote: 'USD', page: 2 });
  expect(server.requests().map(({ url }) => url)).toEqual([
    '/v1/forex/EUR/USD',
    '/v1/forex/EUR/USD?limit=20&offset=20',
  ]);
});

test('rows go over all pages, in the order of the answer', async () => {
  const query = { base: 'EUR', quote: 'USD', start_date: '2026-05-01', end_date: '2026-06-30' };
  const dates: string[] = [];
  for await (const { date } of client.forex.rows({ ...query, limit: 7 })) dates.push(date);
  const whole = await client.forex({ ...query, limit: 100 });
  expect(dates).toEqual(whole.body.data.map(({ date }) => date));
  expect(dates.length).toBe(43); // Mondays to Fridays of May and June 2026
  const sizes: number[] = [];
  for await (const { body } of client.forex.pages({ ...query, limit: 20 })) sizes.push(body.data.length);
  expect(sizes).toEqual([20, 20, 3]);
});

test('what goes wrong has a class of its own', async () => {
  const keyless = library.createClient({ baseUrl: server.url });
  const stranger = library.createClient({ baseUrl: server.url, apiKey: 'bad-key' });
  const failures = [
    client.announcements({ currency: 'USD', indicator: 'no_such_thing' }),
    client.forex({ base: 'EUR', quote: 'USD', limit: 0 }),
    keyless.fxReferenceRates({ base: 'EUR', quote: 'USD' }),
    stranger.forex({ base: 'EUR', quote: 'USD' }),
  ];
  const errors = await Promise.all(failures.map((one) => one.then(String, (error: unknown) => error)));
  expect(errors.map((error) => error instanceof library.MacroError && [error.name, error.code, error.status])).toEqual([
    ['NotFoundError', 'unknown_indicator', 404],
    ['UsageError', undefined, 422],
    ['AuthError', 'api_key_required', 401],
    ['AuthError', 'invalid_api_key', 401],
  ]);
  expect(errors.map((error) => error instanceof library.NotFoundError)).toEqual([true, false, false, false]);
  expect(errors.map((error) => error instanceof library.AuthError)).toEqual([false, false, true, true]);
});

test('an argument that an endpoint does not have is refused, with those that it has', async () => {
  const query = { base: 'EUR', quote: 'USD', limt: 3 };
  await expect(client.forex(query)).rejects.toMatchObject({
    name: 'UsageError',
    message: 'forex has no argument limt.',
    hint: expect.stringContaining('limit'),
  });
  expect(server.requests()).toEqual([]);
});

test('an option that a client does not have is refused: ignored, it would give the answer of today', async () => {
  const options = { asOf: '2026-05-01T00:00:00Z' } as object;
  await expect(client.forex({ base: 'EUR', quote: 'USD' }, options)).rejects.toMatchObject({
    name: 'UsageError',
    message: 'There is no option asOf here. A client gives a moment as the argument as_of, where the endpoint has it.',
    hint: 'Legal options: signal, allowPartial.',
  });
  expect(server.requests()).toEqual([]);
});

test('a signal ends a question', async () => {
  const stopped = client.forex({ base: 'EUR', quote: 'USD' }, { signal: AbortSignal.abort() });
  await expect(stopped).rejects.toBeInstanceOf(library.InterruptedError);
});

test('subscriptions are made, changed and taken away by methods too', async () => {
  const { id } = await client.webhookSubscriptions.post({}, { url: 'http://127.0.0.1:9/in', currencies: ['USD'] });
  await client.webhookSubscription.patch({ subscription_id: id }, { status: 'disabled' });
  const { body } = await client.webhookSubscriptions();
  expect(body.data.map(({ id: one, status }) => [one, status])).toEqual([[id, 'disabled']]);
  await client.webhookSubscription.delete({ subscription_id: id });
  expect((await client.webhookSubscriptions()).body.data).toEqual([]);
});
