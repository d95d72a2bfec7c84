import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { SERVICE_URL } from '../support/service.ts';
import { syncWorld } from './world.ts';

describe('a sync of a service that is a mirror with holes', () => {
  it.each(['fx eur usd', 'announcements usd inflation', 'press usd', 'fx sources', 'calendar usd'])(
    'of %s keeps the rows, proves nothing and says so',
    async (words) => {
      const { at, service, mirror, clock } = await syncWorld();
      const fetch: Fetch = async (url, init) => {
        const { body, status, headers } = await service.fetch(url, init);
        return new Response(body, { status, headers: { ...Object.fromEntries(headers), 'x-svc-mirror': 'partial' } });
      };
      const client = createClient({ platform: { ...at.platform, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
      const select = { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] };
      const targets = await selectTargets(words.split(' '), select);
      const report = await runSync({ client, mirror, clock, targets });
      const [series] = await mirror.find({ endpoint: targets[0]?.endpoint.id ?? '', scope: {} });
      if (!series) throw new Error('nothing was kept');
      const held = (await mirror.count(series, {})) > 0;
      const problems = report.series.map(({ problem }) => problem && [problem.code, problem.message, problem.hint]);
      expect([held, report.outcome, await mirror.coveredRanges(series, 'keyless'), problems[0]]).toEqual([
        true,
        'incomplete',
        [],
        [
          'mirror_incomplete',
          'The service itself has only part of it, so nothing of it counts as complete.',
          'Whoever runs that server can bring it; macro sync at this end cannot.',
        ],
      ]);
    },
  );
});
