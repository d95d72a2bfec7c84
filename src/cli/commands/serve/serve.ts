import { resolve } from 'node:path';
import { parseInstant } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import { virtualClock } from '../../../platform/node-clock.ts';
import type { Clock } from '../../../platform/platform.ts';
import { type KeyList, parseKeys } from '../../../serve/access/keys.ts';
import type { ServeOptions } from '../../../serve/options.ts';
import { LABELS } from '../../../source/labels.ts';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../webhooks/send/deliver.ts';
import type { App } from '../../app/app.ts';
import { isOn, manyOption, type Options, readCount, readDuration, textOption } from '../../parse/options.ts';
import { type LogFacts, REQUEST_LOG_FORMATS } from '../../print/lines.ts';
import { type CommandDeclaration, lazy } from '../command.ts';
import { GENERAL } from '../common-options.ts';

export default [
  {
    path: ['serve'],
    summary: 'Serve the mirror as the API of the service, on this machine',
    options: [
      `--port N: port; 0 for any free one; default 8787
      --host H: address to listen on; default 127.0.0.1
      --allowed-host NAME...: accept requests to this host name too, behind a proxy for example; may be repeated
      --max-connections N: connections at a time, open streams included; default 1024
      --memory SIZE: size of the cache in memory, in bytes or as 64MB; 0 turns it off; default 128MB
      --sandbox: serve generated data, in a mirror of its own
      --open: no access rules and no quotas
      --keys FILE: accept only the keys of this file, one KEY PLAN LABEL a line; read again when it changes, and at SIGHUP
      --no-quota: no quotas
      --strict: refuse partial answers with 503
      --upstream: ask the service, with your key, for missing or old rows; store them and answer
      --budget LIST: requests that --upstream may send at most, such as 60/min,5000/day; per min, hour, day or month, or in all
      --spend-for PLANS: with --upstream, ask only for callers whose keys have these plans, or keyless; default: every key
      --only WORDS: series that --upstream asks for, in words of macro sync; default: all
      --allow-local-destinations: webhooks may go to this machine, over http too: for developers
      --webhook-waits LIST: waits between attempts at a delivery; default 5s,5m,30m,2h,5h,10h,10h
      --webhook-failures N: end a subscription after so many failures in a row; default 10
      --webhook-failing DUR: end a subscription whose every attempt failed for so long; default 5d
      --stream-retry-ms N: how long readers of a stream wait before they reconnect; default 3000
      --desk-key FILE: key that all machines serving one mirror on PostgreSQL share; the first one makes it
      --new-signing-key: retire the key that settlement records are signed with
      --no-pages: answer / and /docs with a few lines of text instead of pages for people
      --metrics: serve macro metrics at /metrics; with --keys, readers need a key
      --mcp: offer the tools of macro mcp at /mcp; with --keys, callers need a key
      --log FILE: write one line for each request; - is stderr
      --log-format WORD (${REQUEST_LOG_FORMATS.join('|')}): form of the log; default pretty
      --faults FILE: spoil answers on purpose as this JSON file says, to test clients
      --seed N: seed of the drawn faults; the same seed gives the same bytes; default 1
      --clock T: time of the server: a date or an ISO time; default now
      --speed N: how fast that clock runs; 0 stops it; default 1`,
      GENERAL,
    ],
    examples: ['serve --sandbox', 'serve --upstream --budget 60/min,5000/day'],
    run: lazy(() => import('./run-server.ts'), 'serve'),
  },
] satisfies readonly CommandDeclaration[];

/** A day in a second. */
const MAX_SPEED = 86_400;

const MAX_ATTEMPTS = 50;

const UNITS = { '': 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 } as const;

/** The most bytes that can be given: a terabyte. */
const MAX_BYTES = 1024 ** 4;

/** How much of the memory that a person grants is for the columns of series; the rest is for finished answers. */
export const COLUMNS_PART = 13 / 16;
const BODIES_PART = 1 - COLUMNS_PART;

export function readBehaviour(
  app: App,
  options: Options,
  at: { port: number; host: string; clock: Clock; log?: ServeLog | undefined },
): ServeOptions {
  const keyFile = textOption(options, 'keys');
  const streamRetry = readCount(options, 'stream-retry-ms', 0);
  const memory = readByteSize(options, 'memory');
  const publicBaseUrl = at.port === 0 ? '' : `http://${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`;
  return {
    labels: { ...LABELS, publicBaseUrl },
    allowedHosts: readHosts(options),
    ...(keyFile !== undefined && { keys: openKeyFile(app, resolve(app.platform.cwd, keyFile), at.log) }),
    open: isOn(options, 'open'),
    quotas: !isOn(options, 'no-quota'),
    strict: isOn(options, 'strict'),
    headerPrefix: app.settings.headerPrefix.value,
    now: () => at.clock.now(),
    ...(streamRetry !== undefined && { streamRetry }),
    ...(memory !== undefined && { bodyBytes: memory * BODIES_PART }),
  };
}

/** Events of a server by itself, for its log. */
export interface ServeLog {
  note(event: 'started' | 'stopping' | 'stopped' | 'keys_read' | 'keys_revoked' | 'keys_kept', facts: LogFacts): void;
}

/** Milliseconds between two looks at the file of keys. */
const KEYS_LOOK_MS = 1_000;

/**
 * The keys of a file, read again when it has changed and at SIGHUP. If the new file is invalid, the old keys stay; an
 * empty one revokes all.
 * @throws MacroError of kind `usage` for a file that has none at the start.
 */
function openKeyFile(app: App, path: string, log: ServeLog | undefined): KeyList {
  const { files, clock, signals, os } = app.platform;
  const look = () => JSON.stringify(files.look(path));
  let seen: string | undefined = look();
  let keys = parseKeys(files.readText(path));
  let lookedAt = clock.now();
  if (keys.length === 0)
    throw new MacroError('usage', 'The keys file has no keys.', { hint: 'Write one "KEY PLAN LABEL" a line.' });
  if (os !== 'windows' && ((files.mode(path) ?? 0) & 0o007) !== 0)
    void app.warn(`Others can read the keys file ${path}. Run chmod o= ${path}.`, 'key_file_exposed');
  const say = (event: Parameters<ServeLog['note']>[0], says: string, level = 'info') => {
    void app.log(says, event);
    log?.note(event, { level, path, says });
  };
  app.signal.addEventListener(
    'abort',
    signals.onHangup(() => {
      seen = undefined;
    }),
  );
  return () => {
    const now = clock.now();
    if (seen !== undefined && Math.abs(now - lookedAt) < KEYS_LOOK_MS) return keys;
    lookedAt = now;
    const found = look();
    if (found === seen) return keys;
    seen = found;
    try {
      keys = parseKeys(files.readText(path));
      if (keys.length > 0) say('keys_read', `reads ${keys.length} keys from ${path}`);
      else say('keys_revoked', `refuses every key: ${path} has none any more`, 'warning');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      say('keys_kept', `keeps the keys it has: ${why}`, 'warning');
    }
    return keys;
  };
}

/** Names without a port: a proxy listens on any. */
function readHosts(options: Options): readonly string[] {
  const hosts = manyOption(options, 'allowed-host').flatMap((text) => text.split(',').map((host) => host.trim()));
  const wrong = hosts.find((host) => !/^([\w-]+(\.[\w-]+)*\.?|\[[\da-f:.]+\])$/i.test(host));
  if (wrong === undefined) return hosts;
  throw new MacroError('usage', `'${wrong}' is no name for --allowed-host.`, {
    hint: 'Give a host name or an address alone, such as mirror.example or [2001:db8::1]; several with commas.',
  });
}

/** Refuses options that the tools cannot honour, since they read the present. @throws MacroError of kind `usage`. */
export function checkTools(options: Options): void {
  if (!isOn(options, 'mcp') || isOn(options, 'sandbox') || !hasOwnClock(options)) return;
  throw new MacroError('usage', '--mcp and a clock of its own exclude each other.', {
    code: 'bad_arguments',
    hint: 'Leave one of them out; the tools take as_of.',
  });
}

/** Whether a server has another time than this machine. */
export function hasOwnClock(options: Options): boolean {
  return textOption(options, 'clock') !== undefined || textOption(options, 'speed') !== undefined;
}

/** The clock of a server, as `--clock` and `--speed` say. It runs from here on. */
export function readServeClock(app: App, options: Options): Clock {
  const startsAt = readStart(textOption(options, 'clock'));
  const speed = readSpeed(textOption(options, 'speed'));
  return virtualClock(app.platform.clock, { startsAt, speed });
}

function readStart(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseInstant(text);
  if (seconds !== undefined) return seconds * 1000;
  throw new MacroError('usage', `'${text}' is no time for --clock.`, {
    hint: 'Give a date, an ISO time such as 2026-03-09T14:00:00Z, or Unix seconds.',
  });
}

function readSpeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const speed = Number(text.trim());
  if (/^\d+(\.\d+)?$/.test(text.trim()) && speed <= MAX_SPEED) return speed;
  throw new MacroError('usage', `'${text}' is no value for --speed.`, {
    code: 'bad_number',
    hint: `Give a number from 0 to ${MAX_SPEED}: 60 is a minute in a second, 0 stops the clock.`,
  });
}

/** How a server tries deliveries, as it was typed. Waits that are typed are exact: whoever tests a receiver wants to know when. */
export function readWebhookPolicy(options: Options): DeliveryPolicy {
  const waits = textOption(options, 'webhook-waits');
  const failures = readCount(options, 'webhook-failures', 1);
  const failing = textOption(options, 'webhook-failing');
  return {
    ...DELIVERY_POLICY,
    ...(waits !== undefined && { waits: readWaits(waits), jitter: 0 }),
    limits: {
      failures: failures ?? DELIVERY_POLICY.limits.failures,
      streak: failing === undefined ? DELIVERY_POLICY.limits.streak : readFailing(failing),
    },
  };
}

function readFailing(text: string): number {
  const seconds = readDuration(text, '--webhook-failing');
  if (seconds > 0) return seconds * 1_000;
  throw new MacroError('usage', 'A subscription cannot end before anything failed.', {
    code: 'bad_arguments',
    hint: 'Give a second or more; --webhook-failures 1 ends it with the first delivery that failed.',
  });
}

function readWaits(text: string): readonly number[] {
  const words = text.split(',').filter((word) => word.trim() !== '');
  if (words.length >= MAX_ATTEMPTS)
    throw new MacroError('usage', `A delivery is tried ${MAX_ATTEMPTS} times at most.`, {
      code: 'bad_arguments',
      hint: `Give less than ${MAX_ATTEMPTS} waits.`,
    });
  return words.map((word) => readDuration(word, '--webhook-waits') * 1_000);
}

/** A number of bytes that was typed for an option, such as 134217728 or 128MB; undefined when none was. */
export function readByteSize(options: Options, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const [, digits = '', unit = ''] = /^(\d{1,13})\s*(B|KB|MB|GB)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(digits) * UNITS[unit.toUpperCase() as keyof typeof UNITS]; // one of those of the pattern
  if (digits !== '' && bytes <= MAX_BYTES) return bytes;
  throw new MacroError('usage', `'${text}' is no value for --${name}.`, {
    code: 'bad_number',
    hint: 'Give a whole number of bytes from 0 to 1024GB, with B, KB, MB or GB behind it or nothing: 128MB for example.',
  });
}
