import type { CommandSpec, OptionSpec } from '../command.ts';
import { GENERAL, ROWS, SPENDING } from '../common-options.ts';
import { CONSUMING, NO_FETCH } from './consuming-options.ts';

export const streamAddress: OptionSpec = {
  name: 'stream-url',
  value: 'URL',
  doc: 'address of the event stream, where it is not that of the service',
  heading: 'Source',
};

/** Which events, by the words that they carry. */
const EVENT_FILTERS: readonly OptionSpec[] = [
  { name: 'currencies', value: 'A,B', doc: 'currencies, comma separated; g10 or all', heading: 'Options' },
  { name: 'indicators', value: 'X,Y', doc: 'indicators, comma separated', heading: 'Options' },
];

/** Lines that are still to come have no other forms. */
const STREAMED: readonly OptionSpec[] = GENERAL.map((option) =>
  option.name === 'format'
    ? { ...option, words: ['ndjson', 'table'], doc: 'form of a line; default: table on a terminal, ndjson in a pipe' }
    : option,
);

/** Commands about release events as they happen. */
export const STREAM_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['stream'],
    summary: 'Releases as they are processed: each is kept in the mirror once and printed as a line of NDJSON',
    words: [],
    options: [
      ...EVENT_FILTERS,
      {
        name: 'payload',
        value: 'WORD',
        doc: 'how much of each release',
        words: ['compact', 'full'],
        heading: 'Options',
      },
      {
        name: 'live-only',
        doc: 'only what happens while it is connected: nothing that was missed, also not for a consumer',
        heading: 'Options',
      },
      { name: 'resume', doc: 'print first what came since a stream last printed in this mirror', heading: 'Options' },
      {
        name: 'max-age-ms',
        value: 'N',
        doc: 'leave out events that were processed longer ago, in milliseconds',
        heading: 'Options',
      },
      ...CONSUMING,
      {
        name: 'max-stale',
        value: 'DUR',
        doc: 'end with exit 11 when not a byte came for so long: 90s, 5m',
        heading: 'Options',
      },
      NO_FETCH,
      { name: 'max-events', value: 'N', doc: 'end after so many events', heading: 'Options' },
      streamAddress,
      ...SPENDING,
      ...STREAMED,
    ],
    examples: ['stream --currencies usd', "stream --consumer desk --exec './on-release.sh' --max-stale 5m"],
    section: 'Release-event delivery',
    run: async (app, call) => (await import('./stream.ts')).streamEvents(app, call),
  },
  {
    path: ['journal'],
    summary: 'Release events that the mirror knows, how each came, and where some are missing; nobody is asked',
    words: [],
    options: [
      ...EVENT_FILTERS,
      {
        name: 'after',
        value: 'N',
        doc: 'events behind this position; default: the newest',
        heading: 'Rows and formats',
      },
      { name: 'limit', value: 'N', doc: 'rows wanted; default 50', heading: 'Rows and formats' },
      { name: 'gaps', doc: 'stretches of which events may be missing', heading: 'Options' },
      { name: 'consumers', doc: 'who deals with events, and how far they came', heading: 'Options' },
      {
        name: 'failures',
        doc: 'events that could not be dealt with, and when they are tried again',
        heading: 'Options',
      },
      ...ROWS,
      ...GENERAL,
    ],
    examples: ['journal --currencies usd --limit 5', 'journal --gaps --format json'],
    section: 'Release-event delivery',
    run: async (app, call) => (await import('./journal.ts')).showJournal(app, call),
  },
];
