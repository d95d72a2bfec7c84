import { EVERY_WORDS } from '../../../schedule/every.ts';
import type { CommandSpec, OptionSpec } from '../command.ts';
import { GENERAL, ROWS } from '../common-options.ts';

const SECTION = 'Mirror';

const EVERY: OptionSpec = {
  name: 'every',
  value: 'DUR',
  doc: 'how often; default 1h',
  words: EVERY_WORDS,
  heading: 'Options',
};

const WITH: OptionSpec = {
  name: 'with',
  value: 'NAME',
  doc: 'scheduler to use; default: the best that the machine has',
  words: ['systemd', 'launchd', 'cron'],
  heading: 'Options',
};

/** Commands about syncs that run by themselves. */
export const SCHEDULE_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['status'],
    summary: 'How what is tracked stands: freshness, gaps, the last run, what is due, quota',
    words: [],
    options: [...ROWS, ...GENERAL],
    examples: ['status', 'status --format json'],
    section: SECTION,
    run: async (app) => (await import('../service/status.ts')).showStatus(app),
  },
  {
    path: ['schedule', 'install'],
    summary: 'Let the machine run macro sync by itself, proven by its scheduler',
    words: [],
    options: [
      EVERY,
      {
        name: 'at',
        value: 'WHAT',
        doc: 'releases: also when a tracked release of the calendar is out',
        words: ['releases'],
        heading: 'Options',
      },
      WITH,
      ...ROWS,
      ...GENERAL,
    ],
    examples: ['schedule install --every 30m --with cron', 'schedule install --at releases --every 6h'],
    section: SECTION,
    run: async (app, call) => (await import('./schedule.ts')).installSchedule(app, call),
  },
  {
    path: ['schedule', 'run'],
    summary: 'What a schedule of releases runs: macro sync, and then the next releases are put in',
    words: [],
    options: [EVERY, WITH, ...ROWS, ...GENERAL],
    examples: ['schedule run --with systemd --quiet', 'schedule run --every 6h --with cron'],
    section: SECTION,
    run: async (app, call) => (await import('./run.ts')).runScheduled(app, call),
  },
  {
    path: ['schedule', 'status'],
    summary: 'When the scheduled sync ran last and runs next',
    words: [],
    options: [...ROWS, ...GENERAL],
    examples: ['schedule status', 'schedule status --format json'],
    section: SECTION,
    run: async (app) => (await import('./schedule.ts')).showSchedule(app),
  },
  {
    path: ['schedule', 'remove'],
    summary: 'Take the scheduled sync out again',
    words: [],
    options: GENERAL,
    examples: ['schedule remove', 'schedule remove --quiet'],
    section: SECTION,
    run: async (app) => (await import('./schedule.ts')).removeSchedule(app),
  },
];
