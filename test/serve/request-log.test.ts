import { expect, it, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { digestKey, parseKeys } from '../../src/serve/access/keys.ts';
import { createServer } from '../../src/serve/create.ts';
import { createFaults } from '../../src/serve/faults/fault-engine.ts';
import type { ServeOptions } from '../../src/serve/options.ts';
import type { LoggedRequest } from '../../src/serve/request-log.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';
import { askRaw } from './faults/support.ts';

const NOW = '2026-11-20T14:00:00Z';

async function logged(more: Partial<ServeOptions> = {}) {
  const { platform, clock } = testPlatform({ now: NOW });
  const mirror = await sandboxMirror(platform);
  const log: LoggedRequest[] = [];
  const heard: (() => void)[] = [];
  const app = await createServer({
    ...{ mirror, platform, endpoints: ENDPOINTS, source: createMirrorSource({ mirror, labels: LABELS }) },
    faults: createFaults({ rules: [], allowsHeader: true, clock }),
    onRequest(told) {
      log.push(told);
      heard.shift()?.();
    },
    options: { labels: LABELS, ...more },
  });
  onTestFinished(() => app.close());
  const { port } = new URL(await app.listen(0, '127.0.0.1'));
  /** Asks, and waits until the log has the request. */
  return async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const written = new Promise<void>((resolve) => heard.push(resolve));
    const answer = await askRaw({ port: Number(port) }, path, headers);
    await written;
    return { answer, told: log.at(-1) };
  };
}

const HISTORY = '/v1/announcements/usd/inflation?limit=3';

it('tells who asked for what, and what was sent', async () => {
  const ask = await logged();
  const { answer, told } = await ask(HISTORY);
  expect(told).toEqual({
    ...{ at: Date.parse(NOW), method: 'GET', path: HISTORY, caller: `key:${digestKey('test-key').slice(0, 8)}` },
    ...{ address: '127.0.0.1', status: 200, rows: 3, bytes: answer.bytes.length, ms: 0, from: 'mirror' },
    ...{ fault: undefined, id: answer.headers['x-request-id'] },
  });
});

it('counts the rows of a packed answer', async () => {
  const ask = await logged();
  const { answer, told } = await ask(HISTORY, { 'Accept-Encoding': 'gzip' });
  expect([answer.headers['content-encoding'], told?.rows]).toEqual(['gzip', 3]);
});

it('names callers without telling a key', async () => {
  const ask = await logged({ keys: () => parseKeys('good-key individual trading desk') });
  const caller = async (headers: Readonly<Record<string, string>>, path = '/v1/ping') =>
    (await ask(path, { 'X-API-Key': '', ...headers })).told;
  expect((await caller({ 'X-API-Key': 'good-key' }))?.caller).toBe('trading desk');
  expect((await caller({ Authorization: 'Bearer bad-key' }))?.caller).toBe('unknown');
  expect((await caller({}))?.caller).toBe('keyless');
  const query = await caller({}, '/v1/ping?x=1&%61pi_key=good-key');
  expect([query?.caller, query?.path]).toEqual(['trading desk', '/v1/ping?x=1&api_key=REDACTED']);
});

it('says that the answer came from the cache', async () => {
  const ask = await logged();
  const keyless = { 'X-API-Key': '' };
  const froms = [(await ask(HISTORY, keyless)).told?.from, (await ask(HISTORY, keyless)).told?.from];
  expect(froms).toEqual(['mirror', 'cache']);
});

it('tells what a fault made of an answer', async () => {
  const ask = await logged();
  const { told, answer } = await ask(HISTORY, { 'X-SVC-Fault': 'reset; bytes=10' });
  expect([told?.fault, told?.status, told?.bytes]).toEqual(['reset', 200, answer.bytes.length]);
  expect((await ask(HISTORY, { 'X-SVC-Fault': 'error; status=503' })).told).toMatchObject({
    ...{ status: 503, fault: 'error', rows: undefined, from: undefined },
  });
});
