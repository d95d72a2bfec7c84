import type { QuotaLedger } from './ledger.ts';

/**
 * Books that go on in memory when the file fails, which is told once: no question fails because of bookkeeping.
 */
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
