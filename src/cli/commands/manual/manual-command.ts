import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Pages about subjects: documents of this name in docs/. A page about a command has its words. */
export const SUBJECTS = [
  'endpoints',
  'exit-codes',
  'faults',
  'imports',
  'interface',
  'library',
  'mcp',
  'mirror',
  'operations',
  'point-in-time',
  'quota',
  'running-serve',
  'serve',
  'settings',
  'sql-and-files',
  'stream-and-webhooks',
  'team-mirror',
  'tour',
  'troubleshooting',
] as const;

/** The manual: pages about subjects and about commands. */
export const MANUAL_COMMAND: CommandDeclaration = {
  path: ['manual'],
  summary: 'The manual page of a subject or of a command; without a word the list of all pages',
  words: [
    {
      name: 'topic',
      doc: 'a subject, or the words of a command',
      words: SUBJECTS,
      from: 'topics',
      optional: true,
      many: true,
    },
  ],
  options: LISTING,
  examples: ['manual point-in-time', 'manual fx session'],
  run: lazy(() => import('./manual.ts'), 'showManual'),
};
