import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import { createMemoryBudget } from '../../src/contract/memory-budget.ts';
import { BEGINNING, dateOf } from '../../src/contract/time/time.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Source } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { KEY, LABELS } from './scripted-source.ts';

const PATH = '/v1/forex/EUR/USD';
const DAYS = ['2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17', '2026-11-16'];

/** A server over a mirror of five days of a pair, to which another program writes as well. */
async function served() {
  const { platform, clock } = testPlatform();
  const open = () => openMirror({ mappings: MAPPINGS, platform, mode: 'write', path: join(platform.cwd, 'mirror.db') });
  const [own, other] = [await open(), await open()];
  onTestFinished(() => {
    own.close();
    other.close();
  });
  const commit = (vals: readonly number[], quote = 'USD') =>
    other.commitPage({
      series: { origin: 'https://s.test', endpoint: 'forex', scope: { base: 'EUR', quote } },
      nature: 'real',
      access: 'key:1',
      request: 'GET',
      question: 'forex',
      envelope: { text: asJsonText(`{"base":"EUR","quote":"${quote}"}`), inputs: 'all' },
      rows: DAYS.map((date, i) => ({
        text: asJsonText(`{"date":"${date}","val":${vals[i]}}`),
        value: { date, val: vals[i] ?? 0 },
      })),
      extent: 'replaces',
      proof: { from: BEGINNING, to: dateOf(clock.now()), rows: DAYS.length },
      at: clock.now(),
    });
  await commit([1.1, 1.2, 1.3, 1.4, 1.5]);
  let asked = 0;
  const source = createMirrorSource({ mirror: own, labels: LABELS });
  const counted: Source = {
    ask(question, context) {
      asked += 1;
      return source.ask(question, context);
    },
  };
  const serve = (from: Source) =>
    createServer({
      source: from,
      mirror: own,
      endpoints: ENDPOINTS,
      platform,
      options: { labels: LABELS, quotas: false },
    });
  const app = await serve(counted);
  /** Status, body and validator of an answer, and how often the source has been asked until then. */
  const ask = async (query: string, headers: Readonly<Record<string, string>> = KEY, path = PATH) => {
    const url = query === '' ? path : `${path}?${query}`;
    const { statusCode, payload, headers: own } = await app.inject({ url, headers });
    return { status: statusCode, payload, etag: own.etag, asked };
  };
  /** The same of a server that never answered before. */
  const anew = async (query: string) => {
    const fresh = await serve(createMirrorSource({ mirror: own, labels: LABELS, memory: createMemoryBudget(0) }));
    const { statusCode, payload, headers } = await fresh.inject({ url: `${PATH}?${query}`, headers: KEY });
    return { status: statusCode, payload, etag: headers.etag };
  };
  return { ask, anew, commit, clock };
}

const valsIn = (payload: string) => JSON.parse(payload).data.map(({ val }: { readonly val: number }) => val);

test('another page of a question is made without asking the source, and is the same as if it had been asked', async () => {
  const { ask, anew } = await served();
  await ask('start_date=2026-11-01&limit=2');
  for (const query of ['start_date=2026-11-01&limit=2&offset=2', 'limit=3&start_date=2026-11-01&offset=1'])
    expect(await ask(query)).toMatchObject(await anew(query));
  expect(await ask('start_date=2026-11-01&offset=4')).toMatchObject({
    ...(await anew('start_date=2026-11-01&offset=4')),
    asked: 1,
  });
});

test('a caller who has a page gets 304 for it, and another caller the whole', async () => {
  const { ask } = await served();
  await ask('start_date=2026-11-01&limit=2');
  const { etag, payload } = await ask('start_date=2026-11-01&limit=2&offset=2');
  const again = await ask('start_date=2026-11-01&limit=2&offset=2', { ...KEY, 'if-none-match': String(etag) });
  expect(again).toEqual({ status: 304, payload: '', etag, asked: 1 });
  expect(valsIn(payload)).toEqual([1.3, 1.4]);
});

test('a commit of another program ends the pages that were made before it', async () => {
  const { ask, commit } = await served();
  await ask('start_date=2026-11-01&limit=2');
  await commit([1.1, 1.2, 1.35, 1.4, 1.5]);
  const { payload, asked } = await ask('start_date=2026-11-01&limit=2&offset=2');
  expect([valsIn(payload), asked]).toEqual([[1.35, 1.4], 2]);
});

test('after a commit to another series a page is the same as if nothing had been answered', async () => {
  const { ask, anew, commit } = await served();
  const pages = ['start_date=2026-11-01&limit=2', 'start_date=2026-11-01&limit=2&offset=2'];
  for (const page of pages) await ask(page);
  await commit([2.1, 2.2, 2.3, 2.4, 2.5], 'GBP');
  for (const page of pages) expect(await ask(page)).toMatchObject(await anew(page));
  await commit([1.1, 1.2, 1.35, 1.4, 1.5]);
  for (const page of pages) expect(await ask(page)).toMatchObject(await anew(page));
  expect(valsIn((await ask('start_date=2026-11-01&limit=2&offset=2')).payload)).toEqual([1.35, 1.4]);
});

test('a question in other words is the same answer, however often it is asked', async () => {
  const { ask, anew, commit, clock } = await served();
  await ask('start_date=2026-11-01&limit=3');
  for (const words of ['n=1&start_date=2026-11-01&limit=3', 'start_date=2026-11-01&n=2&limit=3'])
    for (let time = 1; time <= 4; time += 1) {
      const told = await ask(words);
      expect(told).toMatchObject(await anew(words));
      expect(valsIn(told.payload)).toEqual([1.1, 1.2, 1.3]);
      const held = await ask(words, { ...KEY, 'if-none-match': String(told.etag) });
      expect([held.status, held.payload, held.etag]).toEqual([304, '', told.etag]);
      await clock.advance(1000);
    }
  await commit([1.15, 1.2, 1.3, 1.4, 1.5]);
  expect(valsIn((await ask('n=1&start_date=2026-11-01&limit=3')).payload)).toEqual([1.15, 1.2, 1.3]);
});

test('the end of the UTC day ends them too', async () => {
  const { ask, anew, clock } = await served();
  await ask('start_date=2026-11-01&limit=2');
  await clock.advance(24 * 60 * 60 * 1000);
  const query = 'start_date=2026-11-01&limit=2&offset=2';
  expect(await ask(query)).toEqual({ ...(await anew(query)), asked: 2 });
});

test.each([
  ['page=2', 'limit=2&page=2'],
  ['a repeated limit', 'limit=2&limit=3&offset=2'],
  ['an encoded name', 'limi%74=2&offset=2'],
  ['leading zeros', 'limit=02&offset=2'],
  ['a limit above the largest', 'limit=101'],
  ['no rows', 'limit=0'],
  ['a page behind the end', 'limit=2&offset=9'],
])('%s is read as if nothing had been answered', async (_, place) => {
  const { ask, anew } = await served();
  await ask('start_date=2026-11-01&limit=2');
  const query = `start_date=2026-11-01&${place}`;
  expect(await ask(query)).toMatchObject(await anew(query));
});

test('words of a place that stand in the path or within a value are no place', async () => {
  const { ask, anew } = await served();
  for (const query of ['', 'x=1?']) await ask(query);
  for (const query of ['x=1?limit=2', 'x=1?limit=2&offset=1'])
    expect(await ask(query)).toMatchObject(await anew(query));
  expect((await ask('', KEY, '/v1/forex/EUR/USD&limit=2')).status).toBe(422);
});
