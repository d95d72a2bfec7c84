import { REQUEST_LOG_FORMATS } from '../../print/lines.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

/** Answers like the service. */
export const SERVE_COMMAND: CommandDeclaration = {
  path: ['serve'],
  summary: 'Answer like the service, from the mirror, on this machine',
  options: [
    { name: 'port', value: 'N', doc: 'port; 0 for any free one; default 8787' },
    { name: 'host', value: 'H', doc: 'address to listen on; default 127.0.0.1' },
    {
      name: 'allowed-host',
      value: 'NAME',
      many: true,
      doc: 'a name beside those of this machine that requests may be sent to, behind a proxy for example; may be repeated',
    },
    { name: 'max-connections', value: 'N', doc: 'connections at a time, open streams included; default 1024' },
    {
      name: 'memory',
      value: 'SIZE',
      doc: 'what is kept in memory to answer faster, in bytes or as 64MB; 0 keeps nothing; default 128MB',
    },
    { name: 'sandbox', doc: 'serve generated data, kept in a mirror of its own' },
    { name: 'open', doc: 'no access rules and no quotas' },
    { name: 'keys', value: 'FILE', doc: 'accept only these keys: KEY PLAN LABEL a line', file: true },
    { name: 'no-quota', doc: 'no quotas' },
    { name: 'strict', doc: 'refuse what the mirror holds in part only, with 503' },
    { name: 'upstream', doc: 'ask the service, with your key, for what the mirror cannot prove; keep and answer it' },
    {
      name: 'budget',
      value: 'LIST',
      doc: 'requests that --upstream may send at most, such as 60/min,5000/day; per min, hour, day or month, or in all',
    },
    {
      name: 'spend-for',
      value: 'PLANS',
      doc: 'plans of the keys whose callers --upstream asks for, or keyless; default: every key',
    },
    { name: 'only', value: 'WORDS', doc: 'series that --upstream asks for, in words of macro sync; default: all' },
    { name: 'allow-local-destinations', doc: 'webhooks may go to this machine, over http too: for developers' },
    {
      name: 'webhook-waits',
      value: 'LIST',
      doc: 'waits between attempts at a delivery; default 5s,5m,30m,2h,5h,10h,10h',
    },
    { name: 'webhook-failures', value: 'N', doc: 'failures in a row that end a subscription; default 10' },
    {
      name: 'webhook-failing',
      value: 'DUR',
      doc: 'how long every attempt may fail before that ends a subscription; default 5d',
    },
    {
      name: 'stream-retry-ms',
      value: 'N',
      doc: 'how long readers of a stream wait before they reconnect; default 3000',
    },
    { name: 'new-signing-key', doc: 'retire the key that settlement records are signed with' },
    { name: 'no-pages', doc: 'answer / and /docs with a few lines of text instead of pages for people' },
    { name: 'metrics', doc: 'tell at /metrics what macro metrics prints; with --keys its reader needs a key' },
    { name: 'mcp', doc: 'offer the tools of macro mcp at /mcp; with --keys whoever calls them needs a key' },
    { name: 'log', value: 'FILE', doc: 'write one line for each request; - is stderr', file: true },
    { name: 'log-format', value: 'WORD', words: REQUEST_LOG_FORMATS, doc: 'form of the log; default pretty' },
    {
      name: 'faults',
      value: 'FILE',
      doc: 'spoil answers on purpose, as the JSON of a file says: for tests of clients',
      file: true,
    },
    { name: 'seed', value: 'N', doc: 'what faults are drawn from; the same number gives the same bytes; default 1' },
    { name: 'clock', value: 'T', doc: 'what the server takes for now: a date or an ISO time' },
    { name: 'speed', value: 'N', doc: 'how fast that clock runs; 0 stops it; default 1' },
    ...GENERAL,
  ],
  examples: ['serve --sandbox', 'serve --upstream --budget 60/min,5000/day'],
  run: lazy(() => import('./serve.ts'), 'serve'),
};
