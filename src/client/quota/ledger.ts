import type { Clock } from '../../platform/platform.ts';
import { forgotten, openAccount, type QuotaAccount, shifted } from './account.ts';
import type { Outcome } from './rate-headers.ts';
import { type Decision, type Granted, type ReservationRequest, reserve, settleReservation } from './reservations.ts';

/** Books of one access to one service: a request is reserved first, then settled by its answer. */
export interface QuotaLedger {
  reserve(request: ReservationRequest): Promise<Decision>;
  settle(granted: Granted, outcome: Outcome, now: number): Promise<void>;
  /** As it is written; expired reservations are still in it. */
  read(now: number): Promise<QuotaAccount>;
  /** Drops everything that is known: the next answer tells it anew. */
  forget(now: number): Promise<void>;
  close(): Promise<void>;
}

/** Whose account: a service by its origin, and `keyless` or the fingerprint of a key. */
export interface Owner {
  readonly service: string;
  readonly access: string;
}

/** An account as text, empty at first. `now`: the clock of its store in milliseconds, if its users have their own. */
interface StoredAccount {
  readonly text: string;
  readonly now?: number;
}

/** A place for an account, which one process changes at a time. */
export interface AccountStore {
  read(): StoredAccount | Promise<StoredAccount>;
  change<T>(work: (stored: StoredAccount) => readonly [text: string, told: T]): T | Promise<T>;
  close(): void | Promise<void>;
}

/** Books in a store. They are dated by its clock. */
export function ledgerOver(store: AccountStore, access: string): QuotaLedger {
  async function change<T>(ours: number, work: (account: QuotaAccount, at: number) => readonly [QuotaAccount, T]) {
    return store.change(({ text, now: at = ours }) => {
      const [account, told] = work(accountIn(text, at), at);
      return [JSON.stringify(account), told];
    });
  }
  // Only `change` writes it; a store of another version was refused.
  const accountIn = (text: string, at: number): QuotaAccount =>
    text === '' ? openAccount(access, at) : JSON.parse(text);
  return {
    reserve: (request) =>
      change(request.now, (before, at) => {
        const { account, decision } = reserve(before, { ...request, now: at });
        const { blocked } = decision;
        if (blocked?.until === undefined) return [account, decision];
        return [account, { blocked: { ...blocked, until: blocked.until - at + request.now } }];
      }),
    settle: (granted, outcome, now) =>
      change(now, (account, at) => [settleReservation(account, granted, outcome, at), undefined]),
    async read(ours) {
      const { text, now = ours } = await store.read();
      return shifted(accountIn(text, now), ours - now);
    },
    forget: (now) => change(now, (account, at) => [forgotten(account, access, at), undefined]),
    close: async () => store.close(),
  };
}

/** Books of this process alone. */
export function memoryLedger(access: string): QuotaLedger {
  let text = '';
  const store: AccountStore = {
    read: () => ({ text }),
    change(work) {
      const [changed, told] = work({ text });
      text = changed;
      return told;
    },
    close() {},
  };
  return ledgerOver(store, access);
}

/** A place for books; `open` gives none where there is no such place. */
export interface LedgerPlace {
  /** Who shares them. */
  readonly of: string;
  open(): Promise<QuotaLedger | undefined>;
}

/** Milliseconds until places that failed are tried again. */
const RETRY_MS = 60_000;

/** The books of the first place that works. `onTrouble` tells, once a place, why the next one counts. */
export function firstWorking(
  places: readonly LedgerPlace[],
  clock: Pick<Clock, 'now'>,
  onTrouble: (error: unknown, next: string) => void,
): QuotaLedger {
  const opened = new Map<LedgerPlace, Promise<QuotaLedger | undefined>>();
  const keepers = new WeakMap<Granted, QuotaLedger>();
  const reported = new Set<LedgerPlace>();
  let first = 0;
  let retryAt = 0;

  function openAt(place: LedgerPlace): Promise<QuotaLedger | undefined> {
    const opening = opened.get(place) ?? place.open();
    opened.set(place, opening);
    opening.catch(() => opened.delete(place));
    return opening;
  }
  async function trying<T>(work: (ledger: QuotaLedger) => Promise<T>): Promise<T> {
    if (clock.now() >= retryAt) first = 0;
    for (;;) {
      const at = first;
      const [place, next] = [places[at], places[at + 1]];
      if (!place) throw new Error('No place keeps the books');
      try {
        const ledger = await openAt(place);
        if (ledger) return await work(ledger);
      } catch (error) {
        if (!next) throw error;
        if (!reported.has(place)) onTrouble(error, next.of);
        reported.add(place);
      }
      if (first === at) [first, retryAt] = [at + 1, clock.now() + RETRY_MS];
    }
  }
  return {
    reserve: (request) =>
      trying(async (ledger) => {
        const decision = await ledger.reserve(request);
        if (decision.granted) keepers.set(decision.granted, ledger);
        return decision;
      }),
    // Whoever granted a request counts it. Where that fails, its lease ends it.
    settle: async (granted, outcome, now) =>
      keepers
        .get(granted)
        ?.settle(granted, outcome, now)
        .catch(() => undefined),
    read: (now) => trying((ledger) => ledger.read(now)),
    forget: (now) => trying((ledger) => ledger.forget(now)),
    async close() {
      for (const opening of opened.values()) await (await opening)?.close();
    },
  };
}
