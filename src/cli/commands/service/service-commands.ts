import type { CommandSpec, OptionSpec } from '../command.ts';
import { GENERAL, ROWS, SPENDING } from '../common-options.ts';

const LISTING: readonly OptionSpec[] = [...ROWS, ...GENERAL];
const REMOTE: readonly OptionSpec[] = [...ROWS, ...SPENDING, ...GENERAL];
const DELIVERY = 'Release-event delivery';

const option = (name: string, value: string, doc: string, words?: readonly string[]): OptionSpec => ({
  name,
  value,
  doc,
  heading: 'Options',
  ...(words && { words }),
});

const id = { name: 'id', doc: 'id of a subscription' };

const FILTERS: readonly OptionSpec[] = [
  option('currencies', 'A,B', 'currencies whose releases are delivered; all for every one'),
  option('indicators', 'A,B', 'indicators whose releases are delivered; all for every one'),
  option('description', 'TEXT', 'a note of your own, at most 256 characters'),
];

const printSecret: OptionSpec = {
  name: 'print-secret',
  doc: 'print the signing secret once instead of keeping it',
  heading: 'Options',
};

/** Commands that look things up without asking anybody, or ask the service by hand. */
export const LOOKUP_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['search'],
    summary: 'Find indicators, currencies, commodities and commands by what they are called; nobody is contacted',
    words: [{ name: 'words', doc: 'what to look for', many: true }],
    options: [option('limit', 'N', 'rows at most; default 20'), ...LISTING],
    examples: ['search cpi', 'search policy rate eur --format json'],
    section: 'Data catalogue',
    run: async (app, call) => (await import('../search/search.ts')).search(app, call),
  },
  {
    path: ['api'],
    summary: 'Any path of the service with its key; the body as it comes, nothing is kept',
    words: [
      { name: 'method', doc: 'method, GET when left out', words: ['get', 'post', 'patch', 'delete'], optional: true },
      { name: 'path', doc: 'path and query, like /v1/ping' },
    ],
    options: [
      {
        name: 'field',
        short: 'f',
        value: 'NAME=VALUE',
        many: true,
        doc: 'query parameter of a GET, else member of the JSON body; NAME[]=ITEM for lists, NAME:=JSON for other values',
        heading: 'Options',
      },
      {
        name: 'input',
        value: 'FILE',
        doc: 'JSON body from a file; - reads standard input',
        file: true,
        heading: 'Options',
      },
      { name: 'include', short: 'i', doc: 'the headers of the answer before its body', heading: 'Options' },
      {
        name: 'output',
        short: 'o',
        value: 'FILE',
        doc: 'write a file ending in .json',
        file: true,
        heading: 'Options',
      },
      { name: 'offline', doc: 'ask the mirror only, for a GET of a path that is known', heading: 'Source' },
      { name: 'allow-partial', doc: 'exit 0 although the mirror does not hold all of the answer', heading: 'Source' },
      ...SPENDING,
      ...GENERAL,
    ],
    examples: ['api /v1/ping', 'api /v1/announcements/usd/inflation -f limit=3 --offline'],
    section: 'Data catalogue',
    run: async (app, call) => (await import('../api/api.ts')).api(app, call),
  },
];

/** Management of webhooks at the service. */
export const WEBHOOK_COMMANDS: readonly CommandSpec[] = [
  {
    path: ['webhooks', 'create'],
    summary: 'Have releases posted to an address; the signing secret is kept on this machine',
    words: [],
    options: [option('url', 'URL', 'public https address'), ...FILTERS, printSecret, ...REMOTE],
    examples: [
      'webhooks create --url https://hooks.example.com/in --currencies usd,eur',
      'webhooks create --url https://hooks.example.com/in --indicators inflation --print-secret',
    ],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).createWebhook(app, call),
  },
  {
    path: ['webhooks', 'list'],
    summary: 'Subscriptions of your key, newest first',
    words: [],
    options: REMOTE,
    examples: ['webhooks list', 'webhooks list --format json'],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).listWebhooks(app, call),
  },
  {
    path: ['webhooks', 'show'],
    summary: 'One subscription',
    words: [id],
    options: REMOTE,
    examples: ['webhooks show sub_01hzx4m2q7', 'webhooks show sub_01hzx4m2q7 --format json'],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).showWebhook(app, call),
  },
  {
    path: ['webhooks', 'update'],
    summary: 'Change the address, the filters or the state of a subscription',
    words: [id],
    options: [
      option('url', 'URL', 'public https address'),
      ...FILTERS,
      option('status', 'WORD', 'whether it delivers', ['active', 'disabled']),
      ...REMOTE,
    ],
    examples: [
      'webhooks update sub_01hzx4m2q7 --indicators inflation,policy_rate',
      'webhooks update sub_01hzx4m2q7 --currencies all',
    ],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).updateWebhook(app, call),
  },
  {
    path: ['webhooks', 'enable'],
    summary: 'Let a subscription deliver again',
    words: [id],
    options: REMOTE,
    examples: ['webhooks enable sub_01hzx4m2q7', 'webhooks enable sub_01hzx4m2q7 --quiet'],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).enableWebhook(app, call),
  },
  {
    path: ['webhooks', 'disable'],
    summary: 'Stop the deliveries of a subscription, and keep it',
    words: [id],
    options: REMOTE,
    examples: ['webhooks disable sub_01hzx4m2q7', 'webhooks disable sub_01hzx4m2q7 --quiet'],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).disableWebhook(app, call),
  },
  {
    path: ['webhooks', 'delete'],
    summary: 'End a subscription and forget its secret',
    words: [id],
    options: [...SPENDING, ...GENERAL],
    examples: ['webhooks delete sub_01hzx4m2q7', 'webhooks delete sub_01hzx4m2q7 --yes'],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).deleteWebhook(app, call),
  },
  {
    path: ['webhooks', 'rotate-secret'],
    summary: 'Replace the signing secret of a subscription; the old one stays good for 36 hours',
    words: [id],
    options: [printSecret, ...REMOTE],
    examples: ['webhooks rotate-secret sub_01hzx4m2q7', 'webhooks rotate-secret sub_01hzx4m2q7 --print-secret'],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).rotateSecret(app, call),
  },
  {
    path: ['webhooks', 'deliveries'],
    summary: 'What was delivered, and what was not, in the last 30 days',
    words: [],
    options: [
      option('subscription-id', 'ID', 'of one subscription only'),
      option('status', 'WORD', 'how far a delivery is', ['pending', 'retrying', 'succeeded', 'failed']),
      option('limit', 'N', 'deliveries wanted, 1 to 100; default 20'),
      ...REMOTE,
    ],
    examples: ['webhooks deliveries', 'webhooks deliveries --status failed --limit 100'],
    section: DELIVERY,
    run: async (app, call) => (await import('../webhooks/webhooks.ts')).listDeliveries(app, call),
  },
];
