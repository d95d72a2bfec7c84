import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Breaks a mirror of its own on the disk of a person, and looks whether it holds. */
export const SELFTEST_COMMAND: CommandDeclaration = {
  path: ['selftest'],
  summary: 'Check on this disk that a mirror survives kills, damage and other programs: exit 0, or 8 when it does not',
  options: [
    {
      name: 'disk',
      value: 'DIR',
      doc: 'folder on the disk to check; default: that of the mirror',
      file: true,
      heading: 'Options',
    },
    ...LISTING,
  ],
  examples: ['selftest', 'selftest --disk . --format json'],
  run: lazy(() => import('./selftest.ts'), 'runSelftest'),
};
