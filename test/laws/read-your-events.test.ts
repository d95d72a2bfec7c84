import { describe, expect, it } from 'vitest';
import { asJsonText, parseObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { readEvent } from '../../src/contract/release-event.ts';
import { isoSeconds } from '../../src/contract/time/time.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { eventPage } from '../../src/mirror/rules/event-page.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { Source } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS, ownSandbox } from '../support/service.ts';

const KEYED = { kind: 'keyed', plan: 'individual' } as const;
const live: Source = { ask: () => Promise.reject(new Error('the service is not asked here')) };

/** Every route that shows releases of US inflation. */
const ROUTES: readonly (readonly [id: string, path: Readonly<Record<string, string>>])[] = [
  ['announcements', { currency: 'usd', indicator: 'inflation' }],
  ['latest_announcements_series', { currency: 'usd', indicator: 'inflation' }],
  ['announcements_recent_series', { currency: 'usd', indicator: 'inflation' }],
  ['announcements_recent', { currency: 'usd' }],
  ['announcements_latest', { currency: 'usd' }],
  ['latest_announcements', { currency: 'usd' }],
];

/** Notes an event as a stream or a webhook brings it: a second after everything that the mirror was told. */
async function noteEvent(mirror: Mirror, at: number, via: 'stream' | 'webhook' | 'changes') {
  const [series] = await mirror.find({ endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' } });
  if (!series) throw new Error('no series');
  const second = Math.floor(at / 1000);
  const text = asJsonText(
    JSON.stringify({
      event: 'announcement',
      event_id: 'usd_inflation_new',
      timestamp: isoSeconds(second),
      currency: 'usd',
      indicator: 'inflation',
      latest_announcement: { date: '2026-10-31', val: 9.9 },
    }),
  );
  const row = { text, value: parseObject(text) };
  expect(readEvent(text).timestamp).toBe(second);
  const { nature = 'synthetic' } = await mirror.stamp();
  await mirror.commitPage(eventPage({ origin: series.origin, nature, access: 'key:1', via, rows: [row], at }));
}

describe.each(ROUTES)('%s', (id, path) => {
  it.each(['stream', 'webhook', 'changes'] as const)(
    'is not fresh once an event came by %s, and lacks its date',
    async (via) => {
      const { platform, clock } = testPlatform();
      const mirror = await ownSandbox(platform);
      const source = createMirrorSource({ mirror, labels: LABELS });
      const endpoint = ENDPOINTS.find((one) => one.id === id);
      if (!endpoint) throw new Error(id);
      const later = clock.now() + 5_000;
      const { args } = readParams(endpoint, { path, query: {} }, { mode: 'strict', now: later });
      const question = { endpoint, args };
      const context = { caller: KEYED, now: later };
      const chosen = () =>
        chooseSource({ mode: 'auto', live, access: 'key:1', mirror: { mirror, source } }, question, context);
      const before = await source.ask(question, context);
      expect([before.partial, before.etag === undefined]).toEqual([undefined, false]);
      await noteEvent(mirror, clock.now() + 2_000, via);
      expect(await chosen()).toBe(live);
      const after = await source.ask({ ...question }, { ...context, ifNoneMatch: before.etag ?? '' });
      expect([after.status, after.etag, parseObject(after.body).mirror]).toEqual([
        200,
        undefined,
        expect.objectContaining({
          complete: false,
          missing: [expect.objectContaining({ from: '2026-10-31', to: '2026-10-31' })],
        }),
      ]);
    },
  );
});
