import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { SERVICE_URL, sandboxMirror, sandboxPath, serviceOver } from '../support/service.ts';

const NOW = '2026-11-20T15:00:00Z';
const KEY = 'k-test-secret-0123456789';
const ASK = 'announcements usd inflation --live --format json';

beforeAll(() => sandboxPath(testPlatform({ now: NOW }).platform), 120_000);

async function recorded() {
  const upstream = testPlatform({ now: NOW });
  const service = await serviceOver(await sandboxMirror(upstream.platform), upstream.platform);
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: KEY };
  const at = testPlatform({ now: NOW, env, fetch: service.fetch });
  const folder = join(at.folder, 'answers');
  const live = await macro(`${ASK} --record ${folder}`, at);
  return { live, folder, files: at.platform.files };
}

it('answers of the service are kept without the key, and given again without a service', async () => {
  const { live, folder, files } = await recorded();
  expect(live.code).toBe(0);
  const texts = files.list(folder).map((name) => files.readText(join(folder, name)));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
  // No fetch is there: a request would fail loudly. The address of the service is another one.
  const env = { MACRO_BASE_URL: 'http://127.0.0.1:8788', MACRO_API_KEY: 'another-key-0123456789' };
  const again = await macro(`${ASK} --replay ${folder}`, testPlatform({ now: NOW, env }));
  expect([again.code, again.err, again.out === live.out]).toEqual([0, live.err, true]);
});

it('a question that was not recorded is not found', async () => {
  const { folder } = await recorded();
  const env = { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: KEY };
  const { code, err } = await macro(
    `announcements eur inflation --live --replay ${folder}`,
    testPlatform({ now: NOW, env }),
  );
  expect(code).toBe(3);
  expect(err).toContain('No answer was recorded for GET /v1/announcements/EUR/inflation');
});
