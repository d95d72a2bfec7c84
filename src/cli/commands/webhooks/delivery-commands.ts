import { type CommandDeclaration, lazy, type OptionSpec } from '../command.ts';
import { GENERAL, LISTING } from '../common-options.ts';
import { currencyWord, indicatorWord } from '../series-words.ts';
import { CONSUMING, NO_FETCH } from '../stream/event-options.ts';

const file = (name: string, doc: string): OptionSpec => ({ name, value: 'FILE', doc, file: true });

const secretFile: OptionSpec = {
  name: 'secret-file',
  value: 'FILE',
  doc: 'signing secrets, one a line; default: MACRO_WEBHOOK_SECRET, and those kept for the service',
  file: true,
};

/** Commands about deliveries to webhooks that ask no service. */
export const DELIVERY_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['webhooks', 'listen'],
    summary: 'Receive signed deliveries: each event is kept in the mirror once and printed as a line of NDJSON',
    options: [
      { name: 'port', value: 'N', doc: 'port; 0 for any free one; default 8788' },
      { name: 'host', value: 'H', doc: 'address to listen on; default 127.0.0.1' },
      { name: 'path', value: 'PATH', doc: 'path that takes deliveries; default /webhook' },
      secretFile,
      ...CONSUMING,
      NO_FETCH,
      ...GENERAL,
    ],
    examples: ['webhooks listen', 'webhooks listen --port 0 --secret-file secrets.txt --exec ./on-release.sh'],
    changesWords: true,
    run: lazy(() => import('./listen.ts'), 'listenForWebhooks'),
  },
  {
    path: ['webhooks', 'replay'],
    summary: 'Give a consumer again what was set aside after its last try, or the events that are named',
    words: [{ name: 'event', doc: 'ids of events; default: all that were set aside', optional: true, many: true }],
    options: [...CONSUMING, ...LISTING],
    changes: true,
    examples: [
      'webhooks replay --consumer desk --exec ./on-release.sh',
      'webhooks replay usd_inflation_1791981000 --forward http://127.0.0.1:9000/events',
    ],
    run: lazy(() => import('./replay.ts'), 'replayEvents'),
  },
  {
    path: ['webhooks', 'verify'],
    summary: 'Judge a saved delivery, offline: exit 0 valid, 9 not, and why not',
    options: [
      file('headers', 'its headers, one a line, as a JSON object, or as sign prints them; - reads standard input'),
      file('body', 'the exact bytes of its body; - reads standard input'),
      file('har', 'an HTTP archive with the delivery in it, instead of headers and body'),
      { name: 'entry', value: 'N', doc: 'which delivery of the archive, from 1' },
      file('curl', 'a curl command that sends the delivery, instead of headers and body'),
      { name: 'at', value: 'T', doc: 'what to take for now: a date, an ISO time or Unix seconds' },
      secretFile,
      ...LISTING,
    ],
    examples: [
      'webhooks verify --headers headers.txt --body body.json --at 1791981003',
      'webhooks verify --har delivery.har --secret-file secrets.txt --at 1791981003',
    ],
    run: lazy(() => import('./verify.ts'), 'verifyWebhook'),
  },
  {
    path: ['webhooks', 'sign'],
    summary: 'Sign a body as the service does, to try a receiver',
    options: [
      file('body', 'what is to be signed; - reads standard input'),
      { name: 'event-id', value: 'ID', doc: 'id of the event; default: that of the body' },
      { name: 'timestamp', value: 'N', doc: 'Unix seconds; default: now' },
      secretFile,
      ...LISTING,
    ],
    examples: ['webhooks sign --body body.json', 'webhooks sign --body body.json --timestamp 1791981003 --format json'],
    run: lazy(() => import('./sign.ts'), 'signWebhook'),
  },
  {
    path: ['webhooks', 'trigger'],
    summary: 'Make up a release in the mirror of the sandbox: a running serve --sandbox sends it on',
    words: [currencyWord('currency, such as usd'), indicatorWord('indicator, such as inflation')],
    options: [{ name: 'val', value: 'N', doc: 'the value; default: that of the newest period' }, ...LISTING],
    changes: true,
    examples: ['webhooks trigger usd inflation', 'webhooks trigger eur policy_rate --val 2.25 --format json'],
    run: lazy(() => import('./trigger.ts'), 'triggerWebhooks'),
  },
];
