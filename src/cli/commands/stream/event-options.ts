import type { OptionSpec } from '../command.ts';

/** Who gets the events, and what remembers how far they came. */
export const CONSUMING: readonly OptionSpec[] = [
  {
    name: 'exec',
    value: 'CMD',
    doc: 'run this for each event, which it reads as JSON on standard input; exit 0 means done',
  },
  {
    name: 'exec-timeout',
    value: 'DUR',
    doc: 'end a command of --exec that takes longer for an event, which counts as failed: 30s, 10m; default 5m',
  },
  {
    name: 'exec-env',
    value: 'NAMES',
    doc: 'variables that a command of --exec gets although they hold a secret, comma separated: MACRO_API_KEY, MACRO_WEBHOOK_SECRET',
  },
  { name: 'forward', value: 'URL', doc: 'post each event as JSON to this address; 2xx means done' },
  {
    name: 'consumer',
    value: 'NAME',
    from: 'consumers',
    doc: 'whose cursor it is: what was not done goes on where it stopped; default: one for each command and filter',
  },
];

export const NO_FETCH: OptionSpec = {
  name: 'no-fetch',
  doc: 'leave the series that an event names to the next macro sync',
};

/** Which events, by the words that they carry. */
export const EVENT_FILTERS: readonly OptionSpec[] = [
  {
    name: 'currencies',
    value: 'A,B',
    doc: 'currencies, comma separated; g10 or all',
    from: 'currencies',
  },
  { name: 'indicators', value: 'X,Y', doc: 'indicators, comma separated', from: 'indicators' },
];
