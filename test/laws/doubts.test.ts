import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { parseObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import type { AsOf } from '../../src/contract/time/moments.ts';
import { ENDPOINTS, endpointById, MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { openServerMirror } from '../../src/mirror/postgres/open.ts';
import { chooseSource } from '../../src/source/choose-source.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import type { AskContext, Question, Source } from '../../src/source/source.ts';
import { livePages } from '../../src/source/stored/collect-pages.ts';
import { createReadThrough } from '../../src/source/through/read-through.ts';
import { runSync, surveyTargets } from '../../src/sync/run.ts';
import { selectTargets } from '../../src/sync/series/select.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { freshMirror, LABELS, SERVICE_URL } from '../support/service.ts';
import { DAY, monthEnd, simulated } from './simulated-service.ts';

const START = Date.parse('2026-11-20T15:00:00Z');
const MONTHS = 130;
const EVERY_MONTH = Array.from({ length: MONTHS }, (_, i) => monthEnd(321 - i));

type Engine = (platform: TestPlatform['platform']) => Promise<Mirror>;

const ENGINES: Readonly<Record<string, Engine>> = {
  sqlite: (platform) => freshMirror(platform),
  ...(POSTGRES_BIN !== undefined && {
    postgres: async (platform: TestPlatform['platform']) => {
      const address = await freshAddress();
      const mirror = await openServerMirror({ address, mappings: MAPPINGS, platform, mode: 'write', dates: 'caller' });
      onTestFinished(() => mirror.close());
      return mirror;
    },
  }),
};

/** A synced mirror of a service of one series, and every way to ask it. */
async function world(engine: Engine) {
  const { platform, clock } = testPlatform({ now: START });
  const service = simulated(clock.now, MONTHS);
  const mirror = await engine(platform);
  const client = createClient({ platform: { ...platform, fetch: service.fetch }, baseUrl: SERVICE_URL, key: 'k' });
  const names = { endpoints: ENDPOINTS, now: START, indicatorsOf: async () => [] };
  const targets = await selectTargets(['announcements usd inflation'], names);
  const run = { client, mirror, clock, targets };
  expect((await runSync(run)).outcome).toBe('complete');
  /** Syncs, and sends what was planned. */
  const sync = async () => {
    const planned = (await surveyTargets(run)).planned.reduce((sum, { requests }) => sum + requests, 0);
    const before = service.counts().requests;
    expect((await runSync(run)).outcome).toBe('complete');
    expect([planned, service.counts().requests - before]).toEqual([planned, planned]);
  };
  const offline = createMirrorSource({ mirror, labels: LABELS });
  const live = createLiveSource({ client, mirror });
  const served = createReadThrough({
    ...{ mirror: { mirror, source: offline }, live, access: client.access, clock, strict: false },
    walk: (question, context) => livePages({ client, mirror }, question, context),
    refuses: () => undefined,
  });
  const question = (id: string, query: Record<string, string> = {}): Question => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(id);
    const path = id === 'announcements_changes' ? {} : { currency: 'usd', indicator: 'inflation' };
    return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'strict', now: clock.now() }).args };
  };
  const context = (): AskContext => ({ caller: { kind: 'owner' }, now: clock.now() });
  /** Whether an answer is complete, and its dates whose value is not that of the service. */
  const told = async (source: Source, query: Record<string, string>, asOf?: AsOf, id = 'announcements') => {
    const asked = question(id, query);
    const reply = await source.ask(asked, { ...context(), ...(asOf && { asOf }) });
    const rows = cutBody(asked.endpoint.body, reply.body).rows.map(({ value }) => value);
    const old = rows.filter(({ date, val }) => service.rows.get(String(date)) !== val).map(({ date }) => date);
    return { isComplete: parseObject(reply.body).mirror === undefined, old: old.length, rows: rows.length };
  };
  const chosen = async (query: Record<string, string>) => {
    const choice = { mode: 'auto', live, access: client.access, mirror: { mirror, source: offline } } as const;
    return (await chooseSource(choice, question('announcements', query), context())) === live ? 'live' : 'mirror';
  };
  const hear = () =>
    live.ask(question('announcements_changes', { since: String(Math.floor(START / 1000)) }), context());
  return { clock, service, sync, offline, live, served, told, chosen, hear };
}

const WHOLE = { start_date: '1990-01-01', limit: '100' };
const MIDDLE = { start_date: '2020-01-01', end_date: '2021-12-31', limit: '50' };
const TAIL = { limit: '3' };
const NEWEST = { start_date: '2026-09-15', end_date: '2026-10-31' };
const allChanged = (by: number) => new Map(EVERY_MONTH.map((date, i) => [date, i + by]));

describe.each(Object.entries(ENGINES))('on %s', (_, engine) => {
  it('an event that wrote all rows is in doubt until all of them were read, whoever reads the newest ones', async () => {
    const { clock, service, sync, offline, live, served, told, chosen, hear } = await world(engine);
    expect(await told(offline, WHOLE)).toEqual({ isComplete: true, old: 0, rows: 100 });
    await clock.advance(DAY);
    service.change(allChanged(0.25), MONTHS);
    await clock.advance(60_000);
    await hear();
    const now = (): AsOf => ({ at: clock.now(), by: 'public' });
    for (const query of [WHOLE, MIDDLE, TAIL]) {
      expect(await told(offline, query)).toMatchObject({ isComplete: false });
      expect(await told(offline, query, now())).toMatchObject({ isComplete: false });
      expect(await chosen(query)).toBe('live');
    }
    for (const id of ['latest_announcements_series', 'announcements_recent_series'])
      expect([id, await told(offline, {}, undefined, id)]).toMatchObject([id, { isComplete: false }]);
    // What was asked before the event was so.
    const before: AsOf = { at: START, by: 'public' };
    expect(await told(offline, MIDDLE, before)).toMatchObject({ isComplete: true });
    await clock.advance(1_000);
    await live.ask(...askedLive(clock.now(), 3));
    expect(await told(offline, NEWEST)).toEqual({ isComplete: true, old: 0, rows: 2 });
    expect(await told(offline, WHOLE)).toMatchObject({ isComplete: false, old: 97 });
    expect(await told(offline, MIDDLE)).toMatchObject({ isComplete: false });
    expect(await chosen(MIDDLE)).toBe('live');
    expect(await told(served, TAIL)).toEqual({ isComplete: true, old: 0, rows: 3 });
    expect(await told(offline, MIDDLE)).toMatchObject({ isComplete: false });
    expect(await told(served, MIDDLE)).toEqual({ isComplete: true, old: 0, rows: 24 });
    expect(await told(offline, WHOLE)).toMatchObject({ isComplete: false });
    await sync();
    expect(await told(offline, WHOLE)).toEqual({ isComplete: true, old: 0, rows: 100 });
  });

  it('an event about an old date leaves that date out of what is covered, whoever reads the newest ones', async () => {
    const { clock, service, sync, offline, live, told, chosen, hear } = await world(engine);
    await clock.advance(DAY);
    service.change(new Map([['2020-06-30', 77]]), 1);
    await clock.advance(60_000);
    await hear();
    await clock.advance(1_000);
    await live.ask(...askedLive(clock.now(), 3));
    expect(await told(offline, MIDDLE)).toEqual({ isComplete: false, old: 1, rows: 24 });
    expect(await told(offline, MIDDLE, { at: clock.now(), by: 'public' })).toMatchObject({ isComplete: false });
    expect(await chosen(MIDDLE)).toBe('live');
    expect(await told(offline, NEWEST)).toEqual({ isComplete: true, old: 0, rows: 2 });
    await sync();
    expect(await told(offline, MIDDLE)).toEqual({ isComplete: true, old: 0, rows: 24 });
  });

  it('an event whose rows all came with the newest ones raises no doubt', async () => {
    const { clock, service, offline, live, told, hear } = await world(engine);
    await clock.advance(DAY);
    service.change(new Map(EVERY_MONTH.slice(0, 2).map((date) => [date, 500])), 2);
    await clock.advance(60_000);
    await hear();
    await clock.advance(1_000);
    await live.ask(...askedLive(clock.now(), 3));
    expect(await told(offline, WHOLE)).toEqual({ isComplete: true, old: 0, rows: 100 });
  });
});

describe.each(Object.entries(ENGINES))('what a read shows of other rows, on %s', (_, engine) => {
  it('raises a doubt for a row before the first one, until a sync has read it', async () => {
    const { clock, service, sync, offline, live, told, chosen } = await world(engine);
    await clock.advance(DAY);
    service.change(new Map([['1999-12-31', 5]]), 0);
    expect(await told(offline, MIDDLE)).toMatchObject({ isComplete: true });
    await live.ask(...askedLive(clock.now(), 3));
    expect(await told(offline, WHOLE)).toMatchObject({ isComplete: false });
    expect(await told(offline, MIDDLE)).toMatchObject({ isComplete: false });
    expect(await chosen(MIDDLE)).toBe('live');
    const asked = service.counts().requests;
    await sync();
    // The feed, one request for the proof, and the two pages of the series.
    expect(service.counts().requests - asked).toBe(4);
    expect(await told(offline, { ...WHOLE, end_date: '2016-12-31' })).toEqual({ isComplete: true, old: 0, rows: 13 });
    await sync();
    expect(service.counts().requests - asked).toBe(5);
  });

  it('raises one for another version of all dates, although no row that was read is another one', async () => {
    const { clock, service, sync, offline, live, told } = await world(engine);
    // The first proof notes the version.
    await clock.advance(8 * DAY);
    await sync();
    service.change(new Map([['2020-06-30', 77]]), 0);
    await clock.advance(60_000);
    expect(await told(offline, MIDDLE)).toMatchObject({ isComplete: true, old: 1 });
    await live.ask(...askedLive(clock.now(), 1, { start_date: '1900-01-01', end_date: '2100-01-01' }));
    expect(await told(offline, MIDDLE)).toMatchObject({ isComplete: false });
    await sync();
    expect(await told(offline, MIDDLE)).toEqual({ isComplete: true, old: 0, rows: 24 });
  });

  it('raises one for rows of the asked window that did not come, and for another row before the oldest', async () => {
    const { clock, service, sync, offline, live, told } = await world(engine);
    await clock.advance(DAY);
    service.change(new Map([['2026-03-15', 5]]), 0);
    await live.ask(...askedLive(clock.now(), 3));
    expect(await told(offline, { start_date: '2026-02-01', end_date: '2026-04-30' })).toMatchObject({
      isComplete: false,
    });
    await sync();
    expect(await told(offline, WHOLE)).toEqual({ isComplete: true, old: 0, rows: 100 });
    service.change(new Map([['2026-07-31', undefined]]), 0);
    await clock.advance(60_000);
    await live.ask(...askedLive(clock.now(), 3));
    expect(await told(offline, { start_date: '2026-05-01', end_date: '2026-07-31' })).toMatchObject({
      isComplete: false,
    });
    await sync();
    expect(await told(offline, { start_date: '2026-05-01', end_date: '2026-07-31' })).toMatchObject({
      rows: 2,
      old: 0,
    });
  });
});

/** `macro announcements usd inflation --live --limit N`. */
function askedLive(now: number, limit: number, window = {}): [Question, AskContext] {
  const endpoint = endpointById('announcements');
  if (!endpoint) throw new Error('no endpoint');
  const given = { path: { currency: 'usd', indicator: 'inflation' }, query: { limit: String(limit), ...window } };
  return [
    { endpoint, args: readParams(endpoint, given, { mode: 'strict', now }).args },
    { caller: { kind: 'owner' }, now },
  ];
}
