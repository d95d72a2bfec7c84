import type Database from 'better-sqlite3';
import { type Account, type Limits, openAccount, type Priority, type Reserved, type WindowCount } from './account.ts';
import type { BudgetName } from './budget.ts';

/** Whose account: a service by its origin, and `keyless` or the fingerprint of a key. */
export interface Owner {
  readonly service: string;
  readonly access: string;
}

interface AccountRow {
  readonly id: number;
  readonly ord: number;
  readonly heard: number;
  readonly told: number;
  readonly limits: string;
  readonly ahead_low: number;
  readonly ahead_high: number;
  readonly ahead_at: number;
  readonly hold_budget: string | null;
  readonly hold_until: number | null;
}

interface WindowRow {
  readonly budget: string;
  readonly ends: number;
  readonly counted: number;
  readonly told_used: number | null;
  readonly told_includes: number | null;
  readonly told_ord: number | null;
  readonly told_at: number | null;
}

interface ReservedRow extends Omit<Reserved, 'priority' | 'seen'> {
  readonly priority: string;
  readonly seen: string;
}

/** Reads and writes accounts; each call is part of the caller's transaction. */
export interface AccountRows {
  load(owner: Owner, now: number): Account;
  /** Writes what differs from the account as it was loaded. */
  save(owner: Owner, before: Account, after: Account): void;
}

export function accountRows(db: Database.Database): AccountRows {
  const sql = prepareAll(db);
  return {
    load({ service, access }, now) {
      const row = sql.account.get(service, access);
      if (!row) return openAccount(access, now);
      const windows = sql.windows.all(row.id).map(readWindow);
      return { ...readAccount(row), windows, open: sql.reservations.all(row.id).map(readReserved) };
    },
    save({ service, access }, before, after) {
      const { order, isHeard, isTold, limits, ahead, hold } = after;
      const flags = [order, Number(isHeard), Number(isTold), JSON.stringify(limits)];
      const bounds = [ahead.low, ahead.high, ahead.at, hold?.budget ?? null, hold?.until ?? null];
      const id = sql.putAccount.get(service, access, ...flags, ...bounds);
      for (const one of before.windows) if (!after.windows.includes(one)) sql.dropWindow.run(id, one.budget, one.ends);
      for (const one of after.windows) if (!before.windows.includes(one)) sql.putWindow.run(id, ...windowValues(one));
      for (const one of before.open) if (!after.open.includes(one)) sql.dropReserved.run(id, one.id);
      for (const one of after.open) if (!before.open.includes(one)) sql.putReserved.run(id, ...reservedValues(one));
    },
  };
}

function prepareAll(db: Database.Database) {
  return {
    account: db.prepare<unknown[], AccountRow>('select * from accounts where service = ? and access = ?'),
    windows: db.prepare<unknown[], WindowRow>('select * from windows where account = ?'),
    reservations: db.prepare<unknown[], ReservedRow>('select * from reservations where account = ? order by id'),
    putAccount: db
      .prepare<unknown[], number>(
        `insert into accounts (service, access, ord, heard, told, limits, ahead_low, ahead_high, ahead_at, hold_budget, hold_until)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (service, access) do update set
         ord = excluded.ord, heard = excluded.heard, told = excluded.told, limits = excluded.limits,
         ahead_low = excluded.ahead_low, ahead_high = excluded.ahead_high, ahead_at = excluded.ahead_at,
         hold_budget = excluded.hold_budget, hold_until = excluded.hold_until
       returning id`,
      )
      .pluck(),
    putWindow: db.prepare('insert into windows values (?, ?, ?, ?, ?, ?, ?, ?)'),
    dropWindow: db.prepare('delete from windows where account = ? and budget = ? and ends = ?'),
    putReserved: db.prepare('insert into reservations values (?, ?, ?, ?, ?, ?, ?, ?)'),
    dropReserved: db.prepare('delete from reservations where account = ? and id = ?'),
  };
}

function readAccount(row: AccountRow): Omit<Account, 'windows' | 'open'> {
  const { ord, heard, told, limits, ahead_low, ahead_high, ahead_at, hold_budget, hold_until } = row;
  return {
    order: ord,
    isHeard: heard === 1,
    isTold: told === 1,
    limits: JSON.parse(limits) as Limits, // written by `save` only
    ahead: { low: ahead_low, high: ahead_high, at: ahead_at },
    hold: hold_budget !== null && hold_until !== null ? { budget: hold_budget, until: hold_until } : undefined,
  };
}

function readWindow(row: WindowRow): WindowCount {
  const { budget, ends, counted, told_used: used, told_includes: includes, told_ord: order, told_at: at } = row;
  const isTold = used !== null && includes !== null && order !== null && at !== null;
  const told = isTold ? { used, includes, order, at } : undefined;
  return { budget: budget as BudgetName, ends, counted, told }; // written by `save` only
}

function windowValues({ budget, ends, counted, told }: WindowCount): readonly unknown[] {
  return [budget, ends, counted, told?.used ?? null, told?.includes ?? null, told?.order ?? null, told?.at ?? null];
}

function readReserved({ id, route, at, until, pid, priority, seen }: ReservedRow): Reserved {
  const told = JSON.parse(seen) as Reserved['seen']; // written by `save` only
  return { id, route, at, until, pid, priority: priority as Priority, seen: told };
}

function reservedValues({ id, route, at, until, pid, priority, seen }: Reserved): readonly unknown[] {
  return [id, route, at, until, pid, priority, JSON.stringify(seen)];
}
