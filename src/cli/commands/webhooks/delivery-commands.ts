import type { CommandSpec, OptionSpec } from '../command.ts';
import { GENERAL, ROWS } from '../common-options.ts';
import { CONSUMING, NO_FETCH } from '../stream/consuming-options.ts';

const DELIVERY = 'Release-event delivery';
const LISTING: readonly OptionSpec[] = [...ROWS, ...GENERAL];

const file = (name: string, doc: string): OptionSpec => ({ name, value: 'FILE', doc, file: true, heading: 'Options' });

const secretFile: OptionSpec = {
  name: 'secret-file',
  value: 'FILE',
  doc: 'signing secrets, one a line; default: MACRO_WEBHOOK_SECRET, and those kept for the service',
  file: true,
  heading: 'Options',
};

/** Commands about deliveries to webhooks that ask no service. */
export const DELIVERY_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['webhooks', 'listen'],
    summary: 'Receive signed deliveries: each event is kept in the mirror once and printed as a line of NDJSON',
    words: [],
    options: [
      { name: 'port', value: 'N', doc: 'port; 0 for any free one; default 8788', heading: 'Options' },
      { name: 'host', value: 'H', doc: 'address to listen on; default 127.0.0.1', heading: 'Options' },
      { name: 'path', value: 'PATH', doc: 'path that takes deliveries; default /webhook', heading: 'Options' },
      secretFile,
      ...CONSUMING,
      NO_FETCH,
      ...GENERAL,
    ],
    examples: ['webhooks listen', 'webhooks listen --port 0 --secret-file secrets.txt --exec ./on-release.sh'],
    section: DELIVERY,
    run: async (app, call) => (await import('./listen.ts')).listenForWebhooks(app, call),
  },
  {
    path: ['webhooks', 'replay'],
    summary: 'Give a consumer again what was set aside after its last try, or the events that are named',
    words: [{ name: 'event', doc: 'ids of events; default: all that were set aside', optional: true, many: true }],
    options: [...CONSUMING, ...LISTING],
    examples: [
      'webhooks replay --consumer desk --exec ./on-release.sh',
      'webhooks replay usd_inflation_1791981000 --forward http://127.0.0.1:9000/events',
    ],
    section: DELIVERY,
    run: async (app, call) => (await import('./replay.ts')).replayEvents(app, call),
  },
  {
    path: ['webhooks', 'verify'],
    summary: 'Judge a saved delivery, offline: exit 0 valid, 9 not, and why not',
    words: [],
    options: [
      file('headers', 'its headers, one a line or as a JSON object; - reads standard input'),
      file('body', 'the exact bytes of its body; - reads standard input'),
      file('har', 'an HTTP archive with the delivery in it, instead of headers and body'),
      { name: 'entry', value: 'N', doc: 'which delivery of the archive, from 1', heading: 'Options' },
      file('curl', 'a curl command that sends the delivery, instead of headers and body'),
      { name: 'at', value: 'T', doc: 'what to take for now: a date, an ISO time or Unix seconds', heading: 'Options' },
      secretFile,
      ...LISTING,
    ],
    examples: [
      'webhooks verify --headers headers.txt --body body.json --at 1791981003',
      'webhooks verify --har delivery.har --secret-file secrets.txt --at 1791981003',
    ],
    section: DELIVERY,
    run: async (app, call) => (await import('./verify.ts')).verifyWebhook(app, call),
  },
  {
    path: ['webhooks', 'sign'],
    summary: 'Sign a body as the service does, to try a receiver',
    words: [],
    options: [
      file('body', 'what is to be signed; - reads standard input'),
      { name: 'event-id', value: 'ID', doc: 'id of the event; default: that of the body', heading: 'Options' },
      { name: 'timestamp', value: 'N', doc: 'Unix seconds; default: now', heading: 'Options' },
      secretFile,
      ...LISTING,
    ],
    examples: ['webhooks sign --body body.json', 'webhooks sign --body body.json --timestamp 1791981003 --format json'],
    section: DELIVERY,
    run: async (app, call) => (await import('./sign.ts')).signWebhook(app, call),
  },
  {
    path: ['webhooks', 'trigger'],
    summary: 'Make up a release in the mirror of the sandbox: a running serve --sandbox sends it on',
    words: [
      { name: 'currency', doc: 'currency, such as usd' },
      { name: 'indicator', doc: 'indicator, such as inflation' },
    ],
    options: [
      { name: 'val', value: 'N', doc: 'the value; default: that of the newest period', heading: 'Options' },
      ...LISTING,
    ],
    examples: ['webhooks trigger usd inflation', 'webhooks trigger eur policy_rate --val 2.25 --format json'],
    section: DELIVERY,
    run: async (app, call) => (await import('./trigger.ts')).triggerWebhooks(app, call),
  },
];
