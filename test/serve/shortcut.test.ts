import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_MEMORY_BYTES, processMemory } from '../../src/contract/memory-budget.ts';
import { parseKeys } from '../../src/serve/access/keys.ts';
import type { ServeOptions } from '../../src/serve/options.ts';
import type { Shortfall } from '../../src/source/coverage/shortfall.ts';
import type { Source } from '../../src/source/source.ts';
import { scriptedSource } from './scripted-source.ts';
import { get, pairMirror } from './shortcut-bench.ts';

const PAIR = '/v1/forex/EUR/USD';
const KEY = 'X-API-Key: a-key';

/** Asks a server that takes shortcuts and one that takes none the same, in turn: a log sees each request, so that none is left out. */
async function beside(options: Partial<ServeOptions> = {}, heldFrom?: string) {
  const { serve, ...world } = await pairMirror(heldFrom);
  const short = await serve(options);
  const whole = await serve(options, { onRequest: () => undefined });
  const [one, other] = [await short.peer(), await whole.peer()];
  let asked = 0;
  return {
    ...world,
    /** The answer of both, where it is one, and how many requests went past the parser. */
    async ask(bytes: string) {
      asked += 1;
      const [told, expected] = [await one.ask(bytes), await other.ask(bytes)];
      expect(told).toBe(expected);
      return told;
    },
    past: () => asked - short.parsed(),
    isWhole: () => whole.parsed() === asked,
  };
}

const withoutName = (answer: string) => answer.replace(/req_\w*/, '');
const statusIn = (answer: string) => Number(answer.slice(9, 12));
const headerIn = (answer: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(answer)?.[1];
const dataIn = (answer: string): readonly { readonly val: number }[] =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).data;

async function times(count: number, ask: () => Promise<string>): Promise<readonly string[]> {
  const told: string[] = [];
  for (let i = 0; i < count; i += 1) told.push(await ask());
  return told;
}

test.each([
  ['a page', [get(`${PAIR}?limit=20`, KEY)]],
  ['a bearer', [get(`${PAIR}?limit=20`, 'Authorization: Bearer a-key')]],
  ['a browser', [get(PAIR, KEY, 'Connection: keep-alive', 'User-Agent: \u00e4 b', 'sec-fetch-mode: cors')]],
  ['any validator', [get(PAIR, KEY, 'If-None-Match: *')]],
  ['a compressed page', [get(PAIR, KEY, 'Accept-Encoding: br, gzip')]],
  ['a caller without a key', [get('/v1/openapi.json')]],
  ['an ignored parameter', [get(`${PAIR}?limit=20&colour=red`, KEY)]],
  ['a window', [get(`${PAIR}?start_date=2026-10-01&end_date=2026-11-01&limit=5`, KEY)]],
  ['an encoded query', [get(`${PAIR}?indicators=sma_20%2Crsi_14&limit=5`, KEY)]],
  ['other prefixes', [get('/api/v1/forex/eur/usd/', KEY)]],
  ['the page of a feed', [get('/v1/announcements/changes', KEY)]],
  ['a window that is no date', [get(`${PAIR}?start_date=soon`, KEY)]],
  ['a pair that is not mirrored', [get('/v1/forex/GBP/JPY', KEY)]],
  [
    'each form of a page in turn',
    ['Accept: *', 'Accept-Encoding: gzip', 'If-None-Match: *'].map((one) => get(PAIR, KEY, one)),
  ],
  ['two paths in turn', [get(`${PAIR}?limit=2`, KEY), get('/v1/openapi.json', KEY)]],
])('%s is answered without the parser as it is with it', async (_, requests) => {
  const { ask, past, isWhole } = await beside();
  await times(5, async () => {
    for (const one of requests) await ask(one);
    return '';
  });
  expect([past() >= 3, isWhole()]).toEqual([true, true]);
});

test('pages that nobody asked for before are answered without the parser, as they are with it', async () => {
  const { ask, past } = await beside();
  const told = [];
  for (let offset = 0; offset < 20; offset += 1) told.push(await ask(get(`${PAIR}?limit=3&offset=${offset}`, KEY)));
  expect(told.map((one) => dataIn(one).map(({ val }) => val))).toEqual(
    Array.from({ length: 20 }, (_, i) => [i + 1, i + 2, i + 3]),
  );
  expect(past()).toBe(18);
});

test('who holds the page gets 304', async () => {
  const { ask, past } = await beside();
  const etag = headerIn(await ask(get(PAIR, KEY)), 'ETag');
  const told = await times(4, () => ask(get(PAIR, KEY, `If-None-Match: ${etag}`)));
  expect([told.map(statusIn), past()]).toEqual([[304, 304, 304, 304], 3]);
});

const HELD_FROM = '2026-10-01';
const LACKING = get(`${PAIR}?start_date=2020-01-01`, KEY);

test('an answer that the mirror can give in part says so each time, and nobody may keep it', async () => {
  const { ask, past } = await beside({}, HELD_FROM);
  const told = await times(4, () => ask(LACKING));
  const said = (one: string) => ['X-SVC-Mirror', 'Cache-Control'].map((name) => headerIn(one, name));
  expect([told.map(statusIn), told.map(said)]).toEqual([Array(4).fill(200), Array(4).fill(['partial', 'no-store'])]);
  // It has no validator, so it is asked anew.
  expect([told.map((one) => headerIn(one, 'ETag')), past()]).toEqual([Array(4).fill(undefined), 2]);
  // A window that is held whole is no part of it.
  const whole = await times(4, () => ask(get(`${PAIR}?start_date=${HELD_FROM}`, KEY)));
  expect(whole.map(said)).toEqual(Array(4).fill(['complete', 'private, max-age=0, must-revalidate']));
});

test('a part that a source vouches for is told to be one past the parser too', async () => {
  const { serve } = await pairMirror();
  const mark = { complete: false, missing: [] } as const;
  const shortfall: Shortfall = { mark, lacks: [], cures: [], holder: 'mirror' };
  const scripted = scriptedSource();
  const source: Source = { ask: async (...asked) => ({ ...(await scripted.ask(...asked)), shortfall }) };
  const { peer, parsed } = await serve({}, { source });
  const one = await peer();
  const told = await times(4, () => one.ask(get(PAIR, KEY)));
  const said = told.map((each) => [headerIn(each, 'X-SVC-Mirror'), headerIn(each, 'Cache-Control')]);
  expect([said, parsed()]).toEqual([Array(4).fill(['partial', 'no-store']), 2]);
});

test('a strict server refuses each time what the mirror can give in part', async () => {
  const { ask } = await beside({ strict: true }, HELD_FROM);
  expect((await times(4, () => ask(LACKING))).map(statusIn)).toEqual(Array(4).fill(503));
});

test('thousands of spellings of headers take no more than the memory that there is', async () => {
  const room = 1_000_000;
  onTestFinished(() => processMemory.resize(DEFAULT_MEMORY_BYTES));
  const { serve } = await pairMirror();
  const { peer, parsed } = await serve({ quotas: false });
  const one = await peer();
  await one.ask(get('/v1/ping', KEY));
  processMemory.resize(room);
  const spelled = (i: number) => get(PAIR, KEY, `X-Odd: ${i} ${'y'.repeat(1_500)}`);
  for (let i = 0; i < 3_000; i += 1) await one.ask(spelled(i));
  const used = processMemory.used();
  expect([used > room / 2, used <= room, parsed()]).toEqual([true, true, 3_001]);
  const [newest, oldest] = [spelled(2_999), spelled(0)];
  expect(withoutName(await one.ask(newest))).toBe(withoutName(await one.ask(oldest)));
  expect(parsed()).toBe(3_002);
});

test('a commit shows in the next answer', async () => {
  const { ask, commit, past } = await beside();
  const request = get(`${PAIR}?limit=2`, KEY);
  await times(4, () => ask(request));
  await commit(100);
  const told = await times(3, () => ask(request));
  expect(told.map((one) => dataIn(one).map(({ val }) => val))).toEqual(Array(3).fill([100, 101]));
  expect(past()).toBeGreaterThan(2);
});

test('budgets are charged, refuse and begin anew as they do otherwise', async () => {
  const { ask, clock, past } = await beside();
  const request = get(`${PAIR}?limit=2`, KEY);
  const told = await times(302, () => ask(request));
  expect(told.map(statusIn)).toEqual([...Array(300).fill(200), 429, 429]);
  expect([headerIn(told[299] ?? '', 'RateLimit-Remaining'), headerIn(told[301] ?? '', 'Retry-After')]).toEqual([
    '0',
    '47',
  ]);
  expect(past()).toBe(298);
  await clock.advance(47_000);
  expect(headerIn(await ask(request), 'RateLimit-Remaining')).toBe('299');
  // The month ends nine days later.
  await clock.advance(843_180_000);
  const again = await times(2, () => ask(request));
  expect(again.map((one) => headerIn(one, 'RateLimit-Policy'))).toEqual(
    Array(2).fill('300;w=60, 5000;w=3600, 1000000;w=2678400'),
  );
});

test.each<readonly [string, Partial<ServeOptions>]>([
  ['no budgets', { quotas: false }],
  ['an open server', { open: true }],
  ['a strict server', { strict: true }],
  ['another prefix', { headerPrefix: 'X-Mine' }],
  ['a list of keys', { keys: parseKeys('a-key basic desk\nanother business\n') }],
  ['a bound host', { boundTo: '127.0.0.1' }],
])('%s changes nothing of it', async (_, options) => {
  const { ask, past } = await beside(options);
  await times(4, () => ask(get(`${PAIR}?limit=20`, KEY)));
  await times(4, () => ask(get('/v1/openapi.json')));
  expect(past()).toBeGreaterThan(3);
});

test.each([
  ['another verb', get(PAIR, KEY).replace('GET', 'HEAD')],
  ['a key in the address', get(`${PAIR}?api_key=a-key`)],
  ['an encoded address', get('/v1/forex/EU%52/USD', KEY)],
  ['a key in an encoded address', get(`${PAIR}?api%5fkey=a-key`)],
  ['half of an encoded query', get(`${PAIR}?colour=%2`, KEY)],
  ['a whole address', get(`http://127.0.0.1${PAIR}`, KEY)],
  ['a deprecated route', get('/v1/data_catalogue/USD/capabilities', KEY)],
  ['an unknown path', get('/v1/nowhere', KEY)],
  ['a body', `${get(PAIR, KEY, 'Content-Length: 2')}{}`],
  ['an expectation', get(PAIR, KEY, 'Expect: 100-continue')],
  ['a trailer', get(PAIR, KEY, 'TE: trailers')],
  ['an upgrade', get(PAIR, KEY, 'Upgrade: h2c')],
  ['a blank line before it', `\r\n${get(PAIR, KEY)}`],
])('%s is left to the parser', async (_, request) => {
  const { serve } = await pairMirror();
  const { peer, parsed } = await serve();
  for (let round = 1; round <= 3; round += 1) {
    const one = await peer();
    await one.ask(get(PAIR, KEY, `X-Round: ${round}`));
    one.say(request);
    await expect.poll(parsed).toBe(2 * round);
  }
});

test.each([
  ['a key that is not on the list', get(PAIR, 'X-API-Key: unknown'), 401],
  ['a foreign name', get(PAIR, KEY).replace('127.0.0.1', 'evil.example'), 403],
])('%s is refused each time', async (_, request, status) => {
  const { ask, past } = await beside({ keys: parseKeys('a-key individual desk\n'), boundTo: '127.0.0.1' });
  await times(4, () => ask(get(PAIR, KEY)));
  const told = await times(4, () => ask(request));
  expect([told.map(statusIn), past()]).toEqual([Array(4).fill(status), 2]);
});
