// `serve --upstream`: what the mirror cannot prove is asked of the service, with the owner's key and within limits.

import { INTERACTIVE_WAIT } from '../../../client/client.ts';
import { createClient } from '../../../client/create.ts';
import type { Caller, SeriesRef } from '../../../contract/hooks.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { isLoopbackHost } from '../../../platform/listening.ts';
import { PLANS } from '../../../serve/access/keys.ts';
import { createLiveSource } from '../../../source/live.ts';
import { requireOwnService } from '../../../source/named-service.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import { type Question, resolveAlias, type Source } from '../../../source/source.ts';
import { livePages } from '../../../source/stored/collect-pages.ts';
import { createReadThrough } from '../../../source/through/read-through.ts';
import { selectTargets } from '../../../sync/series/select.ts';
import type { App } from '../../app/app.ts';
import { noService, serviceOptions } from '../../app/service.ts';
import { isOn, type Options, textOption } from '../../parse/options.ts';
import { readSpending } from '../../parse/spending.ts';
import { followFile, SERVE_BUSY_MS } from './followed-mirror.ts';

/** Milliseconds that an answer of the service may take with all its tries. */
const DEADLINE = 15_000;

/** Stands for whatever a selection leaves open. */
const ANY = 'any';

/** Opens the upstream service and its mirror; undefined without `--upstream`. @throws MacroError of kind `auth`. */
export async function openUpstream(app: App, options: Options, at: { readonly host: string; readonly port: number }) {
  if (!isOn(options, 'upstream')) return refuseWithout(options);
  refuseBeside(options);
  const { settings, platform } = app;
  // Work in the background leaves some of every budget to the person at the terminal.
  const spending = { ...readSpending(options, 'background'), maxWait: INTERACTIVE_WAIT };
  const asking = serviceOptions(app, 'background', spending);
  if (!asking) throw noService('none can be asked.');
  if (asking.key === undefined)
    throw new MacroError(
      'auth',
      `--upstream asks ${new URL(asking.baseUrl).origin} with your key, and none is given.`,
      {
        code: 'api_key_required',
        hint: 'Store one with: macro auth login',
      },
    );
  refuseItself(asking.baseUrl, at);
  const refuses = await readRefusals(app, options);
  const client = createClient({
    ...asking,
    deadline: DEADLINE,
    longestWait: INTERACTIVE_WAIT / 1000,
    onWait: undefined,
  });
  const opened = await app.openMirror({ path: settings.mirror.value, mode: 'write', busyTimeout: SERVE_BUSY_MS });
  const { service } = client;
  await requireOwnService({ mirror: opened, service });
  const written = await followFile(app, opened, { mode: 'write', service });
  const live = createLiveSource({
    client,
    mirror: written,
    onUnwritten: (error) => void app.log(`an answer was not stored: ${error.message}`, 'not_kept'),
  });
  await app.note(`asks ${client.service} for what the mirror cannot prove`, 'asks_upstream');
  return {
    /** The mirror's own source, and the service behind it. */
    through: (mirror: Mirror, source: Source) =>
      createReadThrough({
        ...{ mirror: { mirror, source }, live, refuses, clock: platform.clock },
        walk: (question, context) => livePages({ client, mirror: written }, question, context),
        ...{ access: client.access, strict: isOn(options, 'strict'), signal: app.signal },
        onFailure: ({ message }) => void app.log(`the service is not asked for now: ${message}`, 'upstream_failed'),
      }),
  };
}

async function readRefusals(app: App, options: Options) {
  const spenders = readSpenders(textOption(options, 'spend-for'));
  const isServed = await readServedSeries(textOption(options, 'only'), app.platform.clock.now());
  return (question: Question, caller: Caller) => {
    if (!spenders(caller)) return 'The service is not asked for this caller.';
    return isServed(question) ? undefined : 'The service is not asked for this series.';
  };
}

const SPENDERS: readonly string[] = [...PLANS, 'keyless'];

/** Every caller with a key where nobody is named. The owner is asked for by nobody else. */
function readSpenders(text: string | undefined): (caller: Caller) => boolean {
  if (text === undefined) return ({ kind }) => kind !== 'keyless';
  const named = text.split(',').map((word) => word.trim().toLowerCase());
  const wrong = named.find((word) => !SPENDERS.includes(word));
  if (wrong !== undefined)
    throw new MacroError('usage', `'${wrong}' is no value for --spend-for.`, {
      hint: `Give plans of the keys file, with commas: ${SPENDERS.join(', ')}.`,
    });
  return (caller) => caller.kind === 'owner' || named.includes(caller.kind === 'keyed' ? caller.plan : 'keyless');
}

const LIMITS = ['budget', 'spend-for', 'only'] as const;

function refuseWithout(options: Options): undefined {
  const name = LIMITS.find((limit) => textOption(options, limit) !== undefined);
  if (name === undefined) return undefined;
  throw new MacroError('usage', `--${name} limits requests to the service, and this server sends none.`, {
    hint: 'Add --upstream, or leave it out.',
  });
}

/** Made-up data and the past are answered by themselves. */
function refuseBeside(options: Options): void {
  const name = ['sandbox', 'clock', 'speed'].find((other) => options[other] !== undefined);
  if (name === undefined) return;
  throw new MacroError('usage', `--upstream and --${name} exclude each other.`, { hint: 'Leave one of them out.' });
}

/** A server that asks itself would wait for itself. */
function refuseItself(baseUrl: string, { host, port }: { readonly host: string; readonly port: number }): void {
  const url = new URL(baseUrl);
  const usual = url.protocol === 'https:' ? 443 : 80;
  const isHere = url.hostname === host || isLoopbackHost(url.hostname);
  if (!isHere || Number(url.port || usual) !== port) return;
  throw new MacroError('usage', `The service ${url.origin} is this server itself.`, {
    hint: 'Give the address of the service with --base-url, or another --port.',
  });
}

/** Reads the words of a selection, as `macro sync` takes them, into a test of questions; every question passes without words. */
export async function readServedSeries(words: string | undefined, now: number) {
  if (words === undefined) return () => true;
  const targets = await selectTargets([words], { endpoints: ENDPOINTS, now, indicatorsOf: async () => [ANY] });
  const isSelected = ({ endpoint, scope }: SeriesRef) =>
    targets.some(
      (target) =>
        target.endpoint.id === endpoint &&
        Object.keys(target.endpoint.at).every((name) => {
          const value = target.args[name];
          return value === undefined || value === ANY || value === scope[name];
        }),
    );
  return (request: Question) => {
    const question = resolveAlias(request);
    const { endpoint, args } = question;
    if (endpoint.mirror && isSelected(seriesOfQuestion(endpoint, args))) return true;
    const inputs = endpoint.compose?.reads(args) ?? [];
    return inputs.length > 0 && inputs.every(isSelected);
  };
}
