import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOver } from '../../src/client/quota/ledger.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { INTERFACE } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { parseKeys } from '../../src/serve/access/keys.ts';
import { createServer } from '../../src/serve/create.ts';
import { LABELS } from '../../src/source/labels.ts';
import { openHere } from '../mirror/children/world.ts';
import { page, rate } from '../mirror/support.ts';
import { ensureBuilt } from '../support/built.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { freshMirror } from '../support/service.ts';
import { startSandbox, startServing } from '../support/serving.ts';
import { HOUR } from '../support/told-hour.ts';

const TEXT = '# HELP x y\n# TYPE x gauge\nx 1\n';

async function served(more: {
  keys?: string;
  metrics?: () => Promise<string>;
  endpoints?: readonly Endpoint[];
  mirror?: Mirror;
}) {
  const { platform } = testPlatform();
  const keys = more.keys === undefined ? undefined : parseKeys(more.keys);
  const options = {
    labels: LABELS,
    boundTo: '127.0.0.1',
    ...(keys && { keys: () => keys }),
  };
  const source = { ask: () => Promise.reject(new Error('asked')) };
  const { endpoints = [], mirror, metrics } = more;
  return createServer({ source, endpoints, platform, options, metrics, ...(mirror && { mirror }) });
}

const ask = async (app: Awaited<ReturnType<typeof served>>, headers: Record<string, string> = {}, method = 'GET') => {
  const {
    statusCode,
    body,
    headers: got,
  } = await app.inject({
    ...{ method: method === 'GET' ? 'GET' : 'POST', url: '/metrics' },
    headers: { host: '127.0.0.1', ...headers },
  });
  return { status: statusCode, body, type: got['content-type'], allow: got.allow };
};

describe('/metrics', () => {
  it('is not there unless it was asked for', async () => {
    expect((await ask(await served({}))).status).toBe(404);
  });

  it('is the text, as Prometheus wants its type', async () => {
    const app = await served({ metrics: async () => TEXT });
    const { status, body, type } = await ask(app);
    expect([status, body.slice(0, TEXT.length), type]).toEqual([200, TEXT, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await ask(app, {}, 'POST')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
    expect((await ask(app, { host: 'elsewhere.example' })).status).toBe(403);
  });

  it('needs a key where a list says who may ask', async () => {
    const app = await served({ metrics: async () => TEXT, keys: 'key-of-a-reader individual reader\n' });
    expect([(await ask(app)).status, (await ask(app, { 'x-api-key': 'key-of-another-reader' })).status]).toEqual([
      401, 401,
    ]);
    expect((await ask(app, { authorization: 'Bearer key-of-a-reader' })).body).toContain(TEXT);
  });

  it('speaks of the generated mirror where that is served', { timeout: 60_000 }, async () => {
    const serving = await startSandbox(freshFolder(), ['--metrics']);
    try {
      const text = await (await fetch(`${serving.origin}/metrics`)).text();
      expect(text).toContain('\nmacro_mirror_readable 1\n');
    } finally {
      await serving.stop();
    }
  });

  it.skipIf(POSTGRES_BIN === undefined)(
    'counts what machines share of a mirror on a server',
    { timeout: 60_000 },
    async () => {
      await ensureBuilt();
      const address = await freshAddress();
      const mirror = await openHere(address);
      await mirror.commitPage(page([rate('2026-11-19', 1.1)]));
      const account = mirror.shared?.account({ service: 'https://api.example.test', access: 'keyless' });
      if (!account) throw new Error('A mirror on a server shares accounts');
      const [books, now] = [ledgerOver(account, 'keyless'), Date.now()];
      const { granted } = await books.reserve({
        route: 'GET /v1/x',
        priority: 'interactive',
        pid: 1,
        now,
        lease: 60_000,
      });
      if (!granted) throw new Error('The first request leaves');
      await books.settle(granted, { kind: 'told', report: HOUR }, now);
      await books.close();
      mirror.close();
      const env = { MACRO_HOME: freshFolder(), MACRO_BASE_URL: 'https://api.example.test' };
      const serving = await startServing(['--mirror', address, '--open', '--metrics'], env);
      try {
        const answer = await fetch(`${serving.origin}/metrics`);
        const text = await answer.text();
        expect([answer.status, text]).toEqual([200, expect.stringMatching(/^macro_pool_waiting 0$/m)]);
        // The hour may be over by now.
        expect(text).toMatch(/^macro_quota_left{budget="hour"} (40|5000)$/m);
      } finally {
        await serving.stop();
      }
    },
  );

  it('counts requests by route and status, and how long they took', async () => {
    const mirror = await freshMirror(testPlatform().platform);
    const app = await served({ metrics: async () => TEXT, endpoints: INTERFACE, mirror });
    for (const url of ['/v1/ping', '/v1/ping', '/v1/nowhere/1', '/v1/nowhere/2'])
      await app.inject({ url, headers: { host: '127.0.0.1' } });
    const { body } = await ask(app);
    const counted = body.split('\n').filter((line) => /^macro_(?!.*_(bucket|sum|bytes_total){)/.test(line));
    expect(counted).toEqual([
      // The source of this test refuses every question.
      'macro_http_requests_total{route="/v1/ping",status="500"} 2',
      'macro_http_requests_total{route="none",status="404"} 2',
      'macro_http_request_duration_seconds_count{route="/v1/ping"} 2',
      'macro_http_request_duration_seconds_count{route="none"} 2',
      'macro_cache_hits_total 0',
      'macro_open_streams 0',
      'macro_outbox_deliveries 0',
      'macro_outbox_oldest_seconds 0',
    ]);
  });

  it('has every metric that the alert rules and the dashboard read', async () => {
    const [alerts, dashboard, table] = ['service/alerts.yml', 'service/dashboard.json', 'operations.md'].map((name) =>
      readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8'),
    );
    const named = new Set(`${alerts}${dashboard}`.match(/\bmacro_\w+/g));
    const known = new Set(table?.match(/\bmacro_\w+/g)?.flatMap((name) => [name, `${name}_bucket`, `${name}_count`]));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
    expect(JSON.parse(dashboard ?? '').panels.length).toBeGreaterThan(5);
  });
});
