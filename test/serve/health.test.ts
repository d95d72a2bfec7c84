import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import { createServer } from '../../src/serve/create.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, scriptedSource } from './scripted-source.ts';

async function served(find: () => Promise<[]> = async () => []) {
  const app = await createServer({
    ...{
      source: scriptedSource(),
      endpoints: ENDPOINTS,
      platform: testPlatform().platform,
      options: { labels: LABELS },
    },
    mirror: { look: async () => 1, find },
  });
  const ask = async (url: string) => {
    const { statusCode, body, headers } = await app.inject(url);
    return [statusCode, body && JSON.parse(body), headers['cache-control']];
  };
  return { app, ask };
}

describe('what a supervisor asks', () => {
  it('is answered while the mirror can be read', async () => {
    const { ask } = await served();
    expect([await ask('/healthz'), await ask('/readyz')]).toEqual(Array(2).fill([200, { status: 'ok' }, 'no-store']));
  });

  it('says that the server lives but is not ready when the mirror cannot be read', async () => {
    const { ask } = await served(async () => {
      throw new MacroError('mirror', 'The file is damaged.');
    });
    const problem = { status: 'unavailable', detail: 'the mirror cannot be read' };
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }, 'no-store']);
    expect(await ask('/readyz')).toEqual([503, problem, 'no-store']);
  });

  it('costs no quota and needs no key', async () => {
    const { app } = await served();
    const { headers } = await app.inject('/readyz');
    expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});

describe('every answer', () => {
  it.each(['/', '/v1/ping', '/v1/forex/EUR/USD', '/nowhere', '/healthz', '/openapi.json', '/v1/ping?api_key='])(
    '%s leads to the description of the routes',
    async (url) => {
      const { app } = await served();
      expect((await app.inject(url)).headers.link).toMatch(/^<\/openapi\.json>; rel="service-desc"(,|$)/);
    },
  );
});
