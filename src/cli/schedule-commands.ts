import type { CommandSpec } from './command.ts';
import { GENERAL, ROWS } from './common-options.ts';

const SECTION = 'Mirror';

/** Commands about syncs that run by themselves. */
export const SCHEDULE_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['status'],
    summary: 'How what is tracked stands: freshness, gaps, the last run, what is due, quota',
    words: [],
    options: [...ROWS, ...GENERAL],
    examples: ['status', 'status --format json'],
    section: SECTION,
    run: async (app) => (await import('./commands/status.ts')).showStatus(app),
  },
];
