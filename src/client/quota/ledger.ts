import { forgotten, openAccount, type QuotaAccount } from './account.ts';
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

/** Books that go on in memory when the file fails, which is told once: no question fails because of bookkeeping. */
export function withFallback(
  first: QuotaLedger,
  second: QuotaLedger,
  onTrouble: (error: unknown) => void,
): QuotaLedger {
  let books = first;
  function trying<T>(work: (ledger: QuotaLedger) => T): T {
    try {
      return work(books);
    } catch (error) {
      if (books === second) throw error;
      books = second;
      onTrouble(error);
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
