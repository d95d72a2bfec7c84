import type { LedgerStep, LedgerWork } from './statement.ts';

/** How an engine does operations on the ledger. */
export interface LedgerAccess {
  read<T>(work: () => LedgerWork<T>): Promise<T>;
  /** In one transaction that no other writer is in. */
  change<T>(work: () => LedgerWork<T>): Promise<T>;
  /** The same for work of one statement. A file needs no other transaction for it, which saves a sixth of the time. */
  changeOnce<T>(work: () => LedgerWork<T>): Promise<T>;
  /** The same for what a program may still note after it lost its locks, because nobody else writes it. */
  changeOwn<T>(work: () => LedgerWork<T>): Promise<T>;
}

/** Does an operation with a driver that answers at once. */
export function executeSync<T>(work: LedgerWork<T>, execute: (step: LedgerStep) => readonly unknown[]): T {
  let next = work.next();
  while (!next.done) next = work.next(execute(next.value));
  return next.value;
}

/** Does an operation with a driver that answers later. */
export async function executeAsync<T>(
  work: LedgerWork<T>,
  execute: (step: LedgerStep) => Promise<readonly unknown[]>,
): Promise<T> {
  let next = work.next();
  while (!next.done) next = work.next(await execute(next.value));
  return next.value;
}
