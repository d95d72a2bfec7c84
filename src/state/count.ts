import { budgetsOf, findWindow, possibleEnds, type QuotaAccount, withQuotaWindow } from './account.ts';
import type { BudgetName } from './budget.ts';

/** Counts one request in the window of a budget. */
export function countIn(account: QuotaAccount, budget: BudgetName, ends: number): QuotaAccount {
  const window = findWindow(account, budget, ends);
  return withQuotaWindow(account, { ...window, counted: window.counted + 1 });
}

/** Counts a request of which nothing is known in every window that it may have been counted in. */
export function countAnywhere(account: QuotaAccount, route: string, span: { from: number; to: number }): QuotaAccount {
  const places = budgetsOf(account, route).flatMap((budget) =>
    possibleEnds(account, budget, span).map((ends) => ({ budget, ends })),
  );
  return places.reduce((sofar, { budget, ends }) => countIn(sofar, budget, ends), account);
}
