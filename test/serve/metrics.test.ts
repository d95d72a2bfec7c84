import { describe, expect, it } from 'vitest';
import { parseKeys } from '../../src/serve/access/keys.ts';
import { createServer } from '../../src/serve/create.ts';
import { LABELS } from '../../src/source/labels.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { startSandbox } from '../support/serving.ts';

const TEXT = '# HELP x y\n# TYPE x gauge\nx 1\n';

async function served(more: { keys?: string; metrics?: () => Promise<string> }) {
  const { platform } = testPlatform();
  const keys = more.keys === undefined ? undefined : parseKeys(more.keys);
  const options = {
    labels: LABELS,
    boundTo: '127.0.0.1',
    ...(keys && { keys: () => keys }),
  };
  const source = { ask: () => Promise.reject(new Error('asked')) };
  return createServer({ source, endpoints: [], platform, options, metrics: more.metrics });
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
    expect([status, body, type]).toEqual([200, TEXT, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await ask(app, {}, 'POST')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
    expect((await ask(app, { host: 'elsewhere.example' })).status).toBe(403);
  });

  it('needs a key where a list says who may ask', async () => {
    const app = await served({ metrics: async () => TEXT, keys: 'key-of-a-reader individual reader\n' });
    expect([(await ask(app)).status, (await ask(app, { 'x-api-key': 'key-of-another-reader' })).status]).toEqual([
      401, 401,
    ]);
    expect((await ask(app, { authorization: 'Bearer key-of-a-reader' })).body).toBe(TEXT);
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
});
