import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readBudgets } from '../../../src/client/quota/budgets.ts';
import type { QuotaLedger } from '../../../src/client/quota/ledger.ts';
import type { QuotaReport } from '../../../src/client/quota/rate-headers.ts';
import type { ReservationRequest } from '../../../src/client/quota/reservations.ts';
import { openLedger } from '../../../src/client/quota/sqlite-ledger.ts';
import { freshFolder, TEST_NOW } from '../../support/platform.ts';

const OWNER = { service: 'https://svc.example', access: 'keyless' };
const wish: ReservationRequest = { route: 'GET /v1/x', priority: 'interactive', pid: 1, now: TEST_NOW, lease: 60_000 };

function open(path: string, owner = OWNER): QuotaLedger {
  const ledger = openLedger(path, owner);
  onTestFinished(() => ledger.close());
  return ledger;
}

/** An answer without a key at 05:46:13. */
const day = (left: number): QuotaReport => ({
  isRefused: false,
  policy: [{ limit: 100, seconds: 86_400 }],
  primary: { limit: 100, left },
  resets: 65_627,
  tightest: { name: 'day', limit: 100, left },
  retryAfter: undefined,
});

async function spend(ledger: QuotaLedger, told: QuotaReport): Promise<void> {
  const { granted } = await ledger.reserve(wish);
  if (granted) await ledger.settle(granted, { kind: 'told', report: told }, TEST_NOW);
}

describe('the ledger of all processes', () => {
  it('is one for two connections, which see each other at once', async () => {
    const path = join(freshFolder(), 'quota.db');
    const [one, other] = [open(path), open(path)];
    await spend(one, day(2));
    const decisions = [await other.reserve(wish), await one.reserve(wish)];
    expect(decisions.map(({ granted }) => granted !== undefined)).toEqual([true, true]);
    expect((await other.reserve(wish)).blocked).toMatchObject({ budget: 'day', limit: 100 });
    expect((await one.reserve(wish)).blocked).toMatchObject({ budget: 'day', limit: 100 });
  });

  it('keeps what it knows, and reads it back as it was', async () => {
    const path = join(freshFolder(), 'quota.db');
    const first = open(path);
    await spend(first, day(7));
    await first.reserve({ ...wish, priority: 'background', pid: 77 });
    const account = await first.read(TEST_NOW);
    await first.close();
    expect(await open(path).read(TEST_NOW)).toEqual(account);
    expect(account.open).toMatchObject([{ pid: 77, priority: 'background', route: 'GET /v1/x' }]);
    expect(readBudgets(account, TEST_NOW)).toMatchObject([{ budget: 'day', used: 93, reserved: 1, left: 6 }]);
  });

  it('keeps services and keys apart', async () => {
    const path = join(freshFolder(), 'quota.db');
    await spend(open(path), day(0));
    for (const owner of [
      { ...OWNER, access: 'key:0123456789ab' },
      { ...OWNER, service: 'https://other.example' },
    ])
      expect((await open(path, owner).reserve(wish)).granted).toBeDefined();
  });

  it('frees the places of a process that died, when their lease is over', async () => {
    const path = join(freshFolder(), 'quota.db');
    const ledger = open(path, { ...OWNER, access: 'key:0123456789ab' });
    const { granted } = await ledger.reserve(wish);
    if (granted) await ledger.settle(granted, { kind: 'untold' }, TEST_NOW);
    for (let i = 0; i < 20; i += 1) await ledger.reserve(wish);
    expect((await ledger.reserve({ ...wish, now: TEST_NOW + 59_000 })).blocked).toMatchObject({
      budget: 'concurrency',
    });
    expect((await ledger.reserve({ ...wish, now: TEST_NOW + 60_000 })).granted).toBeDefined();
    const left = readBudgets(await ledger.read(TEST_NOW + 60_000), TEST_NOW + 60_000);
    expect(left.find(({ budget }) => budget === 'hour')).toMatchObject({ used: 20, reserved: 1 });
  });

  it('forgets on request, but not what is under way', async () => {
    const ledger = open(join(freshFolder(), 'quota.db'));
    await spend(ledger, day(1));
    await ledger.reserve(wish);
    await ledger.forget(TEST_NOW);
    expect(readBudgets(await ledger.read(TEST_NOW), TEST_NOW)).toMatchObject([
      { used: 0, reserved: 1, source: 'assumed' },
    ]);
  });
});
