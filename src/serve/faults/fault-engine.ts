// The faults of a server: stands around its handler and its webhooks.

import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { etagMatches } from '../../contract/headers.ts';
import { MacroError } from '../../errors.ts';
import type { Clock, Post } from '../../platform/platform.ts';
import { keyOfRequest } from '../access/callers.ts';
import { KEYED_BUDGETS, KEYED_SLOTS, KEYLESS_BUDGETS, quotaError } from '../access/limits.ts';
import { acceptsGzip } from '../reply/body.ts';
import { toHttpError } from '../reply/errors.ts';
import { addHeader, type HeaderList } from '../reply/header-list.ts';
import { type CapturedAnswer, captureAnswer, headerIn, withHeader } from './captured-answer.ts';
import { createFaultChoice, digestOf, drawOf, type FaultChoice, faultKindOf } from './choose-faults.ts';
import {
  type AnswerFault,
  type EventFault,
  type FaultRule,
  type LimitFaultWindow,
  type NamedFault,
  readFaultHeader,
} from './fault.ts';
import { editAnswer, resetConnection, sendSpoiled, urlOfLie } from './spoil-answer.ts';
import { spoilStream } from './spoil-stream.ts';

interface FaultOptions {
  readonly rules: readonly FaultRule[];
  /** With a seed, names of requests and the header `Date` follow from seed and clock too. */
  readonly seed?: number | undefined;
  /** False refuses requests that ask for faults of their own. */
  readonly allowsHeader: boolean;
  /** Stands before the names of the service's own headers. */
  readonly headerPrefix?: string;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Spoils what a server says, in the same way each time. */
export interface FaultEngine {
  /** Spoils the answers of a server. `now` gives milliseconds, as the server sees them. */
  around(handler: RequestListener, now: () => number): RequestListener;
  /** Spoils the posts of webhooks. */
  post(post: Post): Post;
  /** Takes other rules and counts from the beginning. */
  replace(rules: readonly FaultRule[]): void;
  /** Bytes that follow from the seed; undefined without one. */
  readonly requestNames: Uint8Array | undefined;
}

type Refusing = Extract<AnswerFault, { fault: 'error' | 'limit' }>;

/** Requests a minute of a route with a budget of its own, as the refusal states it. */
const ENDPOINT_BUDGET = 30;
const RETRY_SECONDS = 1;

const CODES: Readonly<Record<number, readonly [string, string]>> = {
  500: ['internal_error', 'Internal server error.'],
  502: ['bad_gateway', 'The gateway got no answer.'],
  503: ['service_unavailable', 'The store cannot be read at present.'],
  504: ['gateway_timeout', 'The gateway got no answer in time.'],
};

/** Validators that never change again, by key and URL. */
interface StaleEtags {
  /** The 304 for a caller with the old validator; undefined if the source must be asked. */
  unchanged(name: string, from: { id: string; ifNoneMatch: string | undefined }): CapturedAnswer | undefined;
  /** The answer under the first validator that this address had. */
  keep(name: string, answer: CapturedAnswer): CapturedAnswer;
}

/** Addresses that are remembered; later ones keep their own validators. */
const MAX_ETAGS = 10_000;

/** Makes an engine. The same rules, seed, clock and requests give the same bytes. */
export function createFaults(options: FaultOptions): FaultEngine {
  const { seed, headerPrefix = 'X-SVC', clock } = options;
  const started = (rules: readonly FaultRule[]): FaultRun => ({
    ...{ options, seed: seed ?? 0, clock, prefix: headerPrefix },
    choice: createFaultChoice(rules, seed ?? 0),
    etags: createStaleEtags(),
  });
  let run = started(options.rules);
  let hasRules = options.rules.length > 0;
  const header = `${headerPrefix}-Fault`.toLowerCase();
  // Without a rule, a seed or the header there is nothing to do.
  const leaves = (headers: IncomingHttpHeaders) => !hasRules && seed === undefined && headers[header] === undefined;
  return {
    around: (handler, now) => (request, response) => {
      if (leaves(request.headers)) return handler(request, response);
      spoilRequest({ ...run, handler, now }, request, response);
    },
    post: (post) => spoilPost(post, () => run.choice, headerPrefix),
    replace(rules) {
      run = started(rules);
      hasRules = rules.length > 0;
    },
    requestNames: seed === undefined ? undefined : Buffer.from(digestOf(seed, 'requests').slice(0, 12), 'hex'),
  };
}

interface FaultRun {
  readonly options: FaultOptions;
  readonly choice: FaultChoice;
  readonly etags: StaleEtags;
  readonly seed: number;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly prefix: string;
}

interface Serving extends FaultRun {
  readonly handler: RequestListener;
  readonly now: () => number;
}

function spoilRequest(serving: Serving, request: IncomingMessage, response: ServerResponse): void {
  const { choice, options, prefix, seed } = serving;
  const target = { method: request.method ?? 'GET', url: request.url ?? '/' };
  const id = `req_${choice.nameOf(target)}`;
  const takesGzip = acceptsGzip(request.headers['accept-encoding']);
  const send = (answer: CapturedAnswer, all: readonly NamedFault[] = []) => {
    const faults = all.filter((one) => !isEventFault(one));
    const context = { url: target.url, takesGzip, now: serving.now() };
    sendSpoiled(response, editAnswer({ ...answer, headers: marked(answer.headers, faults, prefix) }, faults, context));
  };
  try {
    const faults = [...choice.ofRequest(target), ...wishesOf(request, options)];
    const wait = faults.reduce((ms, { name, rule }) => {
      if (rule.fault !== 'latency') return ms;
      return ms + rule.ms + Math.round((rule.jitter ?? 0) * drawOf(seed, `${name} ${id} jitter`));
    }, 0);
    const go = () => answerSpoiled({ serving, request, response, faults, id, send });
    if (wait === 0) go();
    else whileOpen(serving.clock, response, wait, go);
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    send(refuseFault(error, id));
  }
}

function wishesOf(request: IncomingMessage, { allowsHeader, headerPrefix = 'X-SVC' }: FaultOptions) {
  const directive = request.headers[`${headerPrefix}-Fault`.toLowerCase()];
  if (directive === undefined) return [];
  if (!allowsHeader)
    throw new MacroError('usage', `This mirror has real data, so ${headerPrefix}-Fault is refused.`, {
      code: 'faults_not_allowed',
      hint: 'Ask macro serve --sandbox, or start this server with --faults FILE.',
    });
  return readFaultHeader(String(directive)).map((rule, index) => ({ name: `header ${index}`, rule }));
}

interface Spoiling {
  readonly serving: Serving;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly faults: readonly NamedFault[];
  readonly id: string;
  readonly send: (answer: CapturedAnswer, faults?: readonly NamedFault[]) => void;
}

function answerSpoiled({ serving, request, response, faults, id, send }: Spoiling): void {
  const { etags, handler } = serving;
  const hasKey = keyOfRequest(request.headers, undefined) !== undefined;
  const isStale = faults.some(({ rule }) => rule.fault === 'stale-etag');
  const name = `${hasKey} ${request.url}`;
  const made =
    refusalAmong(faults, { id, hasKey }) ??
    (isStale ? etags.unchanged(name, { id, ifNoneMatch: request.headers['if-none-match'] }) : undefined);
  if (made) {
    send(made, faults);
    return;
  }
  const lie = faults.find(({ rule }) => rule.fault === 'page')?.rule;
  if (lie?.fault === 'page') {
    request.url = urlOfLie(request.url ?? '/', lie.as);
    // Without gzip and without a 304, since the text is edited.
    delete request.headers['accept-encoding'];
    delete request.headers['if-none-match'];
  }
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  captureAnswer(response, {
    answer: (answer) => send(isStale ? etags.keep(name, answer) : answer, faults),
    stream({ status, headers }) {
      const events = faults.filter(isEventFault);
      const list = withHeader(headers, 'Date', new Date(serving.now()).toUTCString());
      response.writeHead(status, marked(list, events, serving.prefix));
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      return spoilStream({
        ...{ faults: events, seed: serving.seed, clock: serving.clock, signal: gone.signal, write, end },
        drained: () => response.emit('drain'),
        cut: () => resetConnection(response),
      });
    },
  });
  handler(request, response);
}

/** The answer of the first fault that stands in place of the real one. */
function refusalAmong(
  faults: readonly NamedFault[],
  request: { readonly id: string; readonly hasKey: boolean },
): CapturedAnswer | undefined {
  for (const { rule } of faults) if (rule.fault === 'error' || rule.fault === 'limit') return makeAnswer(rule, request);
  return undefined;
}

/** The headers with the names of the faults, so that nobody takes the answer for a good one. */
function marked(headers: Readonly<HeaderList>, faults: readonly NamedFault[], prefix: string): HeaderList {
  const names = new Set(faults.map(({ rule }) => rule.fault));
  return names.size === 0 ? [...headers] : [...headers, `${prefix}-Fault`, [...names].join(', ')];
}

function isEventFault(one: NamedFault): one is NamedFault<EventFault> {
  return faultKindOf(one.rule).of === 'events';
}

/** Goes on after a while, unless the peer has gone. */
function whileOpen(clock: Pick<Clock, 'sleep'>, response: ServerResponse, ms: number, go: () => void): void {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  clock.sleep(ms, gone.signal).then(go, () => undefined);
}

/** Posts the chosen deliveries twice. The sender sees only the result of the first post. */
function spoilPost(post: Post, choice: () => FaultChoice, headerPrefix: string): Post {
  return async (request) => {
    const event = request.headers[`${headerPrefix}-Event-ID`] ?? '';
    const faults = choice().ofDelivery(event);
    const posted = await post(request);
    for (const { rule } of faults)
      for (let copy = 0; rule.fault === 'webhook-doubled' && copy < (rule.copies ?? 1); copy += 1)
        // The result of the copy is ignored: the sender knows of one delivery.
        await post(request).catch(() => undefined);
    return posted;
  };
}

/** The answer that a fault puts in place of the real one. Nobody is asked and nothing is charged. */
function makeAnswer(fault: Refusing, request: { readonly id: string; readonly hasKey: boolean }): CapturedAnswer {
  const made = fault.fault === 'error' ? errorAnswer(fault, request.id) : limitAnswer(fault, request.hasKey);
  const headers: HeaderList = ['X-Request-ID', request.id, ...made.headers, 'Cache-Control', 'no-store'];
  return { ...made, headers: [...headers, ...bodyHeaders(made.body)] };
}

function refuseFault(error: MacroError, id: string): CapturedAnswer {
  const refusal = new MacroError('usage', `${error.message} ${error.hint ?? ''}`.trim(), {
    status: 400,
    code: error.code ?? 'bad_faults',
  });
  const { status, body: text } = toHttpError(refusal, id);
  const body = Buffer.from(text);
  return { status, body, headers: ['X-Request-ID', id, 'Cache-Control', 'no-store', ...bodyHeaders(body)] };
}

function bodyHeaders(body: Buffer): HeaderList {
  return ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
}

function errorAnswer({ status = 500, retry_after: wait }: Extract<Refusing, { fault: 'error' }>, id: string) {
  const [code, detail] = CODES[status] ?? ['internal_error', 'Internal server error.'];
  const body = { detail, code, error: code, ...(status === 500 && { request_id: id }) };
  const headers: HeaderList = wait === undefined ? [] : ['Retry-After', String(wait)];
  return { status, headers, body: Buffer.from(JSON.stringify(body)) };
}

function limitAnswer(
  { window, retry_after: wait = RETRY_SECONDS }: Extract<Refusing, { fault: 'limit' }>,
  hasKey: boolean,
) {
  const limit = limitOf(window);
  const caller = hasKey ? ({ kind: 'keyed', plan: 'individual' } as const) : ({ kind: 'keyless' } as const);
  const { status, body, headers } = toHttpError(quotaError({ window, limit, wait }, caller), '');
  const list: HeaderList = [...headers];
  addHeader(list, 'RateLimit-Limit', limit);
  addHeader(list, 'RateLimit-Remaining', 0);
  addHeader(list, 'RateLimit-Reset', wait);
  addHeader(list, 'X-RateLimit-Limit', limit);
  addHeader(list, 'X-RateLimit-Remaining', 0);
  addHeader(list, 'X-RateLimit-Window', window);
  return { status, headers: list, body: Buffer.from(body) };
}

function limitOf(window: LimitFaultWindow): number {
  if (window === 'concurrency') return KEYED_SLOTS;
  const budgets = [...KEYED_BUDGETS, ...KEYLESS_BUDGETS];
  return budgets.find((budget) => budget.window === window)?.limit ?? ENDPOINT_BUDGET;
}

/** An address keeps the validator of its first answer, whatever its rows do: a cache that trusts it shows old rows. */
function createStaleEtags(): StaleEtags {
  const first = new Map<string, string>();
  return {
    unchanged(name, { id, ifNoneMatch }) {
      const etag = first.get(name);
      if (etag === undefined || !etagMatches(ifNoneMatch, etag)) return undefined;
      return { status: 304, headers: ['X-Request-ID', id, 'ETag', etag], body: Buffer.alloc(0) };
    },
    keep(name, answer) {
      const etag = headerIn(answer.headers, 'etag');
      if (etag === undefined) return answer;
      const known = first.get(name);
      if (known === undefined && first.size < MAX_ETAGS) first.set(name, etag);
      return known === undefined ? answer : { ...answer, headers: withHeader(answer.headers, 'ETag', known) };
    },
  };
}
