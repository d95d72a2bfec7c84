import type { CommandSpec, OptionSpec } from './command.ts';
import { GENERAL, SPENDING } from './common-options.ts';
import { CONSUMING } from './consuming-options.ts';

export const streamAddress: OptionSpec = {
  name: 'stream-url',
  value: 'URL',
  doc: 'address of the event stream, where it is not that of the service',
  heading: 'Source',
};

/** Which events, by the words that they carry. */
export const EVENT_FILTERS: readonly OptionSpec[] = [
  { name: 'currencies', value: 'A,B', doc: 'currencies, comma separated; g10 or all', heading: 'Options' },
  { name: 'indicators', value: 'X,Y', doc: 'indicators, comma separated', heading: 'Options' },
];

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
      ...CONSUMING,
      {
        name: 'max-stale',
        value: 'DUR',
        doc: 'end with exit 11 when not a byte came for so long: 90s, 5m',
        heading: 'Options',
      },
      { name: 'max-events', value: 'N', doc: 'end after so many events', heading: 'Options' },
      streamAddress,
      ...SPENDING,
      ...GENERAL,
    ],
    examples: ['stream --currencies usd', "stream --consumer desk --exec './on-release.sh' --max-stale 5m"],
    section: 'Release-event delivery',
    run: async (app, call) => (await import('./commands/stream.ts')).streamEvents(app, call),
  },
];
