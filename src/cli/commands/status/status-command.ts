import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Tells how what is tracked stands. */
export const STATUS_COMMAND: CommandDeclaration = {
  path: ['status'],
  summary: 'How what is tracked stands: freshness, gaps, the last run, what is due, quota',
  options: [
    {
      name: 'check',
      doc: 'one line for a monitor and an exit code: 6 the last run failed, 10 holes, 11 stale, 0 none of them',
    },
    { name: 'max-age', value: 'DUR', doc: 'with --check: older than this is stale; default: each series by its kind' },
    ...LISTING,
  ],
  examples: ['status', 'status --check --max-age 2h'],
  run: lazy(() => import('./status.ts'), 'showStatus'),
};
