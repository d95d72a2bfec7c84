import type { OptionSpec } from '../command.ts';

/** Who gets the events, and what remembers how far they came. */
export const CONSUMING: readonly OptionSpec[] = [
  {
    name: 'exec',
    value: 'CMD',
    doc: 'run this for each event, which it reads as JSON on standard input; exit 0 means done',
    heading: 'Options',
  },
  {
    name: 'exec-timeout',
    value: 'DUR',
    doc: 'end a command of --exec that takes longer for an event, which counts as failed: 30s, 10m; default 5m',
    heading: 'Options',
  },
  {
    name: 'exec-env',
    value: 'NAMES',
    doc: 'variables that a command of --exec gets although they hold a secret, comma separated: MACRO_API_KEY, MACRO_WEBHOOK_SECRET',
    heading: 'Options',
  },
  { name: 'forward', value: 'URL', doc: 'post each event as JSON to this address; 2xx means done', heading: 'Options' },
  {
    name: 'consumer',
    value: 'NAME',
    doc: 'whose cursor it is: what was not done goes on where it stopped; default: one for each command and filter',
    heading: 'Options',
  },
];

export const NO_FETCH: OptionSpec = {
  name: 'no-fetch',
  doc: 'leave the series that an event names to the next macro sync',
  heading: 'Options',
};
