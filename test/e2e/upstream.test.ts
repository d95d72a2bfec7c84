import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshFolder } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { type Serving, startSandbox, startServing } from '../support/serving.ts';
import { type Route, walkStrictly } from './clients/strict-walker.ts';

// `macro serve --upstream` with an empty mirror, and a sandbox that counts requests behind it: both the built program.

const WINDOW = { start_date: '2026-03-01', end_date: '2026-11-19' };
const route = (path: string, words: Route['words'] = WINDOW): Route => ({
  ...{ path, words, names: ['offset'], largestPage: 100 },
});
const ROUTES: readonly Route[] = [
  route('/v1/forex/EUR/USD'),
  route('/v1/forex/EUR/GBP'),
  route('/v1/forex/EUR/USD', { ...WINDOW, indicators: 'sma_20,rsi_14' }),
  route('/v1/announcements/usd/inflation'),
  route('/v1/announcements/usd/policy_rate'),
  route('/v1/commodities/gold'),
];
const KEYS = Array.from({ length: 25 }, (_, at) => `caller-${at}`);

async function started(mirror: readonly string[]) {
  const folder = freshFolder();
  const home = (name: string) => join(folder, name);
  const log = home('service.log');
  const service = await startSandbox(home('service'), ['--log', log, '--log-format', 'json'], { quotas: true });
  onTestFinished(() => service.stop());
  const keys = home('keys.txt');
  writeFileSync(keys, KEYS.map((key) => `${key} individual ${key}\n`).join(''));
  const env = { MACRO_HOME: home('front'), MACRO_BASE_URL: service.origin, MACRO_API_KEY: 'owner-key' };
  const front = await startServing(['--upstream', '--keys', keys, ...mirror], env);
  onTestFinished(() => front.stop());
  const statuses = () => {
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
  };
  return { service, front, statuses };
}

/** One caller, who keeps each page that it was given. */
function callerOf({ origin }: Serving, key: string) {
  const pages: unknown[] = [];
  const ask = async (address: string): Promise<unknown> => {
    const answer = await fetch(origin + address, { headers: { 'x-api-key': key } });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${address}: ${answer.status} ${body}`);
    const page = JSON.parse(body);
    // Whoever answers makes its own pin, and the sandbox lives on another day than the server before it.
    const { dataset_version: _, data_quality: quality, ...rest } = page;
    const { data_lag_days: __, is_stale: ___, ...steady } = quality ?? {};
    pages.push({ ...rest, quality: steady });
    return page;
  };
  return { ask, pages };
}

async function walked(serving: Serving, at: number): Promise<readonly unknown[]> {
  const { ask, pages } = callerOf(serving, KEYS[at % KEYS.length] ?? '');
  const own = ROUTES[at % ROUTES.length];
  if (own) await walkStrictly(ask, own, at % 2 === 0 ? 100 : 20);
  return pages;
}

const inParallel = (serving: Serving, callers: number) =>
  Promise.all(Array.from({ length: callers }, (_, at) => walked(serving, at)));

/** Fifty callers before a file. What they share is no matter of the engine: two of each route before a server. */
const MIRRORS: readonly (readonly [
  name: string,
  isHere: boolean,
  callers: number,
  () => Promise<readonly string[]>,
])[] = [
  ['a file', true, 50, async () => []],
  ['a server', POSTGRES_BIN !== undefined, 12, async () => ['--mirror', await freshAddress()]],
];

describe.each(MIRRORS.filter(([, isHere]) => isHere))('serve --upstream over %s', (_, __, callers, mirrorWords) => {
  it('gives many callers what the service gives, once for all of them, and says when nobody confirmed it', async () => {
    const { service, front, statuses } = await started(await mirrorWords());
    const first = await inParallel(front, callers);
    const spent = statuses().length;
    const second = await inParallel(front, callers);
    for (const [at, pages] of second.entries()) expect({ at, pages }).toEqual({ at, pages: first[at] });
    expect(statuses().length).toBe(spent);
    const requests = statuses();
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
    // Fewer than the pages of a single caller of each route.
    expect(requests.length).toBeLessThan(40);
    for (const [at, pages] of (await inParallel(service, callers)).entries())
      expect({ at, pages: first[at] }).toEqual({ at, pages });
    await service.kill();
    const whole = await fetch(`${front.origin}/v1/forex/EUR/USD?start_date=2026-03-01&end_date=2026-11-19`, {
      headers: { 'x-api-key': 'caller-1' },
    });
    expect([whole.status, whole.headers.get('cache-status'), whole.headers.get('warning')]).toEqual([
      200,
      'macro; hit',
      null,
    ]);
    const wider = await fetch(`${front.origin}/v1/forex/EUR/USD?start_date=2026-01-02&end_date=2026-11-19`, {
      headers: { 'x-api-key': 'caller-1' },
    });
    const { mirror } = JSON.parse(await wider.text());
    expect([wider.status, wider.headers.get('cache-status'), wider.headers.get('x-svc-mirror')]).toEqual([
      200,
      'macro; hit; detail=stale',
      'partial',
    ]);
    expect(wider.headers.get('warning')).toMatch(/^110 - "Response is stale\. /);
    expect(mirror.missing).toEqual([{ from: '2026-01-02', to: '2026-02-28' }]);
  }, 180_000);
});
