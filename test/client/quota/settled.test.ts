import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  expire,
  openAccount,
  type QuotaAccount,
  type Reserved,
  type WindowCount,
} from '../../../src/client/quota/account.ts';
import { nearestBoundary } from '../../../src/client/quota/budget.ts';
import { readBudgets } from '../../../src/client/quota/budgets.ts';
import type { Outcome, QuotaReport } from '../../../src/client/quota/rate-headers.ts';
import { learn, reserve, settleReservation } from '../../../src/client/quota/reservations.ts';
import { narrowAhead, ourTime, serviceTime, surelyReached } from '../../../src/client/quota/service-clock.ts';
import { openLedger } from '../../../src/client/quota/sqlite-ledger.ts';
import { freshFolder } from '../../support/platform.ts';
import { SAYS_NOTHING } from './says-nothing.ts';

const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
const NOW = at('05:46:13');
const MINUTE_ENDS = at('05:47:00');
const HOUR_ENDS = at('06:00:00');
const ROUTE = 'GET /v1/x';

const told = (more: Partial<QuotaReport>): Outcome => ({ kind: 'told', report: { ...SAYS_NOTHING, ...more } });
const underWay = (id: number, more: Partial<Reserved> = {}): Reserved => ({
  id,
  route: ROUTE,
  at: NOW,
  until: NOW + 60_000,
  pid: 1,
  priority: 'interactive',
  seen: {},
  ...more,
});
/** An account with request 4 under way, its clock equal to the service's. */
const account = (more: Partial<QuotaAccount> = {}): QuotaAccount => ({
  ...openAccount('key:0123456789ab', NOW),
  limits: { minute: 300, hour: 5000 },
  order: 4,
  isHeard: true,
  isTold: true,
  ahead: { low: 0, high: 0, at: NOW },
  open: [underWay(4)],
  ...more,
});
const settled = (before: QuotaAccount, outcome: Outcome, { id = 4, now = NOW } = {}) =>
  settleReservation(before, { id, route: ROUTE, at: NOW }, outcome, now);

const counted = (budget: WindowCount['budget'], ends: number, many = 1): WindowCount => ({
  budget,
  ends,
  counted: many,
  report: undefined,
});
const reported = (budget: WindowCount['budget'], ends: number, used: number, more: object = {}): WindowCount => ({
  budget,
  ends,
  counted: 0,
  report: { used, includes: 0, order: 5, at: NOW, ...more },
});

describe('an answer that is settled', () => {
  it('is no longer under way, tells its window and counts in the longer one', () => {
    const before = account({ open: [underWay(3), underWay(4, { seen: { [`minute@${MINUTE_ENDS}`]: 2 } })] });
    const after = settled(before, told({ primary: { limit: 300, left: 260 }, resets: 47 }));
    expect(after).toEqual({
      ...before,
      order: 5,
      open: [underWay(3)],
      windows: [reported('minute', MINUTE_ENDS, 40, { includes: 2 }), counted('hour', HOUR_ENDS)],
    });
  });

  it('tells the window that it names as the tightest', () => {
    const hour = settled(account(), told({ tightest: { name: 'hour', limit: 5000, left: 10 }, resets: 47 }));
    expect(hour.windows).toEqual([counted('minute', MINUTE_ENDS), reported('hour', HOUR_ENDS, 4990)]);
    const route = settled(account(), told({ tightest: { name: 'endpoint', limit: 30, left: 4 }, resets: 47 }));
    expect(route.limits).toEqual({ minute: 300, hour: 5000, [`endpoint ${ROUTE}`]: 30 });
    expect(route.windows).toEqual([
      counted('minute', MINUTE_ENDS),
      counted('hour', HOUR_ENDS),
      reported(`endpoint ${ROUTE}`, MINUTE_ENDS, 26),
    ]);
  });

  it('counts more than its limit as nothing used', () => {
    const after = settled(account(), told({ primary: { limit: 300, left: 301 }, resets: 47 }));
    expect(after.windows[0]).toEqual(reported('minute', MINUTE_ENDS, 0));
  });

  it('counts in both windows where nothing says in which one it was made, and tells neither', () => {
    const wide = account({ limits: { minute: 300 }, ahead: { low: -50_000, high: 0, at: NOW } });
    const after = settled(wide, told({ primary: { limit: 300, left: 260 } }));
    expect(after.windows).toEqual([counted('minute', at('05:46:00')), counted('minute', MINUTE_ENDS)]);
  });

  it('says by the end of its minute in which hour it lies', () => {
    const now = at('05:59:59');
    const late = account({ ahead: { low: -2000, high: 2000, at: now }, open: [underWay(4, { at: now })] });
    const after = settled(late, told({ primary: { limit: 300, left: 299 }, resets: 60 }), { now });
    expect(after.windows.map(({ budget, ends }) => [budget, ends])).toEqual([
      ['minute', at('06:01:00')],
      ['hour', at('07:00:00')],
    ]);
  });

  it('that cost nothing shows it by a count that has not grown since it left', () => {
    const told40 = told({ primary: { limit: 300, left: 260 }, resets: 47 });
    const known = (order: number, used = 40) =>
      account({
        windows: [{ ...reported('minute', MINUTE_ENDS, used), report: { used, includes: 0, order, at: NOW } }],
      });
    const hours = (after: QuotaAccount) => after.windows.filter(({ budget }) => budget === 'hour');
    expect(hours(settled(known(3), told40))).toEqual([]);
    expect(hours(settled(known(4), told40))).toEqual([counted('hour', HOUR_ENDS)]);
    expect(hours(settled(known(3, 39), told40))).toEqual([counted('hour', HOUR_ENDS)]);
  });

  it('is not counted once more where its lease was over', () => {
    const after = settled(account({ open: [] }), told({ primary: { limit: 300, left: 260 }, resets: 47 }));
    expect(after.windows).toEqual([reported('minute', MINUTE_ENDS, 40)]);
  });

  it('of two under way together the higher count is the newer one, and both are part of it', () => {
    const seen = { [`minute@${MINUTE_ENDS}`]: 3 };
    const report = { used: 40, includes: 2, order: 9, at: NOW - 5 };
    const both = (left: number, includes = 2) =>
      settled(
        account({
          open: [underWay(4, { seen })],
          windows: [{ ...counted('minute', MINUTE_ENDS, 6), report: { ...report, includes } }],
        }),
        told({ primary: { limit: 300, left }, resets: 47 }),
      ).windows.filter(({ budget }) => budget === 'minute');
    const minute = counted('minute', MINUTE_ENDS, 6);
    expect(both(258)).toEqual([{ ...minute, report: { used: 42, includes: 3, order: 5, at: NOW } }]);
    expect(both(262)).toEqual([{ ...minute, report: { ...report, includes: 3 } }]);
    expect(both(262, 4)).toEqual([{ ...minute, report: { ...report, includes: 4 } }]);
  });
});

describe('a refusal that is settled', () => {
  const refused = (
    retryAfter: number | undefined,
    tightest?: QuotaReport['tightest'],
    more: Partial<QuotaReport> = {},
  ) => settled(account(), told({ isRefused: true, retryAfter, tightest, ...more }));
  const spent = (name: 'minute' | 'hour' | 'endpoint' | 'concurrency', limit = 300) => ({ name, limit, left: 0 });

  it('closes the window whose end it names, and costs nothing', () => {
    const after = refused(47, spent('minute'));
    expect([after.windows, after.hold]).toEqual([
      [reported('minute', MINUTE_ENDS, 300, { freesAt: NOW + 47_000 })],
      undefined,
    ]);
    const hour = refused(827, spent('hour', 5000), { resets: 827 });
    expect([hour.windows, hour.hold]).toEqual([
      [reported('hour', HOUR_ENDS, 5000, { freesAt: NOW + 827_000 })],
      undefined,
    ]);
    const route = refused(47, spent('endpoint', 30));
    expect([route.windows, route.hold]).toEqual([
      [reported(`endpoint ${ROUTE}`, MINUTE_ENDS, 30, { freesAt: NOW + 47_000 })],
      undefined,
    ]);
  });

  it('holds everything back where it points 3 seconds beside the end of its window, or further', () => {
    expect(refused(45, spent('minute')).hold).toBeUndefined();
    expect(refused(49, spent('minute')).hold).toBeUndefined();
    expect(refused(44, spent('minute')).hold).toEqual({ budget: 'minute', until: NOW + 44_000 });
    expect(refused(50, spent('minute')).hold).toEqual({ budget: 'minute', until: NOW + 50_000 });
    expect(refused(47, spent('hour', 5000)).hold).toEqual({ budget: 'hour', until: NOW + 47_000 });
    expect(refused(20, spent('endpoint', 30)).hold).toEqual({ budget: 'endpoint', until: NOW + 20_000 });
  });

  it('holds everything back where it belongs to no window', () => {
    const places = refused(47, spent('concurrency', 20));
    expect([places.hold, places.windows, places.limits.concurrency]).toEqual([
      { budget: 'concurrency', until: NOW + 47_000 },
      [],
      20,
    ]);
    expect(refused(47).hold).toEqual({ budget: '', until: NOW + 47_000 });
  });

  it('holds nothing where it asks for no wait', () => {
    const after = refused(undefined, spent('minute'));
    expect([after.hold, after.windows]).toEqual([undefined, [reported('minute', MINUTE_ENDS, 300)]]);
  });

  it('that leaves room says no time', () => {
    const after = refused(47, { name: 'minute', limit: 300, left: 5 });
    expect(after.windows).toEqual([reported('minute', MINUTE_ENDS, 295)]);
  });

  it('asks for a wait only as a refusal', () => {
    const after = settled(account(), told({ retryAfter: 47, resets: 47, tightest: spent('minute') }));
    expect([after.hold, after.windows]).toEqual([
      undefined,
      [reported('minute', MINUTE_ENDS, 300), counted('hour', HOUR_ENDS)],
    ]);
  });
});

describe('an answer near an edge, or about another budget', () => {
  it('of a refusal is of the window whose end it names, though the next one may have begun', () => {
    const now = at('05:46:59');
    const late = account({
      limits: { minute: 300 },
      ahead: { low: -2000, high: 2000, at: now },
      open: [underWay(4, { at: now })],
    });
    const spent = { name: 'minute', limit: 300, left: 0 } as const;
    const { windows, hold } = settled(late, told({ isRefused: true, retryAfter: 1, tightest: spent }), { now });
    expect([windows, hold]).toEqual([
      [reported('minute', MINUTE_ENDS, 300, { at: now, freesAt: now + 1000 })],
      undefined,
    ]);
  });

  it('of a refusal by the hour tells the minute as it is now', () => {
    const tightest = { name: 'hour', limit: 5000, left: 0 } as const;
    const primary = { limit: 300, left: 295 };
    const { windows } = settled(account(), told({ isRefused: true, retryAfter: 827, resets: 827, tightest, primary }));
    expect(windows).toEqual([
      reported('minute', MINUTE_ENDS, 5),
      reported('hour', HOUR_ENDS, 5000, { freesAt: NOW + 827_000 }),
    ]);
  });

  it('by the hour says nothing of the minute in which a route is counted', () => {
    const limits = { hour: 5000, [`endpoint ${ROUTE}`]: 30 };
    const { windows } = settled(account({ limits }), told({ resets: 827, primary: { limit: 5000, left: 4990 } }));
    expect(windows).toEqual([reported('hour', HOUR_ENDS, 10), counted(`endpoint ${ROUTE}`, MINUTE_ENDS)]);
  });

  it('that says no count is counted on top of what was told before', () => {
    const before = reported('minute', MINUTE_ENDS, 40, { order: 2 });
    const { windows } = settled(account({ windows: [before] }), told({ resets: 47 }));
    expect(windows).toEqual([{ ...before, counted: 1 }, counted('hour', HOUR_ENDS)]);
  });

  it('tells the clock by the rest of the month, also at its beginning', () => {
    const now = Date.parse('2026-11-05T00:00:00Z');
    const known = account({ ahead: { low: -900_000, high: 900_000, at: now }, limits: { minute: 300, month: 9000 } });
    const policy = [
      { limit: 300, seconds: 60 },
      { limit: 9000, seconds: 26 * 86_400 },
    ];
    const { ahead } = learn(known, { ...SAYS_NOTHING, policy }, { route: ROUTE, sent: now, received: now });
    expect(ahead).toEqual({ low: -1000, high: 1000, at: now });
  });
});

describe('a request without an answer', () => {
  it('counts where it may have been counted, once, or nowhere', () => {
    const rest = { ...account(), order: 5, open: [] };
    expect(settled(account(), { kind: 'lost' })).toEqual({
      ...rest,
      windows: [counted('minute', MINUTE_ENDS), counted('hour', HOUR_ENDS)],
    });
    expect(settled(account({ open: [] }), { kind: 'lost' })).toEqual(rest);
    expect(settled(account({ open: [underWay(3)] }), { kind: 'lost' })).toEqual({ ...rest, open: [underWay(3)] });
    expect(settled(account(), { kind: 'free' })).toEqual(rest);
    expect(settled(account({ isHeard: false }), { kind: 'free' })).toEqual({ ...rest, isHeard: false });
    expect(settled(account({ isHeard: false }), { kind: 'untold' })).toEqual(rest);
  });

  it('whose lease went over an edge counts on both sides of it, whenever that is noticed', () => {
    const open = [underWay(3)];
    for (const now of [at('05:47:13'), at('05:48:30')])
      expect(expire(account({ limits: { minute: 300 }, open }), now).windows).toEqual([
        counted('minute', MINUTE_ENDS),
        counted('minute', at('05:48:00')),
      ]);
  });

  it('is told of the budget that frees last, also where that is the shortest one', () => {
    const windows = [
      reported('minute', MINUTE_ENDS, 300, { freesAt: at('07:00:00') }),
      reported('hour', HOUR_ENDS, 5000),
    ];
    const request = { route: ROUTE, priority: 'interactive', pid: 1, now: NOW, lease: 60_000 } as const;
    expect(reserve(account({ windows }), request).decision).toEqual({
      blocked: { budget: 'minute', limit: 300, until: at('07:00:00') },
    });
  });

  it('has no end of a window where it is one of several at the same time, whatever the clocks', () => {
    const known = account({ limits: { concurrency: 20 }, ahead: { low: 5000, high: 5400, at: NOW } });
    expect(readBudgets(known, NOW).map(({ resetsAt }) => resetsAt)).toEqual([undefined]);
  });
});

describe('what an answer teaches', () => {
  const learnt = (more: Partial<QuotaReport>, known: Partial<QuotaAccount> = {}) =>
    learn(account(known), { ...SAYS_NOTHING, ...more }, { route: ROUTE, sent: NOW, received: NOW });
  const policy = (...entries: readonly (readonly [number, number])[]) => ({
    policy: entries.map(([limit, seconds]) => ({ limit, seconds })),
  });
  const limits = { minute: 300, hour: 5000, day: 90_000, month: 1_000_000, concurrency: 20, 'endpoint GET /v1/y': 3 };
  /** Seconds from 2026-11-21T05:46:13Z to the end of the month. */
  const REST = 843_227;

  it('are the windows of its policy; routes and places stay', () => {
    expect(learnt(policy([200, 60], [2_000_000, REST]), { limits }).limits).toEqual({
      minute: 200,
      month: 2_000_000,
      concurrency: 20,
      'endpoint GET /v1/y': 3,
    });
    expect(learnt({}, { limits }).limits).toEqual(limits);
    expect(learnt(policy([4000, 3600]), { limits }).limits).toEqual({ hour: 4000, 'endpoint GET /v1/y': 3 });
  });

  it('is the limit of the primary window, where there is one', () => {
    expect(learnt({ primary: { limit: 250, left: 1 } }).limits).toEqual({ minute: 250, hour: 5000 });
    expect(learnt({ primary: { limit: 250, left: 1 } }, { limits: { concurrency: 2 } }).limits).toEqual({
      concurrency: 2,
    });
  });

  it('is of two entries of one length the first, and the month where it stands last and is the largest', () => {
    expect(learnt(policy([300, 60], [400, 60]), { limits: {} }).limits).toEqual({ minute: 300 });
    const known = { limits: { month: 9000 } };
    expect(learnt(policy([300, 60], [9000, 86_400]), known).limits).toEqual({ minute: 300 });
    expect(learnt(policy([9000, REST], [300, 60]), { limits: {} }).limits).toEqual({ minute: 300 });
    expect(learnt(policy([9000, 60], [300, REST]), { limits: {} }).limits).toEqual({ minute: 9000 });
  });

  it('is the month where it ends within half a day of one', () => {
    const half = 43_200;
    const months = (seconds: number) => learnt(policy([300, 60], [9000, seconds]), { limits: {} }).limits.month;
    expect([REST - half + 1, REST + half - 1].map(months)).toEqual([9000, 9000]);
    expect([REST - half, REST + half, 600_000].map(months)).toEqual([undefined, undefined, undefined]);
  });

  it('is the clock, by the rest of the month first and by the end of the window else', () => {
    const wide = { ahead: { low: -900_000, high: 900_000, at: NOW }, limits };
    // The month has a minute less than our clock says, so the service is a minute ahead.
    expect(learnt({ ...policy([300, 60], [1_000_000, REST - 60]), resets: 47 }, wide).ahead).toEqual({
      low: 59_000,
      high: 61_000,
      at: NOW,
    });
    expect(learnt({ ...policy([300, 60]), resets: 40 }, wide).ahead).toEqual({ low: 6000, high: 8000, at: NOW });
    expect(learnt({ ...policy([300, 60]), resets: 40, isRefused: true }, wide).ahead).toEqual(wide.ahead);
    expect(learnt({ resets: 40 }, { ...wide, limits: { concurrency: 1 } }).ahead).toEqual(wide.ahead);
  });
});

describe('the clock of the service', () => {
  it('keeps what is known where an answer says less, as far as clocks may have drifted since', () => {
    const known = { low: -100, high: 100, at: 0 };
    expect(narrowAhead(known, { second: 20_000, sent: 20_000, received: 20_000 })).toEqual({
      low: -110,
      high: 110,
      at: 20_000,
    });
    expect(narrowAhead({ low: 0, high: 0, at: 9000 }, { second: 10_000, sent: 9000, received: 9000 })).toEqual({
      low: 0,
      high: 0,
      at: 9000,
    });
  });

  it('is guessed in the middle of its bounds, and ours where they hold it', () => {
    expect(serviceTime({ low: 200, high: 600, at: 0 }, 10_000)).toBe(10_400);
    expect([ourTime({ low: 0, high: 10, at: 0 }, 50), ourTime({ low: -10, high: 0, at: 0 }, 50)]).toEqual([50, 50]);
    expect(ourTime({ low: -600, high: -200, at: 0 }, 10_000)).toBe(10_400);
  });

  it('has surely reached a moment that lies before the last look at it', () => {
    expect(surelyReached({ low: -100, high: 0, at: 10_000 }, 5000)).toBe(5100);
    // 10,000 s by the slowest clock: 10,000,000 ms / 0.9995 = 10,005,002.5 ms.
    expect(surelyReached({ low: 0, high: 0, at: 0 }, 10_000_000)).toBe(10_005_003);
  });

  it('has the later one of two boundaries that are equally near', () => {
    expect(nearestBoundary('minute', at('05:46:30'))).toBe(MINUTE_ENDS);
  });
});

describe('the file of the books', () => {
  const OWNER = { service: 'https://svc.example', access: 'keyless' };
  const refusal = (path: string) => {
    try {
      void openLedger(path, OWNER).close();
    } catch (error) {
      const { kind, code, message, hint } = error as Record<string, unknown>;
      return { kind, code, message, hint };
    }
    return undefined;
  };

  it('is written with a log, by one who does not wait for the disk', () => {
    const path = join(freshFolder(), 'quota.db');
    void openLedger(path, OWNER).close();
    const db = new Database(path);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    db.close();
  });

  it('that is none is refused with what to do, and so is one in a folder that is not there', () => {
    const path = join(freshFolder(), 'quota.db');
    writeFileSync(path, 'This is no database, and it is long enough to be taken for one. '.repeat(20));
    chmodSync(path, 0o600);
    const unusable = {
      kind: 'mirror',
      code: 'ledger_unusable',
      hint: 'Let its folder be written, or remove the file: it is made anew.',
    };
    expect(refusal(path)).toEqual({
      ...unusable,
      message: `The quota ledger ${path} cannot be used: file is not a database.`,
    });
    expect(() => openLedger(join(path, 'none', 'quota.db'), OWNER)).toThrow();
  });

  it('is left alone once it is closed', async () => {
    const path = join(freshFolder(), 'quota.db');
    const books = openLedger(path, OWNER);
    await books.close();
    await expect(books.read(NOW)).rejects.toThrow('The database connection is not open');
  });
});
