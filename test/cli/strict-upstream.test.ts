import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createServer } from '../../src/serve/create.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { cutMirror } from '../support/cut-mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { LABELS, SERVICE_URL, sandboxMirror } from '../support/service.ts';

/** `macro serve --strict` over a mirror that misses a week of EUR/USD, and what it was asked. */
async function strictService() {
  const { platform } = testPlatform();
  const series = { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } };
  const mirror = cutMirror(await sandboxMirror(platform), [
    { series, range: { from: '2026-10-01', to: '2026-10-07' } },
  ]);
  const source = createMirrorSource({ mirror, labels: LABELS });
  const options = { labels: LABELS, quotas: false, strict: true };
  const app = await createServer({ source, mirror, endpoints: ENDPOINTS, platform, options });
  const asked: string[] = [];
  const at = testPlatform({
    env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k-test' },
    fetch: async (url, { headers }) => {
      const { pathname, search } = new URL(url);
      asked.push(pathname);
      const told = Object.fromEntries(new Headers(headers).entries());
      const {
        statusCode,
        rawPayload,
        headers: heads,
      } = await app.inject({
        url: pathname + search,
        headers: { ...told, 'accept-encoding': 'identity' },
      });
      const plain = Object.entries(heads).map(([name, value]) => [name, String(value)] as [string, string]);
      return new Response(rawPayload, { status: statusCode, headers: plain });
    },
  });
  return { at, asked, close: () => app.close() };
}

it('a question that a strict server refuses in part is asked once, and ends with exit 10 and what it lacks', async () => {
  const { at, asked, close } = await strictService();
  const refused = await macro('fx eur usd --live --quiet --start 2026-10-01 --end 2026-10-31', at);
  expect([refused.code, refused.out, refused.err, asked]).toEqual([
    10,
    '',
    'macro: The mirror has only part of this answer. Missing: 2026-10-01 to 2026-10-07. Complete it with: macro sync fx eur usd.\n' +
      'Whoever runs that server can bring it; macro sync at this end cannot.\n',
    ['/v1/forex/EUR/USD'],
  ]);
  const whole = await macro(
    'fx eur usd --live --quiet --start 2026-10-12 --end 2026-10-16 --format csv --no-header',
    at,
  );
  expect([whole.code, whole.out.trim().split('\n').length]).toEqual([0, 5]);
  await close();
});
