import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Checks that everything a question needs is there. */
export const DOCTOR_COMMAND: CommandDeclaration = {
  path: ['doctor'],
  summary:
    'Check machine, settings, service, key, clock, quota, mirror and schedule: exit 0, or the code of the first problem',
  options: [{ name: 'offline', doc: 'leave the service alone: no request is made', heading: 'Options' }, ...LISTING],
  examples: ['doctor', 'doctor --offline --format json'],
  run: lazy(() => import('./doctor.ts'), 'diagnose'),
};
