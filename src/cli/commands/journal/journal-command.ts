import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';
import { EVENT_FILTERS } from '../stream/event-options.ts';

/** Lists the release events that the mirror knows. */
export const JOURNAL_COMMAND: CommandDeclaration = {
  path: ['journal'],
  summary: 'Release events in the mirror, how each arrived, and where some are missing; works offline',
  options: [
    ...EVENT_FILTERS,
    { name: 'after', value: 'N', doc: 'events behind this position; default: the newest', heading: 'Rows and formats' },
    { name: 'limit', value: 'N', doc: 'number of rows; default 50', heading: 'Rows and formats' },
    { name: 'gaps', doc: 'stretches of which events may be missing' },
    { name: 'consumers', doc: 'who deals with events, and how far they came' },
    { name: 'failures', doc: 'events that could not be dealt with, and when they are tried again' },
    ...LISTING,
  ],
  examples: ['journal --currencies usd --limit 5', 'journal --gaps --format json'],
  run: lazy(() => import('./journal.ts'), 'showJournal'),
};
