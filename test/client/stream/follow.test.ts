import { expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, createWire } from '../../../src/client/http/wire.ts';
import { type FollowStreamOptions, followStream } from '../../../src/client/stream/follow.ts';
import { createIdleWatchdog } from '../../../src/client/stream/idle-watchdog.ts';
import type { StreamMessage } from '../../../src/client/stream/messages.ts';
import { settle } from '../../support/clock.ts';
import { type StreamRequest, streamService } from '../../support/event-stream.ts';
import { testPlatform } from '../../support/platform.ts';
import { argsFor, BASE, endpoint, KEY } from '../support.ts';

const STREAM = endpoint('stream_events');

interface Following {
  readonly news: readonly StreamMessage[];
  /** Waits until so much was told. */
  until(count: number): Promise<readonly StreamMessage[]>;
  /** How it ended. */
  readonly ended: Promise<unknown>;
}

function follow(
  ask: Partial<FollowStreamOptions> & { query?: Record<string, string>; maxSilence?: number } = {},
  options: Partial<ClientOptions> = { key: KEY },
) {
  const service = streamService();
  const { platform, clock } = testPlatform({ fetch: service.fetch, sleeping: 'waits' });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const { query = {}, maxSilence, ...rest } = ask;
  const args = argsFor(STREAM, {}, query);
  const following = followStream(
    { wire: createWire({ platform, baseUrl: BASE, ...options }), ...platform },
    { endpoint: STREAM, args, signal: stop.signal, watchdog: createIdleWatchdog(clock, maxSilence), ...rest },
  );
  return { ...collect(following), service, clock, stop };
}

function collect(following: AsyncIterable<StreamMessage>): Following {
  const news: StreamMessage[] = [];
  const all = async () => {
    for await (const one of following) if (one.kind !== 'beat') news.push(one);
    return 'done';
  };
  const ended = all().catch((error: unknown) => error);
  return {
    news,
    ended,
    async until(count) {
      while (news.length < count) await settle();
      return news;
    },
  };
}

/** The next request, after however long the pause before it is. */
async function again({ service, clock }: Pick<ReturnType<typeof follow>, 'service' | 'clock'>): Promise<StreamRequest> {
  const before = service.asked;
  for (let second = 0; second < 120 && service.asked === before; second += 1) await clock.advance(1000);
  return service.request();
}

const ID = 'usd_inflation_1791981000';
const DATA = `{"event_id":"${ID}","currency":"usd","indicator":"inflation","timestamp":1791981002}`;
const FRAME = `id: ${ID}\nevent: announcement\ndata: ${DATA}\n\n`;
const EVENT = { kind: 'event', row: { text: DATA, value: JSON.parse(DATA) }, synthetic: false };
const kinds = (news: readonly StreamMessage[]) => news.map(({ kind }) => kind);

it('asks for a stream that nothing on the way keeps, with the key in its header', async () => {
  const { service } = follow({ query: { currencies: 'usd,eur', payload: 'full' } });
  const { url, headers } = await service.request();
  expect(url).toBe(`${BASE}/v1/stream/events?currencies=usd,eur&payload=full&live_only=false`);
  const sent = ['accept', 'cache-control', 'accept-encoding', 'x-api-key', 'last-event-id'];
  expect(sent.map((name) => headers.get(name))).toEqual(['text/event-stream', 'no-store', 'identity', KEY, null]);
});

it('tells events as rows of changes, and whether they were generated', async () => {
  const { service, until } = follow();
  (await service.request()).open(`retry: 3000\n: connected\n\n${FRAME}`, { 'X-SVC-Synthetic': '1' });
  expect(await until(2)).toEqual([{ kind: 'open' }, { ...EVENT, synthetic: true }]);
});

it('tells gaps and what cannot be read, and nothing of other kinds', async () => {
  const { service, until } = follow();
  const line = (await service.request()).open();
  line.send('event: gap\ndata: {"reason":"slow_consumer"}\n\n');
  line.send('event: gap\ndata: <html>\n\n');
  line.send('event: weather\ndata: rain\n\n');
  for (const data of ['{', '[]', '{"currency":"usd"}', DATA.replace('1791981002', '"soon"')])
    line.send(`event: announcement\ndata: ${data}\n\n`);
  expect((await until(7)).slice(1)).toEqual([
    { kind: 'gap', reason: 'slow_consumer' },
    { kind: 'gap', reason: 'unknown' },
    { kind: 'unreadable', problem: 'it is no JSON object' },
    { kind: 'unreadable', problem: 'it is no JSON object' },
    { kind: 'unreadable', problem: 'it has no event_id' },
    { kind: 'unreadable', problem: 'it has no timestamp in Unix seconds' },
  ]);
});

it('comes back behind the last event after the time that the stream asks for', async () => {
  const { service, until, clock } = follow();
  (await service.request()).open(`retry: 5000\n\n${FRAME}`).end();
  const [, , lost] = await until(3);
  expect(lost).toMatchObject({ kind: 'lost', reason: 'the stream ended' });
  expect(lost?.kind === 'lost' && [lost.pause >= 5000, lost.pause < 10_000]).toEqual([true, true]);
  await clock.advance(4_999);
  expect(service.asked).toBe(1);
  await clock.advance(5_001);
  expect((await service.request()).headers.get('last-event-id')).toBe(ID);
});

it('begins behind the event that it is given, and sends an id in UTF-8', async () => {
  const { service } = follow({ lastEventId: 'é…' });
  const { headers } = await service.request();
  expect(Buffer.from(headers.get('last-event-id') ?? '', 'latin1').toString('utf8')).toBe('é…');
});

it('sends no id that no header can carry', async () => {
  const { service } = follow({ lastEventId: 'a\u0001b' });
  expect((await service.request()).headers.get('last-event-id')).toBeNull();
});

it.each([
  ['an empty id takes it back', 'id\ndata: x\n\n', null],
  ['an id of an event that was cut off does not count', 'id: cut\ndata: x\n', ID],
  ['an id without data counts', 'id: bare\n\n', 'bare'],
])('%s', async (_, text, sent) => {
  const { service, clock } = follow();
  (await service.request()).open(`${FRAME}${text}`).end();
  await settle();
  expect((await again({ service, clock })).headers.get('last-event-id')).toBe(sent);
});

it('what the service cannot replay is not asked for again', async () => {
  const { service, until, clock } = follow({ lastEventId: ID });
  (await service.request()).open('event: gap\ndata: {"reason":"last_event_id_expired"}\n\n').end();
  await until(3);
  expect((await again({ service, clock })).headers.get('last-event-id')).toBeNull();
});

it('comes back when the connection breaks', async () => {
  const { service, until } = follow();
  const line = (await service.request()).open(FRAME);
  await until(2);
  line.break();
  expect((await until(3))[2]).toMatchObject({ kind: 'lost', reason: 'the connection broke' });
});

it('gives up a connection that is silent, and one after less when the heartbeats are known', async () => {
  const { service, until, clock } = follow();
  const silent = (await service.request()).open();
  await until(1);
  await clock.advance(74_999);
  expect(silent.isGone).toBe(false);
  await clock.advance(1);
  expect((await until(2))[1]).toMatchObject({ kind: 'lost', reason: 'nothing came for 75 s' });
  expect(silent.isGone).toBe(true);
  const beating = (await again({ service, clock })).open(': heartbeat\n\n');
  await until(3);
  for (const _ of [1, 2, 3]) {
    await clock.advance(15_000);
    beating.send(': heartbeat\n\n');
    await settle();
  }
  await clock.advance(45_000);
  expect((await until(4))[3]).toMatchObject({ kind: 'lost', reason: 'nothing came for 45 s' });
});

it('bytes that are no event yet keep a connection alive', async () => {
  const { service, until, clock } = follow();
  const line = (await service.request()).open('data: ');
  await until(1);
  for (const _ of [1, 2, 3]) {
    await clock.advance(70_000);
    line.send('x');
    await settle();
  }
  expect(line.isGone).toBe(false);
});

it.each([
  ['slept', 600_000],
  ['had its clock set back', -600_000],
])('a machine that %s connects again', async (_, by) => {
  const { service, until, clock } = follow();
  (await service.request()).open();
  await until(1);
  clock.jump(by);
  await clock.advance(10_000);
  expect((await until(2))[1]).toMatchObject({ reason: 'the clock jumped, as after a sleep of this machine' });
});

it('pauses longer with every failure', async () => {
  const { service, until, clock, news } = follow();
  (await service.request()).open(FRAME).end();
  for (let tries = 0; tries < 6; tries += 1) {
    await until(3 + tries);
    (await again({ service, clock })).answer(503);
  }
  await until(9);
  const pauses = news.flatMap((one) => (one.kind === 'lost' ? [one.pause] : []));
  const least = [3000, 3000, 6000, 12_000, 24_000, 30_000, 30_000];
  expect(pauses.map((pause, i) => pause >= (least[i] ?? 0) && pause <= Math.min(60_000, 2 * (least[i] ?? 0)))).toEqual(
    least.map(() => true),
  );
});

it('waits as long as a refusal asks for', async () => {
  const { service, until } = follow();
  (await service.request()).answer(503, '', { 'retry-after': '120' });
  expect(await until(1)).toMatchObject([{ kind: 'lost', pause: 120_000 }]);
});

it('ends when there is nothing more to come', async () => {
  const { service, ended } = follow();
  (await service.request()).answer(204);
  expect(await ended).toBe('done');
  expect(service.asked).toBe(1);
});

const html = { 'content-type': 'text/html' };
it.each<[string, (request: StreamRequest) => void, object]>([
  ['400', (request) => request.answer(400), { kind: 'usage', status: 400 }],
  ['401', (request) => request.answer(401), { kind: 'auth', status: 401 }],
  ['403', (request) => request.answer(403), { kind: 'auth', status: 403 }],
  ['404', (request) => request.answer(404), { kind: 'protocol', code: 'not_the_service' }],
  ['410', (request) => request.answer(410), { kind: 'notFound' }],
  ['422', (request) => request.answer(422), { kind: 'usage' }],
  ['205', (request) => request.answer(205), { kind: 'protocol' }],
  ['299', (request) => request.answer(299), { kind: 'protocol' }],
  ['a page', (request) => request.answer(200, '<p>', html), { kind: 'protocol', code: 'not_a_stream' }],
  ['JSON', (request) => request.answer(200, '{}', { 'content-type': 'application/json' }), { code: 'not_a_stream' }],
  ['no type', (request) => request.answer(200, 'data: x\n\n', { 'content-type': '' }), { code: 'not_a_stream' }],
  [
    'another origin',
    (request) => request.answer(302, '', { location: 'https://evil.test/' }),
    { code: 'redirect_refused' },
  ],
  [
    'a bad certificate',
    (request) => request.fail(Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' })),
    { code: 'certificate' },
  ],
])('ends for good on %s', async (_, answer, error) => {
  const { service, ended } = follow();
  answer(await service.request());
  expect(await ended).toMatchObject(error);
  expect(service.asked).toBe(1);
});

it.each([408, 425, 429, 500, 502, 503, 504])('tries again after %s, four times at the beginning', async (status) => {
  const { service, clock, ended } = follow();
  (await service.request()).answer(status);
  for (const _ of [2, 3, 4]) {
    await settle();
    (await again({ service, clock })).answer(status);
  }
  expect(await ended).toMatchObject({ status });
  expect(service.asked).toBe(4);
});

it.each([
  ['text/event-stream'],
  ['text/event-stream;'],
  ['text/event-stream;charset=windows-1252'],
  ['Text/Event-Stream; charset=utf-8'],
])('%s is a stream, in UTF-8', async (type) => {
  const { service, until } = follow();
  (await service.request()).open(FRAME, { 'content-type': type });
  expect(kinds(await until(2))).toEqual(['open', 'event']);
});

it.each([301, 302, 303, 307, 308])('follows %s inside of the service, with key and id', async (status) => {
  const { service, until } = follow({ lastEventId: ID });
  (await service.request()).answer(status, '', { location: '/elsewhere/events' });
  const second = await service.request();
  expect([second.url, second.headers.get('x-api-key'), second.headers.get('last-event-id')]).toEqual([
    `${BASE}/elsewhere/events`,
    KEY,
    ID,
  ]);
  second.open(FRAME);
  expect(kinds(await until(2))).toEqual(['open', 'event']);
});

it('a connection that does not begin is given up', async () => {
  const { service, until, clock } = follow();
  await service.request();
  await clock.advance(30_000);
  expect(await until(1)).toMatchObject([{ kind: 'lost', reason: 'The stream did not begin: nothing came for 30 s' }]);
});

it('without a key asks for no other currency than USD', async () => {
  const { ended, service } = follow({ query: { currencies: 'eur' } }, {});
  expect(await ended).toMatchObject({ kind: 'auth', code: 'api_key_required' });
  expect(service.asked).toBe(0);
});

it('a key never travels over plain http', () => {
  expect(() => follow({}, { baseUrl: 'http://stream.example.test', key: KEY })).toThrow(
    'The API key would travel unencrypted to stream.example.test.',
  );
});

it('no byte for as long as is borne ends it as stale, over all connections', async () => {
  const { service, clock, ended } = follow({ maxSilence: 100_000 });
  const line = (await service.request()).open();
  await settle();
  await clock.advance(60_000);
  line.send(': heartbeat\n\n');
  await settle();
  line.end();
  await settle();
  for (let second = 0; second < 99; second += 1) await clock.advance(1000);
  expect(await Promise.race([ended, settle().then(() => 'goes on')])).toBe('goes on');
  await clock.advance(1000);
  expect(await ended).toMatchObject({ kind: 'stale', code: 'stream_stale' });
});

it('an end that is wanted is taken at once, and the connection given back', async () => {
  const { service, until, ended, stop } = follow();
  const line = (await service.request()).open();
  await until(1);
  stop.abort(new Error('enough'));
  expect(await ended).toEqual(new Error('enough'));
  expect(line.isGone).toBe(true);
});

it('a follower that goes when the connection opens leaves none behind', async () => {
  const service = streamService();
  const { platform } = testPlatform({ fetch: service.fetch, sleeping: 'waits' });
  const wire = createWire({ platform, baseUrl: BASE, key: KEY });
  const following = followStream({ wire, ...platform }, { endpoint: STREAM, args: argsFor(STREAM, {}) });
  const first = following.next();
  const line = (await service.request()).open();
  expect((await first).value).toEqual({ kind: 'open' });
  await following.return();
  expect(line.isGone).toBe(true);
});
