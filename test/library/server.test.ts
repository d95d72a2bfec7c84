import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../support/platform.ts';
import { builtLibrary, type Library } from './built-library.ts';
import type { MacroServer, MacroServerOptions } from './surface.d.ts';

let library: Library;

beforeAll(async () => {
  library = await builtLibrary();
});

async function started(options?: MacroServerOptions): Promise<MacroServer> {
  const server = await library.createMacroServer(options);
  onTestFinished(() => server.close());
  return server;
}

const clientOf = ({ url }: MacroServer) => library.createClient({ baseUrl: url, apiKey: 'any-key' });

const FRIDAY = { date: '2026-07-03', val: 1.25 };
const THURSDAY = { date: '2026-07-02', val: 1.5 };
const EURUSD = { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' }, rows: [FRIDAY, THURSDAY] };

test('a release that the schedule has comes as the clock is moved over it, in history and changes alike', async () => {
  const server = await started();
  const client = clientOf(server);
  const released = async () => {
    const { body } = await client.announcementsChanges({ since: '2026-07-06T00:00:00Z' });
    return body.data.map(({ event_id }) => event_id);
  };
  const newest = async () =>
    (await client.announcements({ currency: 'EUR', indicator: 'unemployment', limit: 1 })).body.data[0]?.date;
  const before = [server.clock.now().toISOString(), await released(), await newest()];
  await server.clock.set('2026-07-06T12:00:00Z');
  expect(before).toEqual(['2026-07-06T00:00:00.000Z', [], '2026-05-31']);
  expect(server.clock.now().toISOString()).toBe('2026-07-06T12:00:00.000Z');
  expect(await released()).toContain('eur_unemployment_1783328400'); // 2026-07-06T09:00:00Z
  expect(await newest()).toBe('2026-06-30');
});

test('the clock stands still, and goes forward only', async () => {
  const server = await started({ data: [EURUSD], clock: '2026-07-06T08:00:00Z' });
  await server.clock.advance(90_000);
  expect(server.clock.now().toISOString()).toBe('2026-07-06T08:01:30.000Z');
  await expect(server.clock.set('2026-07-06T08:00:00Z')).rejects.toMatchObject({ name: 'UsageError' });
  await expect(server.clock.set('soon')).rejects.toMatchObject({ name: 'UsageError' });
});

test('rows of a test are the data, whole, and marked as made up', async () => {
  const server = await started({ data: [EURUSD], clock: '2026-07-06T08:00:00Z' });
  const client = clientOf(server);
  const { body, mirror, synthetic } = await client.forex({ base: 'EUR', quote: 'USD' });
  expect(body.data.map(({ date, val }) => ({ date, val }))).toEqual([FRIDAY, THURSDAY]);
  expect([mirror, synthetic]).toEqual([undefined, true]);
  await expect(client.forex({ base: 'GBP', quote: 'USD' })).rejects.toBeInstanceOf(library.NotFoundError);
  await server.clock.set('2026-07-09');
  expect((await client.forex({ base: 'EUR', quote: 'USD' })).mirror).toBeUndefined();
});

test.each([
  [{ ...EURUSD, endpoint: 'fx' }, "Rows of 'fx' cannot be given."],
  [{ ...EURUSD, scope: { base: 'EUR' } }, 'A series of forex is named by base, quote.'],
  [{ ...EURUSD, rows: [FRIDAY, { val: 2 }] }, 'Row 1 of forex has no date.'],
])('rows that are no answer of the service are refused: %#', async (series, message) => {
  await expect(library.createMacroServer({ data: [series] })).rejects.toMatchObject({ name: 'UsageError', message });
});

test('a made-up release reaches changes, stream and webhooks under one id', async () => {
  const server = await started();
  const client = clientOf(server);
  const posted = await receiver();
  const { signing_secret: secret } = await client.webhookSubscriptions.post({}, { url: posted.url });
  const stream = library.followEvents({ baseUrl: server.url, apiKey: 'any-key' })[Symbol.asyncIterator]();
  onTestFinished(async () => void (await stream.return?.()));
  expect((await stream.next()).value).toEqual({ kind: 'open', notes: [] });
  const event = await server.release({ currency: 'usd', indicator: 'inflation', val: 3.4 });
  expect(event).toMatchObject({ event_id: 'usd_inflation_1783296000', latest_announcement: { val: 3.4 } });
  expect((await stream.next()).value).toMatchObject({ kind: 'event', id: 'usd_inflation_1783296000', synthetic: true });
  const { data } = (await client.announcementsChanges({ since: '2026-07-06T00:00:00Z' })).body;
  expect(data.map(({ event_id }) => event_id)).toEqual(['usd_inflation_1783296000']);
  const delivery = await posted.next();
  const verified = library.verifyWebhook({ ...delivery, secret: String(secret) });
  expect(verified).toMatchObject({ id: 'usd_inflation_1783296000', event: 'announcement', synthetic: true });
  expect(() => library.verifyWebhook({ ...delivery, secret: 'whsec_other' })).toThrow(library.VerificationError);
});

/** A webhook receiver of this machine. */
async function receiver() {
  const waiting: ((delivery: { headers: Record<string, string>; body: Uint8Array }) => void)[] = [];
  const coming = new Promise<{ headers: Record<string, string>; body: Uint8Array }>((resolve) => waiting.push(resolve));
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(204).end();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    waiting[0]?.({ headers, body: Buffer.concat(chunks) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/in`, next: () => coming };
}

test('a stream names the words of its filter whose events never come', async () => {
  const server = await started();
  const options = { baseUrl: server.url, apiKey: 'any-key', currencies: ['usd', 'zzz'] };
  const stream = library.followEvents(options)[Symbol.asyncIterator]();
  onTestFinished(async () => void (await stream.return?.()));
  const known = [
    ...['aud', 'brl', 'cad', 'chf', 'cnh', 'cny', 'dkk', 'eur', 'gbp', 'ils', 'jpy', 'ngn', 'nok', 'nzd', 'pen', 'sek'],
    ...['thb', 'usd', 'g10', 'all'],
  ];
  const notes = [`zzz is none of the 20 currencies known for this route. Known are ${known.join(', ')}.`];
  expect((await stream.next()).value).toEqual({ kind: 'open', notes });
});

test('a webhook is verified by the digest over timestamp, id and body', () => {
  const body = '{"id":"usd_gdp_1","event":"announcement"}';
  const signature = createHmac('sha256', 'whsec_1').update(`1783296000.usd_gdp_1.${body}`).digest('hex');
  const headers = new Headers({
    'X-SVC-Signature': `v1=${signature}`,
    'X-SVC-Timestamp': '1783296000',
    'X-SVC-Event-ID': 'usd_gdp_1',
  });
  const ask = { headers, body, secret: ['whsec_old', 'whsec_1'], now: new Date('2026-07-06T00:05:00Z') };
  expect(library.verifyWebhook(ask)).toEqual({
    ...{ id: 'usd_gdp_1', event: undefined, deliveryId: undefined, synthetic: false },
    body: { id: 'usd_gdp_1', event: 'announcement' },
  });
  const late = { ...ask, now: new Date('2026-07-06T00:05:01Z') };
  expect(() => library.verifyWebhook(late)).toThrow(expect.objectContaining({ code: 'stale_timestamp', status: 401 }));
  const altered = { ...ask, body: `${body} ` };
  expect(() => library.verifyWebhook(altered)).toThrow(expect.objectContaining({ code: 'bad_signature' }));
});

test('requests are listed with what became of them, and a reset takes everything back under the same address', async () => {
  const server = await started({ data: [EURUSD], clock: '2026-07-06T08:00:00Z' });
  const client = clientOf(server);
  await client.forex({ base: 'EUR', quote: 'USD' });
  await expect(client.forex({ base: 'GBP', quote: 'USD' })).rejects.toThrow();
  await server.release({ currency: 'usd', indicator: 'inflation', val: 3.4 });
  await server.clock.advance(60_000);
  expect(server.requests().map(({ method, url, status }) => [method, url, status])).toEqual([
    ['GET', '/v1/forex/EUR/USD', 200],
    ['GET', '/v1/forex/GBP/USD', 404],
  ]);
  expect(server.requests()[0]?.headers['x-api-key']).toBe('any-key');
  const { url } = server;
  await server.reset();
  expect([server.url, server.clock.now().toISOString(), server.requests()]).toEqual([
    url,
    '2026-07-06T08:00:00.000Z',
    [],
  ]);
  await expect(client.announcementsChanges()).rejects.toBeInstanceOf(library.NotFoundError);
  expect((await client.forex({ base: 'EUR', quote: 'USD' })).body.data.length).toBe(2);
});

test('budgets refuse like those of the service, and free as the clock moves', async () => {
  const server = await started({ data: [EURUSD], clock: '2026-07-06T08:00:00Z', quotas: true });
  const ask = async () =>
    (await fetch(`${server.url}/v1/forex/EUR/USD`, { headers: { 'x-api-key': 'any-key' } })).status;
  const statuses: number[] = [];
  while (!statuses.includes(429)) statuses.push(await ask());
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  await server.clock.advance(86_400_000);
  expect(await ask()).toBe(200);
});

test('a mirror that is served is only read', async () => {
  const own = join(freshFolder(), 'own.db');
  const { makeMirror } = await import('./small-mirror.ts');
  await makeMirror(own);
  const before = readFileSync(own);
  const server = await started({ data: own, clock: '2026-07-06T08:00:00Z' });
  expect((await clientOf(server).forex({ base: 'EUR', quote: 'USD' })).body.data.length).toBe(2);
  await expect(server.release({ currency: 'usd', indicator: 'inflation' })).rejects.toMatchObject({
    name: 'UsageError',
  });
  await server.close();
  expect(readFileSync(own).equals(before)).toBe(true);
});

test('a port that is taken is refused', async () => {
  const server = await started({ data: [EURUSD] });
  const again = library.createMacroServer({ data: [EURUSD], port: Number(new URL(server.url).port) });
  await expect(again).rejects.toBeInstanceOf(library.UsageError);
});

test('faults come as they are asked for, change under way, and end with a reset', async () => {
  const unavailable = { fault: 'error', status: 503 } as const;
  const server = await started({
    data: [EURUSD],
    clock: '2026-07-06T08:00:00Z',
    faults: [{ ...unavailable, times: 1 }],
  });
  const ask = async () => {
    const { status, headers } = await fetch(`${server.url}/v1/forex/EUR/USD`, { headers: { 'x-api-key': 'any-key' } });
    return [status, headers.get('x-svc-fault') !== null];
  };
  expect([await ask(), await ask()]).toEqual([
    [503, true],
    [200, false],
  ]);
  server.faults([{ fault: 'limit', window: 'minute' }]);
  expect(await ask()).toEqual([429, true]);
  server.faults([]);
  expect(await ask()).toEqual([200, false]);
  expect(() => server.faults([{ fault: 'latency', ms: -1 }])).toThrow(library.UsageError);
  await server.reset();
  expect([await ask(), await ask()]).toEqual([
    [503, true],
    [200, false],
  ]);
});

// The reset of a connection drops all bytes that are not with the system yet.
test('a stream that is cut gives the events before the cut, and the bytes of the next one', async () => {
  const server = await started();
  const release = async (val: number) => {
    await server.clock.advance(1_000);
    return (await server.release({ currency: 'USD', indicator: 'inflation', val })).event_id;
  };
  const [first, second] = [await release(3.1), await release(3.2), await release(3.3)];
  server.faults([{ fault: 'cut', skip: 1, bytes: 5 }]);
  const { body } = await fetch(`${server.url}/v1/stream/events?last_event_id=${first}`, {
    headers: { 'x-api-key': 'any-key' },
  });
  let text = '';
  const read = async () => {
    for await (const bytes of body ?? []) text += new TextDecoder().decode(bytes);
  };
  await expect(read()).rejects.toThrow('terminated');
  expect(text.match(/^id: .*$/gm)).toEqual([`id: ${second}`, 'id: u']);
});

test('a client meets a page that lies with an error, never with the rows', async () => {
  const server = await started({ faults: [{ fault: 'page', as: 'repeated', path: '/v1/forex/*' }] });
  const rows = clientOf(server).forex.rows({ base: 'EUR', quote: 'USD', limit: 5 });
  const taken = async () => {
    for await (const _ of rows);
  };
  await expect(taken()).rejects.toBeInstanceOf(library.ProtocolError);
});
