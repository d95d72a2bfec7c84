import { expect, test } from 'vitest';
import type { ServeOptions } from '../../src/serve/options.ts';
import type { PageMaker } from '../../src/source/answer/made-page.ts';
import type { Source } from '../../src/source/source.ts';
import { scriptedSource } from './scripted-source.ts';
import { get, pairMirror } from './shortcut-bench.ts';

const KEY = 'X-API-Key: a-key';
const PAGE = get('/v1/forex/EUR/USD?limit=2', KEY);

/** More than the system takes of an answer that nobody reads. */
const LARGE = { body: { text: 'x'.repeat(12_000_000) } };
const LARGE_PAGE = get('/v1/calendar/usd', KEY);

/** A server that knows a request, and a connection that is between two requests. */
async function known() {
  const { serve } = await pairMirror();
  const { peer, parsed } = await serve({ quotas: false });
  const one = await peer();
  for (let i = 0; i < 3; i += 1) await one.ask(PAGE);
  const whole = await one.ask(PAGE);
  return { ...one, whole, parsed, peer };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const withoutName = (answer: string) => answer.replace(/req_\w*/, '');

test('a known request is answered as one that came in two pieces, wherever it is cut', async () => {
  const { say, answer, ask, whole } = await known();
  for (let at = 1; at < PAGE.length; at += 1) {
    say(PAGE.slice(0, at));
    await turn();
    await turn();
    say(PAGE.slice(at));
    expect(withoutName(await answer())).toBe(withoutName(whole));
    expect(withoutName(await ask(PAGE))).toBe(withoutName(whole));
  }
});

test.each([
  ['two requests', PAGE.repeat(2), 2],
  ['twenty requests', PAGE.repeat(20), 20],
  ['a request behind an empty line', `\r\n${PAGE}`, 1],
  ['a request and one with a body', `${PAGE}${get('/v1/forex/EUR/USD?limit=2', KEY, 'Content-Length: 3')}abc`, 2],
])('%s in one piece have as many answers, in their order', async (_, bytes, count) => {
  const { say, answer, ask, whole } = await known();
  say(bytes);
  for (let i = 0; i < count; i += 1) expect(withoutName(await answer())).toBe(withoutName(whole));
  expect(withoutName(await ask(PAGE))).toBe(withoutName(whole));
});

test('a question that the source is asked is answered before what comes behind it', async () => {
  const { serve } = await pairMirror();
  const scripted = scriptedSource();
  const asked = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const source: Source = {
    async ask(question, context) {
      if (question.args.offset === 1) {
        asked.resolve();
        await told.promise;
      }
      return scripted.ask(question, context);
    },
  };
  const { peer, parsed } = await serve({ quotas: false }, { source });
  const one = await peer();
  for (let i = 0; i < 3; i += 1) await one.ask(get('/v1/forex/EUR/USD?offset=0', KEY));
  const before = parsed();
  one.say(get('/v1/forex/EUR/USD?offset=1', KEY));
  await asked.promise;
  one.say(get('/v1/nowhere', KEY));
  await turn();
  told.resolve();
  const answers = [await one.answer(), await one.answer()];
  expect([answers.map((answer) => answer.slice(9, 12)), parsed()]).toEqual([['200', '404'], before + 1]);
});

test('what looks like a known request within a body is a body', async () => {
  const { say, answer, whole, parsed } = await known();
  const before = parsed();
  say(`POST /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${PAGE.length}\r\n\r\n`);
  await turn();
  await turn();
  say(PAGE);
  expect(await answer()).toMatch(/^HTTP\/1\.1 405 /);
  say(PAGE);
  expect(withoutName(await answer())).toBe(withoutName(whole));
  expect(parsed()).toBe(before + 2);
});

test('what looks like a known request within a header is a header', async () => {
  const { say, answer, ask, whole } = await known();
  say('GET /v1/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Odd: ');
  await turn();
  await turn();
  say(PAGE);
  expect(await answer()).toMatch(/^HTTP\/1\.1 200 [\s\S]*"status":"ok"/);
  expect(withoutName(await ask(PAGE))).toBe(withoutName(whole));
});

/** A server whose answers are large, known already, and read only when the test does. */
async function largeOnes(bounds: { readonly unreadBytes: number }) {
  const source = scriptedSource();
  source.says(() => LARGE);
  const { serve } = await pairMirror();
  const server = await serve({}, { source, bounds });
  const first = await server.peer();
  for (let i = 0; i < 3; i += 1) await first.ask(LARGE_PAGE);
  const slow = async () => {
    const one = await server.peer();
    // The first request of a connection is the parser's.
    await one.ask(get('/v1/calendar/usd', KEY, 'If-None-Match: *'));
    one.socket.pause();
    one.say(LARGE_PAGE);
    return one;
  };
  return { ...server, slow };
}

test('an answer that its reader does not take holds a slot', async () => {
  const { slow, peer, parsed } = await largeOnes({ unreadBytes: 1_000_000_000 });
  const before = parsed();
  const readers = [];
  for (let i = 0; i < 20; i += 1) readers.push(await slow());
  // Past the parser went all that is large.
  expect(parsed()).toBe(before + 20);
  const other = await peer();
  const asked = () => other.ask(get('/v1/calendar/usd', KEY, 'If-None-Match: *'));
  await expect.poll(async () => (await asked()).slice(9, 12)).toBe('429');
  const [first] = readers;
  first?.socket.resume();
  expect(await first?.answer()).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(async () => (await asked()).slice(9, 12)).toBe('304');
});

test('a request behind an answer that is not taken waits for it, and both come whole', async () => {
  const { slow } = await largeOnes({ unreadBytes: 1_000_000_000 });
  const one = await slow();
  await turn();
  one.say(get('/v1/ping', KEY));
  await turn();
  one.socket.resume();
  expect((await one.answer()).length).toBeGreaterThan(12_000_000);
  expect(await one.answer()).toMatch(/^HTTP\/1\.1 200 /);
});

test('answers that nobody takes are bounded: the peer that has not read for longest is cut', async () => {
  const { slow } = await largeOnes({ unreadBytes: 13_000_000 });
  const readers = [];
  for (let i = 0; i < 6; i += 1) readers.push(await slow());
  const [first] = readers;
  first?.socket.resume();
  expect((await first?.answer())?.length).toBeLessThan(12_000_000);
});

/** A server whose pages beyond the first one are made by `make`. */
async function made(make: PageMaker['make'], options: Partial<ServeOptions> = {}) {
  const { serve } = await pairMirror();
  const scripted = scriptedSource();
  const pages = { make, until: Number.POSITIVE_INFINITY, total: 9, reach: 9 };
  const source: Source = { ask: async (question, context) => ({ ...(await scripted.ask(question, context)), pages }) };
  const said: string[] = [];
  const server = await serve(options, { source, log: (line) => void said.push(line) });
  return { ...server, said };
}

const pageAt = (offset: number) => get(`/v1/forex/EUR/USD?offset=${offset}`, KEY);

test('a page that cannot be made is told to be our fault, each time', async () => {
  const { peer } = await made(() => {
    throw new Error('no such page');
  });
  const one = await peer();
  const told = [];
  for (let offset = 0; offset < 5; offset += 1) told.push((await one.ask(pageAt(offset))).slice(9, 12));
  expect(told).toEqual(['200', '500', '500', '500', '500']);
  expect((await one.ask(pageAt(0))).slice(9, 12)).toBe('500');
});

test('a page that cannot be sent is counted once, and told to be our fault', async () => {
  const { peer, said } = await made(() => {
    const broken = new Uint8Array(3);
    Object.defineProperty(broken, 'length', {
      get() {
        throw new Error('no such bytes');
      },
    });
    return { etag: '"a"', parts: [broken] };
  });
  const leftAfter = async (bytes: string, from: { ask(bytes: string): Promise<string> }) =>
    /^RateLimit-Remaining: (\d+)/m.exec(await from.ask(bytes))?.[1];
  const one = await peer();
  expect([await leftAfter(pageAt(0), one), await leftAfter(pageAt(1), one)]).toEqual(['299', '298']);
  expect(await leftAfter(pageAt(2), one)).toBe('297');
  expect(await leftAfter(pageAt(3), await peer())).toBe('296');
  expect(said.map((line) => /failed: .*/.exec(line)?.[0])).toEqual(Array(3).fill('failed: Error: no such bytes'));
  // Nothing holds a slot: twenty more go through.
  const all = await Promise.all(Array.from({ length: 20 }, peer));
  const told = await Promise.all(all.map((each) => each.ask(get('/v1/ping', KEY))));
  expect(told.map((each) => each.slice(9, 12))).toEqual(Array(20).fill('200'));
});
