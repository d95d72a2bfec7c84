import { describe, expect, it, onTestFinished } from 'vitest';
import { ledgerOver } from '../../../src/client/quota/ledger.ts';
import type { ReservationRequest } from '../../../src/client/quota/reservations.ts';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import { openServerMirror } from '../../../src/mirror/postgres/open.ts';
import { testPlatform } from '../../support/platform.ts';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { HOUR } from '../../support/told-hour.ts';
import { serverMirror, sqlOn } from './support.ts';

const OWNER = { service: "https://o'hare.example", access: 'key:0123456789ab' };

const booksOf = ({ shared }: Mirror, owner = OWNER) => {
  if (!shared) throw new Error('A mirror on a server shares accounts');
  return ledgerOver(shared.account(owner), owner.access);
};

const wish = (now: number): ReservationRequest => ({
  ...{ route: 'GET /v1/x', priority: 'interactive', pid: 1 },
  ...{ now, lease: 60_000 },
});

describe.skipIf(POSTGRES_BIN === undefined)('the budget of a key', () => {
  it('is one for all machines of a mirror, whatever their clocks say, and leaves the state of the mirror alone', async () => {
    const { mirror, again } = await serverMirror();
    const state = await mirror.look();
    const [one, other] = [booksOf(mirror), booksOf(await again())];
    const now = Date.now();
    const late = now - 3_600_000;
    // The first request of all goes alone, until the service has told its limits.
    const { granted } = await one.reserve(wish(now));
    if (!granted) throw new Error('The first request leaves');
    expect(await other.reserve(wish(late))).toEqual({ blocked: { budget: 'concurrency', limit: 1, until: undefined } });
    await one.settle(granted, { kind: 'told', report: HOUR }, now);
    // 40 of the hour are left, and 20 requests may be under way at once.
    const asked = Array.from({ length: 15 }, () => [one.reserve(wish(now)), other.reserve(wish(late))]);
    const decisions = await Promise.all(asked.flat());
    expect(decisions.filter((decision) => decision.granted)).toHaveLength(20);
    const ids = decisions.flatMap((decision) => decision.granted?.id ?? []);
    expect(new Set(ids).size).toBe(20);
    expect((await other.read(late)).open.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await mirror.look()).toEqual(state);
  });

  it('is one for all machines where the server isolates transactions more than others', async () => {
    const { mirror, path } = await serverMirror();
    const role = `${new URL(path).searchParams.get('schema')}_strict`;
    const { platform } = testPlatform({ now: Date.now() });
    await sqlOn(
      path,
      `create role ${role} login superuser; alter role ${role} set default_transaction_isolation to 'repeatable read'`,
    );
    const address = new URL(path);
    address.username = role;
    const strict = await Promise.all(
      [1, 2, 3].map(async () =>
        openServerMirror({ address: address.href, mappings: MAPPINGS, platform, mode: 'read' }),
      ),
    );
    for (const one of strict) onTestFinished(() => one.close());
    const now = Date.now();
    const { granted } = await booksOf(mirror).reserve(wish(now));
    if (!granted) throw new Error('The first request leaves');
    await booksOf(mirror).settle(granted, { kind: 'told', report: HOUR }, now);
    const books = strict.map((one) => booksOf(one));
    const decisions = await Promise.all(
      Array.from({ length: 5 }, () => books.map((one) => one.reserve(wish(now)))).flat(),
    );
    expect(new Set(decisions.map((decision) => decision.granted?.id)).size).toBe(15);
  });

  it('is told by the clock of whoever reads it', async () => {
    const { mirror } = await serverMirror();
    const books = booksOf(mirror);
    const now = Date.parse('2020-02-02T00:00:00Z');
    const { granted } = await books.reserve(wish(now));
    if (!granted) throw new Error('The first request leaves');
    const [open] = (await books.read(now)).open;
    expect(open && Math.abs(open.at - now)).toBeLessThan(30_000);
    await books.settle(granted, { kind: 'told', report: { ...HOUR, isRefused: true, retryAfter: 600 } }, now);
    const blocked = (await books.reserve(wish(now))).blocked;
    expect(blocked && Math.abs((blocked.until ?? 0) - now - 600_000)).toBeLessThan(30_000);
  });

  it('is one a service and access, and forgotten when it is asked to be', async () => {
    const { mirror, path } = await serverMirror();
    const now = Date.now();
    const [books, others] = [booksOf(mirror), booksOf(mirror, { ...OWNER, access: 'keyless' })];
    const { granted } = await books.reserve(wish(now));
    if (!granted) throw new Error('The first request leaves');
    await books.settle(granted, { kind: 'told', report: HOUR }, now);
    expect([(await books.read(now)).isTold, (await others.read(now)).isTold]).toEqual([true, false]);
    await books.forget(now);
    expect((await books.read(now)).isTold).toBe(false);
    await books.close();
    expect(await sqlOn(path, `select service, access from quota where account <> ''`)).toEqual([OWNER]);
  });
});
