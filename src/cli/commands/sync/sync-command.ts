import { LOG_FORMATS } from '../../print/lines.ts';
import { type CommandDeclaration, lazy, type OptionSpec } from '../command.ts';
import { REMOTE } from '../common-options.ts';
import { SELECTION } from './selection-word.ts';

/** Where a run is written down. */
export const RUN_LOG: readonly OptionSpec[] = [
  {
    name: 'log',
    value: 'FILE',
    doc: 'write one line for each event of a run; - is stderr; a schedule has a log of its own',
    file: true,
  },
  { name: 'log-format', value: 'WORD', words: LOG_FORMATS, doc: 'form of the log; default pretty' },
];

/** Brings series into the mirror. */
export const SYNC_COMMAND: CommandDeclaration = {
  path: ['sync'],
  summary: 'Bring what is named or tracked into the mirror and keep it up to date',
  words: [{ ...SELECTION, optional: true }],
  options: [
    { name: 'plan', doc: 'show which requests a sync would make, and why; works offline' },
    { name: 'watch', doc: 'sync again whenever something is due, until interrupted' },
    { name: 'check', doc: 'ask for everything that may be corrected, due or not' },
    { name: 'everything', doc: 'all that the service has, as far as it can be listed' },
    ...RUN_LOG,
    ...REMOTE,
  ],
  changes: true,
  examples: ['sync fx eur usd, announcements usd inflation', 'sync --plan announcements usd inflation, calendar usd'],
  changesWords: true,
  run: lazy(() => import('./sync.ts'), 'sync'),
};
