import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { rowOf } from '../../src/sandbox/rows.ts';
import { testPlatform } from '../support/platform.ts';

const AT = Date.parse('2026-07-06T06:00:00Z');

/** A mirror of two days of one pair, and a series of which a caller without a key saw that its 90 days are empty. */
export async function makeMirror(path: string): Promise<void> {
  const { platform } = testPlatform({ now: AT });
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const values = [
    { date: '2026-07-03', val: 1.25 },
    { date: '2026-07-02', val: 1.5 },
  ];
  await mirror.commitPage({
    series: { origin: 'https://svc.example', endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } },
    nature: 'real',
    access: 'keyless',
    request: 'GET /v1/forex/EUR/USD',
    question: 'forex',
    rows: values.map((value) => rowOf('forex', value)),
    extent: 'adds',
    covered: { from: '2026-07-02', to: '2026-07-03', rows: 2 },
    at: AT,
  });
  await mirror.commitPage({
    series: {
      origin: 'https://svc.example',
      endpoint: 'announcements',
      scope: { currency: 'USD', indicator: 'inflation' },
    },
    nature: 'real',
    access: 'keyless',
    request: 'GET /v1/announcements/USD/inflation',
    question: 'announcements',
    rows: [],
    extent: 'adds',
    covered: { from: '2026-04-07', to: '2026-07-06', rows: 0 },
    at: AT,
  });
  mirror.close();
}
