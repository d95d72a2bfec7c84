import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Tells what is left of the request budgets. */
export const QUOTA_COMMAND: CommandDeclaration = {
  path: ['quota'],
  summary: 'What is left of each request budget, until when, and how that is known; works offline',
  options: [{ name: 'forget', doc: 'forget what is known, after a change of plan for example' }, ...LISTING],
  examples: ['quota', 'quota --format json'],
  run: lazy(() => import('./quota.ts'), 'showQuota'),
};
