import { describe, expect, it, onTestFinished } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import type { Attempt } from '../../../src/mirror/api/outbox.ts';
import { openServerMirror } from '../../../src/mirror/postgres/open.ts';
import { testPlatform } from '../../support/platform.ts';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { MIDNIGHT } from '../support.ts';
import { serverMirror, sqlOn } from './support.ts';

const HOUR = 3_600_000;
const limits = { failures: 10, streak: HOUR };
const DUE = [{ subscription: 'sub_a', parallel: 4 }];

let seeds = 0;

/** The mirror as a host has it, whose commits the server dates. */
async function open(address: string) {
  seeds += 1;
  const { platform } = testPlatform({ now: MIDNIGHT, seed: seeds });
  const mirror = await openServerMirror({ address, mappings: MAPPINGS, platform, mode: 'write' });
  onTestFinished(() => mirror.close());
  return mirror;
}

/** Two hosts whose clocks are hours apart from each other and from the server's, over one mirror with a delivery that waits. */
async function hosts() {
  const { path } = await serverMirror();
  const [one, other] = [await open(path), await open(path)];
  const filters = { currencies: undefined, indicators: undefined, description: undefined };
  await one.outbox.addSubscription(
    { id: 'sub_a', owner: 'desk', url: 'https://hooks.example.com/in', createdAt: MIDNIGHT, ...filters },
    10,
  );
  const event = { event: 'usd_gdp_1', position: 1, body: '{}' };
  await one.outbox.enqueue([{ id: 'sub_a_usd_gdp_1', subscription: 'sub_a', ...event }], 1, MIDNIGHT + 9 * HOUR);
  const claim = (host: typeof one, holder: string, now: number) =>
    host.outbox.claim({ destinations: DUE, holder, now, until: now + 30_000 });
  return { one, other, path, claim };
}

describe.skipIf(POSTGRES_BIN === undefined)('claims of deliveries on a server', () => {
  it('are dated by its clock, however far those of the hosts are apart', async () => {
    const { one, other, path, claim } = await hosts();
    expect((await claim(one, 'one', MIDNIGHT)).map(({ id }) => id)).toEqual(['sub_a_usd_gdp_1']);
    expect(await claim(other, 'other', MIDNIGHT + 5 * HOUR)).toEqual([]);
    const [due] = await other.outbox.due(MIDNIGHT - 5 * HOUR);
    expect(due?.subscription).toBe('sub_a');
    const wait = (due?.at ?? 0) - (MIDNIGHT - 5 * HOUR);
    expect(wait > 0 && wait <= 30_000).toBe(true);
    // The host dies; its claim runs out.
    await sqlOn(path, 'update deliveries set due_at = due_at - 30000');
    expect((await claim(other, 'other', MIDNIGHT - 5 * HOUR)).map(({ attempts }) => attempts)).toEqual([0]);
  });

  it('leave the wait of a host as long as it said, and settle nothing that another host has by now', async () => {
    const { one, other, path, claim } = await hosts();
    await claim(one, 'one', MIDNIGHT);
    await sqlOn(path, 'update deliveries set due_at = due_at - 30000');
    await claim(other, 'other', MIDNIGHT);
    const attempt = (holder: string): Attempt => ({
      ...{ delivery: 'sub_a_usd_gdp_1', holder, at: MIDNIGHT, status: 503, limits },
      result: { kind: 'retry', error: 'status 503', at: MIDNIGHT + HOUR },
    });
    await one.outbox.settle([attempt('one')]);
    expect(await one.outbox.deliveries({ owner: 'desk', since: 0, limit: 9 })).toMatchObject([{ attempts: 0 }]);
    await other.outbox.settle([attempt('other')]);
    const now = MIDNIGHT + 7 * HOUR;
    const wait = ((await one.outbox.due(now))[0]?.at ?? 0) - now;
    expect(wait > HOUR - 60_000 && wait <= HOUR).toBe(true);
    const backlog = await one.outbox.backlog(now);
    expect([backlog.deliveries, backlog.oldestMs < 60_000]).toEqual([1, true]);
  });

  it('are shown with the locks of the mirror and their holders', async () => {
    const { one, other } = await hosts();
    const lock = await one.lockSync();
    const [lease, ...more] = (await other.shared?.leases()) ?? [];
    expect([lease?.name, more]).toEqual(['sync', []]);
    expect(Number(lease?.ageMs) < 60_000).toBe(true);
    await lock.release();
    expect(await other.shared?.leases()).toEqual([]);
    expect(await other.shared?.connections()).toMatchObject({ waiting: 0 });
  });
});
