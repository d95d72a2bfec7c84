import { type Account, forgotten, openAccount } from './account.ts';
import { type Decision, type Granted, reserve, type Wish } from './reserve.ts';
import { settle } from './settle.ts';
import type { Outcome } from './quota-report.ts';

/**
 * The books of one access to one service. Whoever wants to send a request reserves it first and settles it by its answer;
 * `readBudgets(ledger.read(), now)` says what is left.
 */
export interface Ledger {
  reserve(wish: Wish): Decision;
  settle(granted: Granted, outcome: Outcome, now: number): void;
  /** As it is written; expired reservations are still in it. */
  read(now: number): Account;
  /** Drops everything that is known: the next answer tells it anew. */
  forget(now: number): void;
  close(): void;
}

/** Books that only this process keeps. */
export function memoryLedger(access: string): Ledger {
  let account: Account | undefined;
  const at = (now: number) => account ?? openAccount(access, now);
  return {
    reserve(wish) {
      const done = reserve(at(wish.now), wish);
      account = done.account;
      return done.decision;
    },
    settle(granted, outcome, now) {
      account = settle(at(now), granted, outcome, now);
    },
    read: at,
    forget(now) {
      account = forgotten(at(now), access, now);
    },
    close() {},
  };
}
