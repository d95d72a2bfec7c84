import { forgotten, openAccount, type QuotaAccount } from './account.ts';
import type { Outcome } from './quota-report.ts';
import { type Decision, type Granted, type ReservationRequest, reserve } from './reserve.ts';
import { settleReservation } from './settle.ts';

/**
 * The books of one access to one service. Whoever wants to send a request reserves it first and settles it by its answer;
 * `readBudgets(ledger.read(), now)` says what is left.
 */
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
