import { type CommandDeclaration, lazy, type OptionSpec } from '../command.ts';
import { GENERAL, REMOTE, SPENDING } from '../common-options.ts';

const option = (name: string, value: string, doc: string, words?: readonly string[]): OptionSpec => ({
  name,
  value,
  doc,
  ...(words && { words }),
});

const id = { name: 'id', doc: 'id of a subscription' };

const FILTERS: readonly OptionSpec[] = [
  option('currencies', 'A,B', 'currencies whose releases are delivered; all for every one'),
  option('indicators', 'A,B', 'indicators whose releases are delivered; all for every one'),
  option('description', 'TEXT', 'a note of your own, at most 256 characters'),
];

const printSecret: OptionSpec = { name: 'print-secret', doc: 'print the signing secret once instead of keeping it' };

/** Management of webhooks at the service. */
export const WEBHOOK_COMMANDS: readonly CommandDeclaration[] = [
  {
    path: ['webhooks', 'create'],
    summary: 'Have releases posted to an address; the signing secret is kept on this machine',
    options: [option('url', 'URL', 'public https address'), ...FILTERS, printSecret, ...REMOTE],
    changes: true,
    examples: [
      'webhooks create --url https://hooks.example.com/in --currencies usd,eur',
      'webhooks create --url https://hooks.example.com/in --indicators inflation --print-secret',
    ],
    run: lazy(() => import('./webhooks.ts'), 'createWebhook'),
  },
  {
    path: ['webhooks', 'list'],
    summary: 'Subscriptions of your key, newest first',
    options: REMOTE,
    examples: ['webhooks list', 'webhooks list --format json'],
    run: lazy(() => import('./webhooks.ts'), 'listWebhooks'),
  },
  {
    path: ['webhooks', 'show'],
    summary: 'One subscription',
    words: [id],
    options: REMOTE,
    examples: ['webhooks show sub_01hzx4m2q7', 'webhooks show sub_01hzx4m2q7 --format json'],
    run: lazy(() => import('./webhooks.ts'), 'showWebhook'),
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
    changes: true,
    examples: [
      'webhooks update sub_01hzx4m2q7 --indicators inflation,policy_rate',
      'webhooks update sub_01hzx4m2q7 --currencies all',
    ],
    run: lazy(() => import('./webhooks.ts'), 'updateWebhook'),
  },
  {
    path: ['webhooks', 'enable'],
    summary: 'Let a subscription deliver again',
    words: [id],
    options: REMOTE,
    changes: true,
    examples: ['webhooks enable sub_01hzx4m2q7', 'webhooks enable sub_01hzx4m2q7 --quiet'],
    run: lazy(() => import('./webhooks.ts'), 'enableWebhook'),
  },
  {
    path: ['webhooks', 'disable'],
    summary: 'Stop the deliveries of a subscription, and keep it',
    words: [id],
    options: REMOTE,
    changes: true,
    examples: ['webhooks disable sub_01hzx4m2q7', 'webhooks disable sub_01hzx4m2q7 --quiet'],
    run: lazy(() => import('./webhooks.ts'), 'disableWebhook'),
  },
  {
    path: ['webhooks', 'delete'],
    summary: 'End a subscription and forget its secret',
    words: [id],
    options: [...SPENDING, ...GENERAL],
    changes: true,
    examples: ['webhooks delete sub_01hzx4m2q7', 'webhooks delete sub_01hzx4m2q7 --yes'],
    run: lazy(() => import('./webhooks.ts'), 'deleteWebhook'),
  },
  {
    path: ['webhooks', 'rotate-secret'],
    summary: 'Replace the signing secret of a subscription; the old one stays good for 36 hours',
    words: [id],
    options: [printSecret, ...REMOTE],
    changes: true,
    examples: ['webhooks rotate-secret sub_01hzx4m2q7', 'webhooks rotate-secret sub_01hzx4m2q7 --print-secret'],
    run: lazy(() => import('./webhooks.ts'), 'rotateSecret'),
  },
  {
    path: ['webhooks', 'deliveries'],
    summary: 'What was delivered, and what was not, in the last 30 days',
    options: [
      option('subscription-id', 'ID', 'of one subscription only'),
      option('status', 'WORD', 'how far a delivery is', ['pending', 'retrying', 'succeeded', 'failed']),
      option('limit', 'N', 'number of deliveries, 1 to 100; default 20'),
      ...REMOTE,
    ],
    examples: ['webhooks deliveries', 'webhooks deliveries --status failed --limit 100'],
    run: lazy(() => import('./webhooks.ts'), 'listDeliveries'),
  },
];
