import { describe, expect, it } from 'vitest';
import {
  budgetsOf,
  expire,
  findWindow,
  forgotten,
  openAccount,
  openIn,
  possibleEnds,
  primaryOf,
  type QuotaAccount,
  type Reserved,
  settledIn,
  windowKey,
  withQuotaWindow,
} from '../../../src/client/quota/account.ts';
import { blockedUntil, readBudgets } from '../../../src/client/quota/budgets.ts';
import { firstWorking, type LedgerPlace, memoryLedger, type QuotaLedger } from '../../../src/client/quota/ledger.ts';
import { type ReservationRequest, reserve } from '../../../src/client/quota/reservations.ts';

const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
const NOW = at('05:46:13');
const MINUTE_ENDS = at('05:47:00');
const HOUR_ENDS = at('06:00:00');
const KEY = 'key:0123456789ab';
const ROUTE = 'GET /v1/x';

const request: ReservationRequest = { route: ROUTE, priority: 'interactive', pid: 7, now: NOW, lease: 60_000 };
const underWay = (id: number, more: Partial<Reserved> = {}): Reserved => ({
  id,
  route: ROUTE,
  at: NOW - 10_000,
  until: NOW + 50_000,
  pid: 1,
  priority: 'interactive',
  seen: {},
  ...more,
});
/** An account that the service has answered, its clock equal to ours. */
const heard = (more: Partial<QuotaAccount>): QuotaAccount => ({
  ...openAccount(KEY, NOW),
  isHeard: true,
  isTold: true,
  ahead: { low: 0, high: 0, at: NOW },
  ...more,
});
const minuteOf = (used: number, more: object = {}) => ({
  budget: 'minute' as const,
  ends: MINUTE_ENDS,
  counted: 0,
  report: { used, includes: 0, order: 1, at: NOW, ...more },
});
const hourOf = (used: number) => ({ ...minuteOf(used), budget: 'hour' as const, ends: HOUR_ENDS });

describe('an account of which nothing is known', () => {
  it('has the published limits', () => {
    const nothing = {
      order: 0,
      isHeard: false,
      isTold: false,
      ahead: { low: -2000, high: 2000, at: NOW },
      hold: undefined,
      windows: [],
      open: [],
    };
    const keyed = { minute: 300, hour: 5000, month: 1_000_000, concurrency: 20 };
    expect(openAccount(KEY, NOW)).toEqual({ ...nothing, limits: keyed });
    expect(openAccount('keyless', NOW)).toEqual({ ...nothing, limits: { day: 100 } });
  });

  it('keeps its order and what is under way where it was forgotten', () => {
    const known = heard({
      order: 9,
      open: [underWay(9)],
      windows: [minuteOf(5)],
      hold: { budget: '', until: NOW + 1 },
    });
    expect(forgotten(known, KEY, NOW)).toEqual({ ...openAccount(KEY, NOW), order: 9, open: [underWay(9)] });
  });
});

describe('the windows of an account', () => {
  const three = [
    minuteOf(1),
    { ...minuteOf(2), ends: MINUTE_ENDS - 60_000 },
    { ...minuteOf(3), budget: 'hour' as const },
  ];

  it('are told apart by budget and end', () => {
    const account = heard({ windows: three });
    expect(three.map(windowKey)).toEqual([
      `minute@${MINUTE_ENDS}`,
      `minute@${MINUTE_ENDS - 60_000}`,
      `hour@${MINUTE_ENDS}`,
    ]);
    expect(findWindow(account, 'hour', MINUTE_ENDS)).toBe(three[2]);
    expect(findWindow(account, 'minute', MINUTE_ENDS)).toBe(three[0]);
    expect(findWindow(account, 'hour', HOUR_ENDS)).toEqual({
      budget: 'hour',
      ends: HOUR_ENDS,
      counted: 0,
      report: undefined,
    });
    const changed = { ...minuteOf(1), counted: 4 };
    expect(withQuotaWindow(account, changed).windows).toEqual([three[1], three[2], changed]);
  });

  it('hold what was told and what came on top of that', () => {
    expect(settledIn({ budget: 'minute', ends: MINUTE_ENDS, counted: 5, report: undefined })).toBe(5);
    expect(settledIn({ ...minuteOf(40, { includes: 3 }), counted: 5 })).toBe(42);
  });

  it('are two where the clocks leave open on which side of an edge the service is', () => {
    const account = openAccount(KEY, at('05:46:00'));
    const ends = (from: string, to = from) => possibleEnds(account, 'minute', { from: at(from), to: at(to) });
    expect(ends('05:46:30')).toEqual([at('05:47:00')]);
    expect(ends('05:46:59')).toEqual([at('05:47:00'), at('05:48:00')]);
    expect(ends('05:47:01')).toEqual([at('05:47:00'), at('05:48:00')]);
    expect(ends('05:46:30', '05:49:30')).toEqual([at('05:47:00'), at('05:50:00')]);
  });

  it('count a request under way in each of its budgets', () => {
    const account = heard({ open: [underWay(1), underWay(2, { route: 'POST /v1/y' }), underWay(3)] });
    expect(openIn(account, 'minute')).toBe(3);
    expect(openIn(account, 'month')).toBe(3);
    expect(openIn(account, 'concurrency')).toBe(3);
    expect(openIn(account, `endpoint ${ROUTE}`)).toBe(2);
    expect(openIn(account, 'endpoint POST /v1/y')).toBe(1);
  });

  it('are those that have a limit, the shortest first, and that of the route', () => {
    const limits = { month: 9, minute: 3, [`endpoint ${ROUTE}`]: 2, concurrency: 1 };
    expect(budgetsOf({ limits }, ROUTE)).toEqual(['minute', 'month', `endpoint ${ROUTE}`]);
    expect(budgetsOf({ limits }, 'GET /v1/y')).toEqual(['minute', 'month']);
    expect([primaryOf(limits), primaryOf({ day: 1, month: 2 }), primaryOf({ concurrency: 1 })]).toEqual([
      'minute',
      'day',
      undefined,
    ]);
  });
});

describe('a reservation', () => {
  const decided = (account: QuotaAccount, more: Partial<ReservationRequest> = {}) =>
    reserve(account, { ...request, ...more }).decision;
  const blocked = (budget: string, limit: number, until: number | undefined) => ({ blocked: { budget, limit, until } });

  it('is written down with what was counted when it was made', () => {
    const windows = [{ ...minuteOf(5), counted: 3 }];
    const { account, decision } = reserve(heard({ order: 4, windows }), request);
    expect(decision).toEqual({ granted: { id: 5, route: ROUTE, at: NOW } });
    expect(account).toEqual(
      heard({
        order: 5,
        windows,
        open: [
          {
            id: 5,
            route: ROUTE,
            at: NOW,
            until: NOW + 60_000,
            pid: 7,
            priority: 'interactive',
            seen: { [`minute@${MINUTE_ENDS}`]: 3 },
          },
        ],
      }),
    );
  });

  it('is alone for two seconds before the first answer', () => {
    const first = reserve(openAccount(KEY, NOW), request).account;
    expect(decided(first)).toEqual(blocked('concurrency', 1, undefined));
    expect(decided(first, { now: NOW + 1999 })).toEqual(blocked('concurrency', 1, undefined));
    expect(decided(first, { now: NOW + 2000 })).toHaveProperty('granted');
    expect(decided({ ...first, isHeard: true })).toHaveProperty('granted');
  });

  it('waits as long as the service asked for', () => {
    const held = heard({ hold: { budget: 'concurrency', until: NOW + 500 } });
    expect(decided(held)).toEqual(blocked('concurrency', 0, NOW + 500));
    expect(decided(held, { now: NOW + 499 })).toEqual(blocked('concurrency', 0, NOW + 500));
    expect(decided(held, { now: NOW + 500 })).toHaveProperty('granted');
    expect([blockedUntil(held, NOW), blockedUntil(held, NOW + 500)]).toEqual([NOW + 500, undefined]);
  });

  it('needs room in each window besides what is under way', () => {
    const full = (used: number, open: number) =>
      heard({ windows: [minuteOf(used)], open: Array.from({ length: open }, (_, i) => underWay(i + 1)) });
    expect(decided(full(299, 0))).toHaveProperty('granted');
    expect(decided(full(298, 1))).toHaveProperty('granted');
    expect(decided(full(298, 2))).toEqual(blocked('minute', 300, undefined));
    expect(decided(full(299, 1))).toEqual(blocked('minute', 300, undefined));
    // 47 s to the end of the minute, and 23.51 ms for clocks that drift apart by half a thousandth.
    expect(decided(full(300, 0))).toEqual(blocked('minute', 300, MINUTE_ENDS + 24));
    expect(decided(full(301, 0))).toEqual(blocked('minute', 300, MINUTE_ENDS + 24));
  });

  it('is told of the budget that frees last', () => {
    const windows = [minuteOf(300), hourOf(5000)];
    expect(decided(heard({ windows }))).toEqual(blocked('hour', 5000, HOUR_ENDS + 414));
    expect(decided(heard({ windows: [...windows].reverse() }))).toEqual(blocked('hour', 5000, HOUR_ENDS + 414));
  });

  it('believes a refusal over the end of the window', () => {
    const refused = heard({ windows: [minuteOf(300, { freesAt: NOW + 20_000 })] });
    expect(decided(refused)).toEqual(blocked('minute', 300, NOW + 20_000));
    expect(decided(refused, { now: NOW + 19_999 })).toEqual(blocked('minute', 300, NOW + 20_000));
    expect(decided(refused, { now: NOW + 20_000 })).toHaveProperty('granted');
  });

  it('has one of so many places at the same time', () => {
    const places = (open: number) => heard({ open: Array.from({ length: open }, (_, i) => underWay(i + 1)) });
    expect(decided(places(19))).toHaveProperty('granted');
    expect(decided(places(20))).toEqual(blocked('concurrency', 20, undefined));
    expect(decided({ ...places(30), limits: { minute: 300 } })).toHaveProperty('granted');
  });

  it('of work in the background leaves a rest for people: 2 of 300 a minute, 2 of 20 places', () => {
    const background = { priority: 'background' } as const;
    expect(decided(heard({ windows: [minuteOf(297)] }), background)).toHaveProperty('granted');
    expect(decided(heard({ windows: [minuteOf(298)] }), background)).toEqual(blocked('minute', 300, MINUTE_ENDS + 24));
    const places = (open: number) => heard({ open: Array.from({ length: open }, (_, i) => underWay(i + 1)) });
    expect(decided(places(17), background)).toHaveProperty('granted');
    expect(decided(places(18), background)).toEqual(blocked('concurrency', 20, undefined));
  });

  it('of a route counts in the budget of that route alone', () => {
    const limits = { minute: 300, [`endpoint ${ROUTE}`]: 2 };
    const open = [underWay(1), underWay(2)];
    expect(decided(heard({ limits, open }))).toEqual(blocked(`endpoint ${ROUTE}`, 2, undefined));
    expect(decided(heard({ limits, open }), { route: 'GET /v1/y' })).toHaveProperty('granted');
  });
});

describe('with time', () => {
  it('a reservation whose lease is over counts wherever it may have been counted', () => {
    const account = heard({
      limits: { minute: 300, hour: 5000 },
      open: [underWay(1), underWay(2, { until: NOW + 1 })],
    });
    expect(expire(account, NOW)).toBe(account);
    expect(expire(account, NOW + 1)).toEqual({
      ...account,
      open: [underWay(1)],
      windows: [
        { budget: 'minute', ends: MINUTE_ENDS, counted: 1, report: undefined },
        { budget: 'hour', ends: HOUR_ENDS, counted: 1, report: undefined },
      ],
    });
  });

  it('and so does one of before the clock was set back by more than its lease', () => {
    const later = underWay(1, { at: NOW + 60_000, until: NOW + 120_000 });
    const account = heard({ limits: { hour: 5000 }, open: [later] });
    expect(expire(account, NOW)).toBe(account);
    expect(expire(account, NOW - 1).open).toEqual([]);
    expect(expire(account, NOW - 1).windows).toEqual([
      { budget: 'hour', ends: HOUR_ENDS, counted: 1, report: undefined },
    ]);
  });

  it('a window is remembered for two minutes after its end', () => {
    const account = heard({ windows: [minuteOf(5), hourOf(9)] });
    // Clocks drift apart by half a thousandth: 83 ms in the 167 s from the account’s last look at the clock.
    const over = MINUTE_ENDS + 120_000;
    expect(expire(account, over).windows).toEqual([minuteOf(5), hourOf(9)]);
    expect(expire(account, over + 100).windows).toEqual([hourOf(9)]);
  });

  it('nothing is held back any more', () => {
    const account = heard({ hold: { budget: 'hour', until: NOW } });
    expect(expire(account, NOW - 1)).toBe(account);
    expect(expire(account, NOW)).toEqual({ ...account, hold: undefined });
  });
});

describe('what is left', () => {
  it('is told of all budgets, shortest window first, routes by their names', () => {
    const limits = { month: 10, concurrency: 4, 'endpoint GET /v1/y': 6, hour: 8, [`endpoint ${ROUTE}`]: 5, minute: 7 };
    const account = heard({ limits, windows: [minuteOf(9)], open: [underWay(1)] });
    const rest = { toldAt: undefined, source: 'counted' } as const;
    expect(readBudgets(account, NOW)).toEqual([
      {
        budget: 'minute',
        limit: 7,
        used: 9,
        reserved: 1,
        left: 0,
        leftForBackground: 0,
        resetsAt: MINUTE_ENDS,
        source: 'header',
        toldAt: NOW,
      },
      {
        ...rest,
        budget: `endpoint ${ROUTE}`,
        limit: 5,
        used: 0,
        reserved: 1,
        left: 4,
        leftForBackground: 2,
        resetsAt: MINUTE_ENDS,
      },
      {
        ...rest,
        budget: 'endpoint GET /v1/y',
        limit: 6,
        used: 0,
        reserved: 0,
        left: 6,
        leftForBackground: 4,
        resetsAt: MINUTE_ENDS,
      },
      { ...rest, budget: 'hour', limit: 8, used: 0, reserved: 1, left: 7, leftForBackground: 5, resetsAt: HOUR_ENDS },
      {
        ...rest,
        budget: 'month',
        limit: 10,
        used: 0,
        reserved: 1,
        left: 9,
        leftForBackground: 7,
        resetsAt: Date.parse('2026-12-01T00:00:00Z'),
      },
      {
        ...rest,
        budget: 'concurrency',
        limit: 4,
        used: 0,
        reserved: 1,
        left: 3,
        leftForBackground: 1,
        resetsAt: undefined,
      },
    ]);
  });
});

describe('books in memory', () => {
  it('know what was reserved and settled, until they forget', async () => {
    const books = memoryLedger('keyless');
    expect(await books.read(NOW)).toEqual(openAccount('keyless', NOW));
    const { granted } = await books.reserve(request);
    if (!granted) throw new Error('The first request must pass');
    expect((await books.read(NOW)).open.map(({ id }) => id)).toEqual([1]);
    await books.settle(granted, { kind: 'lost' }, NOW);
    expect(readBudgets(await books.read(NOW), NOW)).toMatchObject([{ budget: 'day', used: 1, reserved: 0 }]);
    await books.forget(NOW);
    expect(await books.read(NOW)).toEqual({ ...openAccount('keyless', NOW), order: 2 });
    await books.close();
  });
});

describe('books at the first place that works', () => {
  /** A place that fails while `isDown`, and books in memory besides. */
  function placeOf(name: string, calls: string[]) {
    const books = memoryLedger(KEY);
    const place = { of: name, isDown: false, books, open: async () => ledger };
    const tried = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      calls.push(`${name} ${what}`);
      if (place.isDown) throw new Error(name);
      return work();
    };
    const ledger: QuotaLedger = {
      reserve: (given) => tried('reserve', () => books.reserve(given)),
      settle: (...given) => tried('settle', () => books.settle(...given)),
      read: (now) => tried('read', () => books.read(now)),
      forget: (now) => tried('forget', () => books.forget(now)),
      close: async () => void calls.push(`${name} close`),
    };
    return place;
  }
  function world() {
    const [calls, told]: [string[], unknown[]] = [[], []];
    const clock = { at: NOW, now: () => clock.at };
    const [server, file] = [placeOf('server', calls), placeOf('file', calls)];
    const places: readonly LedgerPlace[] = [server, file];
    const books = firstWorking(places, clock, (error, next) => told.push([error, next]));
    return { calls, told, clock, server, file, books };
  }

  it.each<[string, (books: QuotaLedger) => Promise<unknown>]>([
    ['reserve', async (books) => expect(await books.reserve(request)).toHaveProperty('granted')],
    ['read', async (books) => expect(await books.read(NOW)).toEqual(openAccount(KEY, NOW))],
    ['forget', (books) => books.forget(NOW)],
  ])('are the next one when %s fails, for a minute; each place is told once', async (name, use) => {
    const { calls, told, clock, server, books } = world();
    server.isDown = true;
    await use(books);
    clock.at += 59_999;
    await books.read(NOW);
    clock.at += 1;
    await books.read(NOW);
    server.isDown = false;
    clock.at += 60_000;
    await books.read(NOW);
    expect(calls).toEqual([`server ${name}`, `file ${name}`, 'file read', 'server read', 'file read', 'server read']);
    expect(told).toEqual([[new Error('server'), 'file']]);
    calls.length = 0;
    await books.close();
    expect(calls).toEqual(['server close', 'file close']);
  });

  it('fail where no place works', async () => {
    const { told, server, file, books } = world();
    server.isDown = true;
    file.isDown = true;
    await expect(books.read(NOW)).rejects.toThrow('file');
    await expect(books.forget(NOW)).rejects.toThrow('file');
    expect(told).toEqual([[new Error('server'), 'file']]);
  });

  it('settle a request where it was reserved, or leave it to its lease', async () => {
    const { calls, server, file, books } = world();
    const { granted } = await books.reserve(request);
    if (!granted) throw new Error('The first request must pass');
    server.isDown = true;
    await books.read(NOW);
    await books.settle(granted, { kind: 'free' }, NOW);
    expect(calls).toEqual(['server reserve', 'server read', 'file read', 'server settle']);
    expect((await server.books.read(NOW)).open).toHaveLength(1);
    server.isDown = false;
    await books.settle(granted, { kind: 'free' }, NOW);
    expect((await server.books.read(NOW)).open).toEqual([]);
    expect(await file.books.read(NOW)).toEqual(openAccount(KEY, NOW));
  });

  it('pass over a place that there is not, without a word', async () => {
    const told: unknown[] = [];
    const file = memoryLedger(KEY);
    const nowhere = { of: 'server', open: async () => undefined };
    const places = [nowhere, { of: 'file', open: async () => file }];
    const books = firstWorking(places, { now: () => NOW }, (error) => told.push(error));
    await books.reserve(request);
    expect([(await file.read(NOW)).order, told]).toEqual([1, []]);
  });
});
