import { type CommandDeclaration, lazy, type OptionSpec } from '../command.ts';
import { GENERAL, SPENDING, STREAM_ADDRESS } from '../common-options.ts';
import { CONSUMING, EVENT_FILTERS, NO_FETCH } from './event-options.ts';

/** Lines that are still to come have no other forms. */
const STREAMED: readonly OptionSpec[] = GENERAL.map((option) =>
  option.name === 'format'
    ? { ...option, words: ['ndjson', 'table'], doc: 'form of a line; default: table on a terminal, ndjson in a pipe' }
    : option,
);

/** Follows releases as they happen. */
export const STREAM_COMMAND: CommandDeclaration = {
  path: ['stream'],
  summary: 'Releases as they are processed: each is kept in the mirror once and printed as a line of NDJSON',
  options: [
    ...EVENT_FILTERS,
    {
      name: 'payload',
      value: 'WORD',
      doc: 'how much of each release',
      words: ['compact', 'full'],
    },
    {
      name: 'live-only',
      doc: 'only what happens while it is connected: nothing that was missed, also not for a consumer',
    },
    { name: 'resume', doc: 'print first what came since a stream last printed in this mirror' },
    { name: 'max-age-ms', value: 'N', doc: 'leave out events that were processed longer ago, in milliseconds' },
    ...CONSUMING,
    { name: 'max-stale', value: 'DUR', doc: 'end with exit 11 when not a byte came for so long: 90s, 5m' },
    NO_FETCH,
    { name: 'max-events', value: 'N', doc: 'end after so many events' },
    STREAM_ADDRESS,
    ...SPENDING,
    ...STREAMED,
  ],
  examples: ['stream --currencies usd', "stream --consumer desk --exec './on-release.sh' --max-stale 5m"],
  changesWords: true,
  run: lazy(() => import('./stream.ts'), 'streamEvents'),
};
