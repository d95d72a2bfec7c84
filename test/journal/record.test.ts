import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fingerprint, readApiKey } from '../../src/client/http/key.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { eventRecorder } from '../../src/events/record.ts';
import { namerOf } from '../../src/sync/feeds.ts';
import { held, MIDNIGHT, page, row, SERVICE, testMirror, texts } from '../mirror/support.ts';
import { testClock } from '../support/clock.ts';
import { SERVICE_URL } from '../support/service.ts';
import { DAY, syncWorld } from '../sync/world.ts';

const WORDS = 'announcements usd inflation, announcements usd gdp';
const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const MEMBERS = '"event_id":"usd_inflation_1791981000","currency":"usd","indicator":"inflation"';
const POLLED = `{${MEMBERS},"timestamp":1791981002,"release_timestamp":1791981000,"payload":"full"}`;
const SENT = `{${MEMBERS},"timestamp":1791981003,"release_timestamp":1791981000}`;
const LATER = MIDNIGHT + 60_000;

async function recorder() {
  const { mirror } = await testMirror();
  const clock = testClock(LATER);
  const named = () => [];
  const record = eventRecorder({ mirror, clock, service: SERVICE, access: 'key:1', via: 'webhook', named });
  return { mirror, record };
}

describe('an event that comes by itself', () => {
  it('is in the journal and in changes after one commit, and has one place however often it comes', async () => {
    const { mirror, record } = await recorder();
    expect(await Promise.all([record(row(SENT), false), record(row(SENT), false)])).toEqual([1, undefined]);
    expect(await record(row(SENT), false)).toBeUndefined();
    expect(await texts(mirror, FEED)).toEqual([SENT]);
    expect(await mirror.journal.events({ after: 0, limit: 9 })).toMatchObject([
      { position: 1, id: 'usd_inflation_1791981000', arrivals: [{ via: 'webhook', at: LATER }] },
    ]);
  });

  it('is kept in one commit with those that come in the same turn, each with its own place', async () => {
    const { mirror, record } = await recorder();
    const gdp = SENT.replaceAll('inflation', 'gdp');
    expect(await Promise.all([record(row(SENT), false), record(row(gdp), false)])).toEqual([1, 2]);
    const [first, second] = await mirror.rows(await held(mirror, FEED), {});
    expect([first?.commit, second?.commit]).toEqual([1, 1]);
  });

  it('that cannot be kept does not keep out the others of its turn', async () => {
    const { record } = await recorder();
    const broken = SENT.replaceAll('inflation', 'gdp').replace('"timestamp":1791981003', '"timestamp":null');
    const told = await Promise.allSettled([record(row(broken), false), record(row(SENT), false)]);
    expect(told).toMatchObject([
      { status: 'rejected', reason: { kind: 'protocol' } },
      { status: 'fulfilled', value: 1 },
    ]);
  });

  it('that was polled before keeps the row that was polled, and is noted as arrived by another way', async () => {
    const { mirror, record } = await recorder();
    await mirror.commitPage(page([POLLED], { series: FEED, arrived: { via: 'changes' } }));
    expect(await record(row(SENT), false)).toBeUndefined();
    expect(await texts(mirror, FEED)).toEqual([POLLED]);
    expect((await mirror.journal.event('usd_inflation_1791981000'))?.arrivals).toEqual([
      { via: 'changes', at: MIDNIGHT },
      { via: 'webhook', at: LATER },
    ]);
  });

  it('confirms nothing about the events that did not come', async () => {
    const { mirror, record } = await recorder();
    await mirror.commitPage(page([POLLED], { series: FEED, arrived: { via: 'changes' }, walk: null }));
    await record(row(SENT.replaceAll('inflation', 'gdp')), false);
    expect((await held(mirror, FEED)).checkedAt).toBe(MIDNIGHT);
  });

  it('of generated data is refused by a mirror of real data', async () => {
    const { record } = await recorder();
    await record(row(SENT), false);
    await expect(record(row(SENT.replaceAll('inflation', 'gdp')), true)).rejects.toMatchObject({
      code: 'mirror_nature',
    });
  });

  it('is not kept while another program holds the mirror, and is when it is sent again', async () => {
    const { path, again } = await testMirror();
    const mirror = await again({ busyTimeout: 1 });
    const parts = { mirror, clock: testClock(LATER), service: SERVICE, access: 'key:1', via: 'webhook' } as const;
    const record = eventRecorder({ ...parts, named: () => [] });
    const other = new Database(path);
    onTestFinished(() => void other.close());
    other.exec('begin immediate');
    await expect(record(row(SENT), false)).rejects.toMatchObject({ kind: 'mirror', code: 'mirror_locked' });
    other.exec('rollback');
    expect(await record(row(SENT), false)).toBe(1);
  });
});

it('an event that comes by itself makes the series that it names due, and no other', async () => {
  const key = readApiKey('k-test');
  if (!key) throw new Error('There is no key');
  const access = `key:${fingerprint(key)}` as const;
  const world = await syncWorld({ key: 'k-test' });
  await world.sync(WORDS);
  await world.clock.advance(DAY);
  const feed = endpointById('announcements_changes');
  if (!feed) throw new Error('There is no feed');
  const record = eventRecorder({
    mirror: world.mirror,
    clock: world.clock,
    service: SERVICE_URL,
    access,
    via: 'webhook',
    named: ({ value }) => namerOf(feed)(value),
  });
  const release = Math.floor(world.clock.now() / 1000);
  const text = `{"event_id":"usd_inflation_${release}","currency":"usd","indicator":"inflation","timestamp":${release},"release_timestamp":${release}}`;
  const [inflation] = await world.mirror.find({
    endpoint: 'announcements',
    scope: { currency: 'USD', indicator: 'inflation' },
  });
  const due = async () =>
    (await world.mirror.follows('announcements', access)).filter((follow) => follow.due !== undefined);
  expect(await due()).toEqual([]);
  await record(row(text), true);
  expect((await due()).map(({ series }) => series)).toEqual([inflation?.id]);
  expect(await world.spent(() => world.sync(WORDS))).toHaveLength(2);
  expect(await due()).toEqual([]);
});
