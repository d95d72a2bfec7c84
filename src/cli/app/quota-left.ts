// What is left of the tightest budget, for a bar that is drawn many times a second.
import { readBudgets } from '../../state/budgets.ts';
import type { App } from './app.ts';
import { readAccount } from './quota-handle.ts';

/** Milliseconds between two looks into the ledger. */
const LOOK_INTERVAL_MS = 1000;

/** Gives what was left at the last look, and looks again in the background when that is some time ago. */
export function quotaLeft(app: App): () => string | undefined {
  const { value: baseUrl } = app.settings.baseUrl;
  let looked = Number.NEGATIVE_INFINITY;
  let text: string | undefined;
  return () => {
    const now = app.platform.clock.now();
    if (baseUrl === undefined || now - looked < LOOK_INTERVAL_MS) return text;
    looked = now;
    readAccount(app, baseUrl).then(
      (account) => {
        const budgets = readBudgets(account, now).filter(({ budget }) => budget !== 'concurrency');
        const [tightest] = budgets.toSorted((a, b) => a.left / a.limit - b.left / b.limit);
        text = tightest && `${tightest.left} of ${tightest.limit} left this ${tightest.budget}`;
      },
      // A ledger that cannot be read is told of by whoever spends from it.
      () => undefined,
    );
    return text;
  };
}
