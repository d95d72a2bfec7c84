import { SHELLS } from '../completion/shells.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import { GENERAL, ROWS } from './common-options.ts';
import { DATA_COMMANDS } from './data/data-commands.ts';
import { MIRROR_COMMANDS } from './mirror/mirror-commands.ts';
import { SCHEDULE_COMMANDS } from './schedule/schedule-commands.ts';
import { LOOKUP_COMMANDS, WEBHOOK_COMMANDS } from './service/service-commands.ts';
import { STREAM_COMMANDS, streamAddress } from './stream/stream-commands.ts';
import { SYNC_COMMANDS } from './sync/sync-commands.ts';
import { RELEASE_COMMANDS } from './wait/release-commands.ts';
import { DELIVERY_COMMANDS } from './webhooks/delivery-commands.ts';

const SETTLEMENT = 'Settlement';
const MIRROR = 'Mirror';
const SERVE = 'Serve';
const SELF = 'This tool';
const LISTING: readonly OptionSpec[] = [...ROWS, ...GENERAL];

const keyInput: OptionSpec = {
  name: 'key-stdin',
  doc: 'read the API key from standard input',
  heading: 'Options',
};

/** Commands that no endpoint stands for, as help lists them. */
export const OWN_COMMANDS: readonly CommandSpec[] = [
  ...LOOKUP_COMMANDS,
  ...RELEASE_COMMANDS,
  ...STREAM_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...DELIVERY_COMMANDS,
  {
    path: ['settlement', 'verify'],
    summary: 'Judge a signed settlement record, offline: exit 0 valid, 9 invalid, 10 unsigned, 3 key not known',
    words: [{ name: 'file', doc: 'the record as JSON; - reads standard input', file: true }],
    options: [
      {
        name: 'keys',
        value: 'FILE',
        doc: 'public keys as JSON; default: those of settlement keys in the mirror',
        file: true,
        heading: 'Options',
      },
      ...LISTING,
    ],
    examples: ['settlement verify record.json', 'settlement verify - --keys keys.json < record.json'],
    section: SETTLEMENT,
    run: async (app, call) => (await import('./settlement/verify.ts')).verifySettlement(app, call),
  },
  ...SYNC_COMMANDS,
  ...SCHEDULE_COMMANDS,
  {
    path: ['import', 'ecb'],
    summary: 'Euro reference rates, from the file that the European Central Bank publishes',
    words: [{ name: 'file', doc: 'eurofxref-hist.csv or its zip; - reads standard input', file: true }],
    options: LISTING,
    examples: ['import ecb eurofxref-hist.zip', 'import ecb - < eurofxref-hist.csv'],
    section: MIRROR,
    run: async (app, call) => (await import('./data/import.ts')).importFile(app, call),
  },
  ...MIRROR_COMMANDS,
  ...DATA_COMMANDS,
  {
    path: ['serve'],
    summary: 'Answer like the service, from the mirror, on this machine',
    words: [],
    options: [
      { name: 'port', value: 'N', doc: 'port; 0 for any free one; default 8787', heading: 'Options' },
      { name: 'host', value: 'H', doc: 'address to listen on; default 127.0.0.1', heading: 'Options' },
      {
        name: 'allowed-host',
        value: 'NAME',
        many: true,
        doc: 'a name beside those of this machine that requests may be sent to, behind a proxy for example; may be repeated',
        heading: 'Options',
      },
      { name: 'sandbox', doc: 'serve generated data, kept in a mirror of its own', heading: 'Options' },
      { name: 'open', doc: 'no access rules and no quotas', heading: 'Options' },
      {
        name: 'keys',
        value: 'FILE',
        doc: 'accept only these keys: KEY PLAN LABEL a line',
        file: true,
        heading: 'Options',
      },
      { name: 'no-quota', doc: 'no quotas', heading: 'Options' },
      { name: 'strict', doc: 'refuse what the mirror holds in part only, with 503', heading: 'Options' },
      {
        name: 'allow-local-destinations',
        doc: 'webhooks may go to this machine, over http too: for developers',
        heading: 'Options',
      },
      {
        name: 'webhook-waits',
        value: 'LIST',
        doc: 'waits between attempts at a delivery; default 5s,5m,30m,2h,5h,10h,10h',
        heading: 'Options',
      },
      {
        name: 'webhook-failures',
        value: 'N',
        doc: 'failures in a row that end a subscription; default 10',
        heading: 'Options',
      },
      {
        name: 'webhook-failing',
        value: 'DUR',
        doc: 'how long every attempt may fail before that ends a subscription; default 5d',
        heading: 'Options',
      },
      {
        name: 'stream-retry-ms',
        value: 'N',
        doc: 'how long readers of a stream are asked to wait before they come back; default 3000',
        heading: 'Options',
      },
      { name: 'new-signing-key', doc: 'retire the key that settlement records are signed with', heading: 'Options' },
      { name: 'clock', value: 'T', doc: 'what the server takes for now: a date or an ISO time', heading: 'Options' },
      ...GENERAL,
    ],
    examples: ['serve --sandbox', 'serve --port 8080 --open'],
    section: SERVE,
    run: async (app, call) => (await import('./serve/serve.ts')).serve(app, call),
  },
  {
    path: ['openapi'],
    summary: 'The OpenAPI 3.1 document of the whole interface',
    words: [],
    options: LISTING,
    examples: ['openapi', 'openapi -o openapi.json'],
    section: SERVE,
    run: async (app, call) => (await import('./service/openapi.ts')).printDocument(app, call),
  },
  {
    path: ['demo'],
    summary: 'See the tool work, without a key and without a network',
    words: [],
    options: GENERAL,
    examples: ['demo', 'demo --no-color'],
    section: SELF,
    run: async (app, call) => (await import('./demo/demo.ts')).demo(app, call),
  },
  {
    path: ['init'],
    summary: 'Choose a service and keep its address and key',
    words: [],
    options: [keyInput, ...GENERAL],
    examples: ['init', 'init --base-url https://api.example.com --profile work --yes'],
    section: SELF,
    run: async (app, call) => (await import('./settings/init.ts')).init(app, call),
  },
  {
    path: ['auth', 'login'],
    summary: 'Keep the API key of a service, asked for without showing it',
    words: [],
    options: GENERAL,
    examples: ['auth login', 'auth login --base-url https://api.example.com < key.txt'],
    section: SELF,
    run: async (app, call) => (await import('./settings/auth.ts')).login(app, call),
  },
  {
    path: ['auth', 'logout'],
    summary: 'Forget the API key of a service',
    words: [],
    options: GENERAL,
    examples: ['auth logout', 'auth logout --base-url https://api.example.com'],
    section: SELF,
    run: async (app, call) => (await import('./settings/auth.ts')).logout(app, call),
  },
  {
    path: ['auth', 'status'],
    summary: 'Which key goes to which service',
    words: [],
    options: LISTING,
    examples: ['auth status', 'auth status --format json'],
    section: SELF,
    run: async (app, call) => (await import('./settings/auth.ts')).status(app, call),
  },
  {
    path: ['quota'],
    summary: 'What is left of each request budget, until when, and how that is known; nobody is asked',
    words: [],
    options: [
      { name: 'forget', doc: 'forget what is known, after a change of plan for example', heading: 'Options' },
      ...LISTING,
    ],
    examples: ['quota', 'quota --format json'],
    section: SELF,
    run: async (app, call) => (await import('./service/quota.ts')).showQuota(app, call),
  },
  {
    path: ['profile', 'list'],
    summary: 'Services that were added',
    words: [],
    options: LISTING,
    examples: ['profile list', 'profile list --format json'],
    section: SELF,
    run: async (app) => (await import('./settings/profile.ts')).listProfiles(app),
  },
  {
    path: ['profile', 'use'],
    summary: 'Take a profile when none is named',
    words: [{ name: 'name', doc: 'name of a profile' }],
    options: GENERAL,
    examples: ['profile use work', 'profile use home'],
    section: SELF,
    run: async (app, call) => (await import('./settings/profile.ts')).chooseProfile(app, call),
  },
  {
    path: ['profile', 'add'],
    summary: 'Add a service, or change its address',
    words: [{ name: 'name', doc: 'name of the profile' }],
    options: [
      streamAddress,
      {
        name: 'header-prefix',
        value: 'WORD',
        doc: 'start of the service’s own header names; default X-SVC',
        heading: 'Options',
      },
      ...GENERAL,
    ],
    examples: [
      'profile add work --base-url https://api.example.com',
      'profile add local --base-url http://127.0.0.1:8787 --mirror local.db',
    ],
    section: SELF,
    run: async (app, call) => (await import('./settings/profile.ts')).addProfile(app, call),
  },
  {
    path: ['profile', 'remove'],
    summary: 'Remove a profile; its mirror and key stay',
    words: [{ name: 'name', doc: 'name of a profile' }],
    options: GENERAL,
    examples: ['profile remove work', 'profile remove local --quiet'],
    section: SELF,
    run: async (app, call) => (await import('./settings/profile.ts')).removeProfile(app, call),
  },
  {
    path: ['config', 'get'],
    summary: 'One setting as it is in force',
    words: [
      {
        name: 'name',
        doc: 'name of the setting',
        words: ['format', 'fields', 'profile', 'base-url', 'mirror', 'tracks'],
      },
    ],
    options: GENERAL,
    examples: ['config get mirror', 'config get format'],
    section: SELF,
    run: async (app, call) => (await import('./settings/config.ts')).getSetting(app, call),
  },
  {
    path: ['config', 'set'],
    summary: 'Keep a setting; without a value, forget it',
    words: [
      { name: 'name', doc: 'name of the setting', words: ['format', 'fields', 'profile', 'mirror'] },
      { name: 'value', doc: 'its value', optional: true },
    ],
    options: GENERAL,
    examples: ['config set format csv', 'config set fields date,val'],
    section: SELF,
    run: async (app, call) => (await import('./settings/config.ts')).setSetting(app, call),
  },
  {
    path: ['config', 'explain'],
    summary: 'Every setting and where it comes from',
    words: [],
    options: LISTING,
    examples: ['config explain', 'config explain --format json'],
    section: SELF,
    run: async (app) => (await import('./settings/config.ts')).explainSettings(app),
  },
  {
    path: ['completion'],
    summary: 'Completion script of a shell',
    words: [{ name: 'shell', doc: 'shell', words: SHELLS }],
    options: GENERAL,
    examples: ['completion bash', 'completion zsh'],
    section: SELF,
    run: async (app, call) => (await import('./service/completion.ts')).printCompletion(app, call),
  },
];
