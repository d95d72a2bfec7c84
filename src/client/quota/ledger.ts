import { forgotten, openAccount, type QuotaAccount, shifted } from './account.ts';
import type { Outcome } from './rate-headers.ts';
import { type Decision, type Granted, type ReservationRequest, reserve } from './reserve.ts';
import { settleReservation } from './settle.ts';

/** Books of one access to one service: a request is reserved first, then settled by its answer. */
export interface QuotaLedger {
  reserve(request: ReservationRequest): Decision;
  settle(granted: Granted, outcome: Outcome, now: number): void;
  /** As it is written; expired reservations are still in it. */
  read(now: number): QuotaAccount;
  /** Drops everything that is known: the next answer tells it anew. */
  forget(now: number): void;
  close(): void;
}

/** Books whose keeper may answer later. */
export type LaterLedger = {
  [Name in keyof QuotaLedger]: (
    ...given: Parameters<QuotaLedger[Name]>
  ) => ReturnType<QuotaLedger[Name]> | Promise<Awaited<ReturnType<QuotaLedger[Name]>>>;
};

/** Whose account: a service by its origin, and `keyless` or the fingerprint of a key. */
export interface Owner {
  readonly service: string;
  readonly access: string;
}

/** Accounts that several machines share, each a text that one of them changes at a time. `now`: their clock in milliseconds. */
export interface AccountTable {
  read(owner: Owner): Promise<{ readonly text: string; readonly now: number } | undefined>;
  change<T>(
    owner: Owner,
    work: (stored: string | undefined, now: number) => readonly [text: string, told: T],
  ): Promise<T>;
}

/** Books in such a table. They are dated by its clock, because clocks of machines differ. */
export function tableLedger(table: AccountTable, owner: Owner): LaterLedger {
  const { access } = owner;
  // One after the other, so that this process waits with one connection.
  let last: Promise<unknown> = Promise.resolve();
  function change<T>(work: (account: QuotaAccount, at: number) => readonly [QuotaAccount, T]): Promise<T> {
    const changed = last.then(() =>
      table.change(owner, (stored, at) => {
        const [account, told] = work(stored === undefined ? openAccount(access, at) : JSON.parse(stored), at);
        return [JSON.stringify(account), told];
      }),
    );
    last = changed.catch(() => undefined);
    return changed;
  }
  return {
    reserve: (request) =>
      change((before, at) => {
        const { account, decision } = reserve(before, { ...request, now: at });
        const { blocked } = decision;
        if (blocked?.until === undefined) return [account, decision];
        return [account, { blocked: { ...blocked, until: blocked.until - at + request.now } }];
      }),
    settle: (granted, outcome) =>
      change((account, at) => [settleReservation(account, granted, outcome, at), undefined]),
    async read(now) {
      const found = await table.read(owner);
      return found ? shifted(JSON.parse(found.text), now - found.now) : openAccount(access, now);
    },
    forget: () => change((account, at) => [forgotten(account, access, at), undefined]),
    close: async () => void (await last),
  };
}

/** Books that only this process keeps. */
export function memoryLedger(access: string): QuotaLedger {
  let account: QuotaAccount | undefined;
  const at = (now: number) => account ?? openAccount(access, now);
  return {
    reserve(request) {
      const done = reserve(at(request.now), request);
      account = done.account;
      return done.decision;
    },
    settle(granted, outcome, now) {
      account = settleReservation(at(now), granted, outcome, now);
    },
    read: at,
    forget(now) {
      account = forgotten(at(now), access, now);
    },
    close() {},
  };
}

/** A ledger that goes on in memory, reported once, when `first` fails: bookkeeping makes no question fail. */
export function withFallback(
  first: LaterLedger,
  second: LaterLedger,
  onTrouble: (error: unknown) => void,
): LaterLedger {
  let books = first;
  async function trying<T>(work: (ledger: LaterLedger) => T | Promise<T>): Promise<T> {
    const used = books;
    try {
      return await work(used);
    } catch (error) {
      if (used === second) throw error;
      if (books === first) onTrouble(error);
      books = second;
      return work(books);
    }
  }
  return {
    reserve: (request) => trying((ledger) => ledger.reserve(request)),
    settle: (granted, outcome, now) => trying((ledger) => ledger.settle(granted, outcome, now)),
    read: (now) => trying((ledger) => ledger.read(now)),
    forget: (now) => trying((ledger) => ledger.forget(now)),
    close: () => first.close(),
  };
}
