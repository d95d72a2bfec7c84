import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Tells how what is tracked stands. */
export const STATUS_COMMAND: CommandDeclaration = {
  path: ['status'],
  summary: 'How what is tracked stands: freshness, gaps, the last run, what is due, quota',
  options: LISTING,
  examples: ['status', 'status --format json'],
  run: lazy(() => import('./status.ts'), 'showStatus'),
};
