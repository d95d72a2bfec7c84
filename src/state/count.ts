import { type Account, budgetsOf, findWindow, possibleEnds, withWindow } from './account.ts';
import type { BudgetName } from './budget.ts';

/** Counts one request in the window of a budget. */
export function countIn(account: Account, budget: BudgetName, ends: number): Account {
  const window = findWindow(account, budget, ends);
  return withWindow(account, { ...window, counted: window.counted + 1 });
}

/** Counts a request of which nothing is known in every window that it may have been counted in. */
export function countAnywhere(account: Account, route: string, span: { from: number; to: number }): Account {
  const places = budgetsOf(account, route).flatMap((budget) =>
    possibleEnds(account, budget, span).map((ends) => ({ budget, ends })),
  );
  return places.reduce((sofar, { budget, ends }) => countIn(sofar, budget, ends), account);
}
