import { expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

it('a list whose total moves under a walk is walked again, and its first page does not pass for all of it', async () => {
  const { platform, clock } = testPlatform({ now: '2026-11-20T15:00:00Z' });
  const upstream = await sandboxMirror(platform);
  const service = await serviceOver(upstream, platform);
  const mirror = await freshMirror(platform);
  let hiccups = 1;
  const fetch: Fetch = async (url, init) => {
    const answer = await service.fetch(url, init);
    if (!url.includes('offset=50') || hiccups === 0) return answer;
    hiccups -= 1;
    const text = (await answer.text()).replace(
      /("total_count":)(\d+)/,
      (_, name, total) => `${name}${Number(total) + 1}`,
    );
    return new Response(text, { headers: answer.headers });
  };
  const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  const select = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
  const targets = await selectTargets(['press usd'], select);
  const { outcome } = await runSync({ client, mirror, clock, targets, maxAge: 0 });
  const count = async (of: typeof mirror) => {
    const [series] = await of.find({ endpoint: 'press_releases', scope: { currency: 'USD' } });
    return series && of.count(series, {});
  };
  expect([outcome, hiccups, await count(mirror)]).toEqual(['complete', 0, await count(upstream)]);
});
