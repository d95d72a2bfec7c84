import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { ENDPOINTS, MAPPINGS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openServerMirror } from '../../src/mirror/postgres/open.ts';
import { isServerAddress } from '../../src/mirror/rules/engine.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import type { Clock, Fetch } from '../../src/platform/platform.ts';
import type { SyncReport } from '../../src/sync/report.ts';
import { runSync } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { sqlOn } from '../mirror/postgres/support.ts';
import { testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { SERVICE_URL } from '../support/service.ts';
import { syncWorld } from '../sync/world.ts';

/** The moment of the service before anything was published. */
const NOW = '2026-11-20T15:00:00Z';
const DAY_MS = 86_400_000;

/** Selections of every strategy that is short enough to be repeated some thousand times. */
export const WORDS =
  'commodities gold, announcements usd inflation, calendar usd, press usd, sentiment changes, curve usd';

/** A service in one state. */
export interface ServiceState {
  readonly fetch: Fetch;
  /** Milliseconds. */
  readonly now: number;
}

/** The service on one day, and on the next: one release more, and one value revised. For the running test. */
export async function serviceDays(): Promise<{ readonly before: ServiceState; readonly after: ServiceState }> {
  const first = await syncWorld({ now: NOW });
  const second = await syncWorld({ now: NOW });
  second.clock.jump(DAY_MS);
  const [revised] = await second.upstream.find({
    endpoint: 'announcements',
    scope: { currency: 'USD', indicator: 'inflation' },
  });
  const [newest] = revised ? await second.upstream.rows(revised, {}) : [];
  const common = { currency: 'USD', indicator: 'inflation' };
  await second.release({ ...common, date: String(newest?.key[0]), val: 9.9 });
  await second.release({ ...common, date: '2026-11-30', val: 8.8 });
  return {
    before: { fetch: withSmallPages(first.service.fetch), now: first.clock.now() },
    after: { fetch: withSmallPages(second.service.fetch), now: second.clock.now() },
  };
}

/** Pages are made small, so that a history has several. */
function withSmallPages(fetch: Fetch): Fetch {
  return (url, init) => fetch(url.replace(/([?&]limit=)\d+/, '$140'), init);
}

/** An engine, and where its mirrors are made. */
export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly isMissing: boolean;
  fresh(): Promise<string>;
  remove(place: string): Promise<void>;
}

const SQLITE: Engine = {
  name: 'SQLite',
  isMissing: false,
  fresh: async () => join(mkdtempSync(join(tmpdir(), 'macro-torture-')), 'mirror.db'),
  remove: async (place) => rmSync(join(place, '..'), { recursive: true, force: true }),
};

const POSTGRES: Engine = {
  name: 'PostgreSQL',
  isMissing: POSTGRES_BIN === undefined,
  fresh: freshAddress,
  remove: async (place) => {
    await sqlOn(place, `drop schema if exists "${new URL(place).searchParams.get('schema')}" cascade`);
  },
};

export const ENGINES: readonly Engine[] = [SQLITE, POSTGRES];

/** Gives work a place that is removed after it. */
export async function inPlace<T>(engine: Engine, work: (place: string) => Promise<T>): Promise<T> {
  const place = await engine.fresh();
  try {
    return await work(place);
  } finally {
    await engine.remove(place);
  }
}

/** Opens what is at a place for writing, with the clock of a test. */
export async function openAt(place: string, now = Date.parse(NOW)): Promise<Mirror> {
  const { platform } = testPlatform({ now, folder: tmpdir() });
  const how = { mappings: MAPPINGS, platform, mode: 'write' } as const;
  return isServerAddress(place)
    ? openServerMirror({ ...how, address: place, dates: 'caller' })
    : openMirror({ ...how, path: place });
}

export interface SyncHow {
  readonly words?: string;
  readonly fetch?: Fetch;
  /** The clock of who syncs, instead of one that stands where the service's does. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** Brings a mirror up to date with a service, and closes it. */
export async function syncAt(place: string, service: ServiceState, how: SyncHow = {}): Promise<SyncReport> {
  const mirror = await openAt(place, service.now);
  try {
    return await syncInto(mirror, service, how);
  } finally {
    mirror.close();
  }
}

export async function syncInto(mirror: Mirror, service: ServiceState, how: SyncHow = {}): Promise<SyncReport> {
  const { platform, clock } = testPlatform({ now: service.now, folder: tmpdir() });
  const { words = WORDS, fetch = service.fetch, signal } = how;
  const time = how.clock ?? clock;
  const client = createClient({ platform: { ...platform, clock: time, fetch }, baseUrl: SERVICE_URL, key: 'k-test' });
  const select = { endpoints: ENDPOINTS, now: time.now(), indicatorsOf: async () => [] };
  const targets = await selectTargets([words], select);
  return runSync({ client, mirror, clock: time, targets, maxAge: 0, ...(signal && { signal }) });
}

/** A sync that is answered so often and then dies. */
export async function syncUntil(place: string, service: ServiceState, survived: number, how: SyncHow = {}) {
  const death = new AbortController();
  let left = survived;
  const fetch: Fetch = (url, init) => {
    if (left === 0) death.abort(new Error('killed'));
    left -= 1;
    return death.signal.aborted ? Promise.reject(death.signal.reason) : service.fetch(url, init);
  };
  return syncAt(place, service, { ...how, fetch, signal: death.signal });
}

/**
 * What a mirror holds, as one hash; that it contradicts nothing that was noted when the data came in is part of it.
 */
export async function soundHash(place: string): Promise<string> {
  const mirror = await openAt(place);
  try {
    const { hash, findings } = await mirror.verify();
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    return hash;
  } finally {
    mirror.close();
  }
}

/** Does work that a fault may end: with a report, or with an error of the program; any other error is a violation. */
export async function refusedOrDone<T>(work: () => Promise<T>): Promise<T | MacroError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MacroError && error.kind !== 'internal') return error;
    throw error;
  }
}
