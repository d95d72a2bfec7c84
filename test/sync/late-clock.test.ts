import { expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL } from '../support/service.ts';
import { DAY, syncWorld } from './world.ts';

it('a clock forty days behind the service does not call a series complete without a row that the feed named', async () => {
  const service = await syncWorld();
  const { platform, clock } = testPlatform({ now: new Date(service.clock.now() - 40 * DAY).toISOString() });
  const mirror = await freshMirror(platform, 'behind.db');
  const client = createClient({
    platform: { ...platform, fetch: service.service.fetch },
    baseUrl: SERVICE_URL,
    key: 'k-test',
  });
  const sync = async () => {
    const select = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
    const targets = await selectTargets(['announcements usd inflation'], select);
    return (await runSync({ client, mirror, clock, targets, maxAge: 0 })).outcome;
  };
  const dates = async () => {
    const [series] = await mirror.find({
      endpoint: 'announcements',
      scope: { currency: 'USD', indicator: 'inflation' },
    });
    return series ? (await mirror.rows(series, { from: '2026-09-01' })).map(({ columns }) => columns.date) : [];
  };
  expect([await sync(), await dates()]).toEqual(['complete', ['2026-10-31', '2026-09-30']]);
  await clock.advance(DAY);
  await service.clock.advance(DAY);
  await service.release({ currency: 'USD', indicator: 'inflation', date: '2026-11-30', val: 3.2 });
  expect([await sync(), await dates()]).toEqual(['complete', ['2026-11-30', '2026-10-31', '2026-09-30']]);
});
