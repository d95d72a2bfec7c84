import { EVERY_WORDS } from '../../../platform/schedule/scheduler.ts';
import { type CommandDeclaration, lazy, type OptionSpec } from '../command.ts';
import { GENERAL, LISTING } from '../common-options.ts';
import { RUN_LOG } from '../sync/sync-command.ts';

const EVERY: OptionSpec = { name: 'every', value: 'DUR', doc: 'how often; default 1h', words: EVERY_WORDS };

const WITH: OptionSpec = {
  name: 'with',
  value: 'NAME',
  doc: 'scheduler to use; default: the best that the machine has',
  words: ['systemd', 'launchd', 'cron'],
};

/** Commands about syncs that run by themselves. */
export const SCHEDULE_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['schedule', 'install'],
    summary: 'Let the machine run macro sync by itself, proven by its scheduler',
    options: [
      EVERY,
      {
        name: 'at',
        value: 'WHAT',
        doc: 'releases: also when a tracked release of the calendar is out',
        words: ['releases'],
      },
      WITH,
      ...LISTING,
    ],
    changes: true,
    examples: ['schedule install --every 30m --with cron', 'schedule install --at releases --every 6h'],
    run: lazy(() => import('./schedule.ts'), 'installSchedule'),
  },
  {
    path: ['schedule', 'run'],
    summary: 'What a schedule of releases runs: macro sync, and then the next releases are put in',
    options: [EVERY, WITH, ...RUN_LOG, ...LISTING],
    changes: true,
    examples: ['schedule run --with systemd --quiet', 'schedule run --every 6h --with cron'],
    run: lazy(() => import('./run.ts'), 'runScheduled'),
  },
  {
    path: ['schedule', 'status'],
    summary: 'When the scheduled sync ran last and runs next',
    options: LISTING,
    examples: ['schedule status', 'schedule status --format json'],
    run: lazy(() => import('./schedule.ts'), 'showSchedule'),
  },
  {
    path: ['schedule', 'remove'],
    summary: 'Take the scheduled sync out again',
    options: GENERAL,
    changes: true,
    examples: ['schedule remove', 'schedule remove --quiet'],
    run: lazy(() => import('./schedule.ts'), 'removeSchedule'),
  },
];
