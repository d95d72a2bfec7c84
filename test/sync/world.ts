import { createClient } from '../../src/client/create.ts';
import { float, isJsonObject, toJsonText } from '../../src/contract/json/json.ts';
import { isoSeconds } from '../../src/contract/time/time.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { NewRow } from '../../src/mirror/api/page-commit.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { checkReleased } from '../../src/sandbox/days.ts';
import { createWorld } from '../../src/sandbox/world.ts';
import { runSync, surveyTargets } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, ownSandbox, SERVICE_URL, serviceOver } from '../support/service.ts';

export const DAY = 86_400_000;

interface WorldOptions {
  readonly now?: string;
  readonly key?: string;
  /** Called before every request is answered; gives the most rows that a page may have. */
  readonly onRequest?: (upstream: Mirror) => Promise<number>;
}

function watched(fetch: Fetch, before: () => Promise<number>): Fetch {
  return async (url, init) => {
    const most = await before();
    return fetch(url.replace(/([?&]limit=)\d+/, `$1${most}`), init);
  };
}

/** A service over a sandbox of its own, which a test may change, and a mirror that is kept from it; one clock for both. */
export async function syncWorld(options: WorldOptions = { key: 'k-test' }) {
  const { now = '2026-11-20T15:00:00Z', key, onRequest } = options;
  const at = testPlatform({ now });
  const { platform, clock } = at;
  const upstream = await ownSandbox(platform);
  const service = await serviceOver(upstream, platform);
  const mirror = await freshMirror(platform);
  const client = createClient({
    platform: { ...platform, fetch: onRequest ? watched(service.fetch, () => onRequest(upstream)) : service.fetch },
    baseUrl: SERVICE_URL,
    ...(key !== undefined && { key }),
  });
  const targetsOf = (words: string) =>
    selectTargets([words], { endpoints: ENDPOINTS, now: clock.now(), indicatorsOf: async () => [] });
  const about = async (words: string) => {
    // A service knows at any moment all that was released.
    await checkReleased(upstream, createWorld({ seed: 1, size: 'small', now: clock.now() }));
    return { client, mirror, clock, targets: await targetsOf(words) };
  };
  return {
    /** The world of whoever syncs. */
    at,
    clock,
    upstream,
    mirror,
    service,
    sync: async (words: string, more = {}) => runSync({ ...(await about(words)), ...more }),
    plan: async (words: string, more = {}) => (await surveyTargets({ ...(await about(words)), ...more })).planned,
    /** Requests that reached the service while something was done. */
    async spent(work: () => Promise<unknown>): Promise<readonly string[]> {
      service.seen.length = 0;
      await work();
      return [...service.seen];
    },
    release: (release: Release) => publish(upstream, { ...release, at: clock.now() }),
  };
}

interface Release {
  readonly currency: string;
  readonly indicator: string;
  readonly date: string;
  readonly val: number;
  /** Unix seconds; the clock's own when left out. */
  readonly released?: number;
}

/** What the service does when a publisher has published: one row more, and one event. */
async function publish(upstream: Mirror, release: Release & { readonly at: number }): Promise<void> {
  const { currency, indicator, date, val, at } = release;
  const seconds = release.released ?? Math.floor(at / 1000);
  const slug = currency.toLowerCase();
  const row = { announcement_id: `${slug}_${indicator}_${date}`, date, val, announcement_datetime: seconds };
  const common = { nature: 'synthetic', access: 'keyless', request: 'published', question: 'published', at } as const;
  await upstream.commitPage({
    ...common,
    series: { origin: 'sandbox', endpoint: 'announcements', scope: { currency, indicator } },
    rows: [{ text: toJsonText({ ...row, val: float(val) }), value: row }],
    extent: 'adds',
  });
  const latest = { date, val, announcement_datetime: isoSeconds(seconds) };
  const event = { event_id: `${slug}_${indicator}_${seconds}`, currency: slug, indicator, records_written: 1 };
  await upstream.commitPage({
    ...common,
    series: { origin: 'sandbox', endpoint: 'announcements_changes', scope: {} },
    rows: [rowOf({ ...event, timestamp: seconds + 2, release_timestamp: seconds, latest_announcement: latest })],
    extent: 'adds',
  });
}

export function rowOf(value: unknown): NewRow {
  if (!isJsonObject(value)) throw new Error('A row is an object');
  return { text: toJsonText(value), value };
}

/** Date and value of every row of every series of an endpoint, by scope. */
export async function valuesOf(mirror: Mirror, endpoint: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const all = new Map<string, readonly unknown[]>();
  for (const series of await mirror.find({ endpoint, scope: {} })) {
    const rows = await mirror.rows(series, {});
    all.set(
      Object.values(series.scope).join(' '),
      rows.map(({ key, columns }) => [...key, columns.val]),
    );
  }
  return all;
}
