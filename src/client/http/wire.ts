import type { Endpoint } from '../../contract/endpoint.ts';
import { MacroError } from '../../errors.ts';
import type { FetchInit, Platform } from '../../platform/platform.ts';
import { type Client, type ClientRequest, INTERACTIVE_WAIT, type RateLimiter, type Reservation } from '../client.ts';
import { memoryLedger } from '../quota/ledger.ts';
import { createRateLimiter } from '../quota/rate-limiter.ts';
import { type Address, readServiceAddress, urlOf } from './address.ts';
import { readText } from './body.ts';
import { fingerprint, type Redacted, readApiKey } from './key.ts';
import { interruption, networkError, neverSent } from './network.ts';
import { deprecationNote, errorOf, type RawReply } from './reply.ts';
import { createTimeBudget, type TimeBudget, type Wait, withRetries } from './retry.ts';
import { createErase, type Erase, scrub, scrubError, secretOf } from './scrub.ts';
import { CLIENT_VERSION } from './version.ts';

export interface ClientOptions {
  readonly platform: Pick<Platform, 'fetch' | 'clock' | 'random'>;
  /** `https://h`, `https://h/v1`, `https://h/api` or `https://h/api/v1`. */
  readonly baseUrl: string;
  readonly key?: string | undefined;
  /** Default: one whose books live as long as this client. */
  readonly limiter?: RateLimiter | undefined;
  /** Seconds that a refusal for the budget (429) may ask to wait, and is obeyed. Default a minute. */
  readonly longestWait?: number | undefined;
  /** Stands for the service's own name in its headers. */
  readonly headerPrefix?: string | undefined;
  /** Milliseconds for one request with all its tries, bodies included; waits for quota are not counted. */
  readonly deadline?: number | undefined;
  /** The proxy that requests go through, for people. */
  readonly proxy?: string | undefined;
  /** Called before each pause between two tries. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** One request as it goes over the wire. */
export interface WireCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query after the base address. */
  readonly target: string;
  /** JSON text. */
  readonly body?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onSpent?: ClientRequest['onSpent'];
  /** Time shared with the other tries; by default the time of one request. */
  readonly time?: TimeBudget;
  /** It changes something: a redirect would send it twice, so none is followed. */
  readonly changes?: boolean;
}

interface StreamCall {
  /** Path and query after the base address. */
  readonly target: string;
  /** Go on behind this event. */
  readonly lastEventId: string | undefined;
  readonly signal: AbortSignal;
}

/** The one line to a service: what every request has in common, whatever it is for. */
export interface Wire extends Pick<Client, 'service' | 'access'> {
  readonly address: Address;
  readonly headerPrefix: string;
  /** The part of the key that must never be shown; undefined without a key, or if it looks like a word. */
  readonly secret: string | undefined;
  readonly hasKey: boolean;
  /** Takes the key out of what the service sent. */
  readonly erase: Erase;
  /** One exchange, whatever its status. Failures of the network come as a MacroError. */
  exchange(call: WireCall): Promise<RawReply>;
  /** Begins an answer that has no end. For the books it is over once it has begun; nothing of its body is read here. */
  open(call: StreamCall): Promise<Response>;
  /** The typed error of an answer that is none. */
  refusal(reply: RawReply, target: string): MacroError;
  /** Milliseconds. */
  now(): number;
  /** The error of a question that cannot be asked without a key. */
  keyMissing(endpoint: Pick<Endpoint, 'path'>, about: unknown): MacroError;
  /** Runs an attempt again while its failure may pass by itself; errors leave without the key. */
  retrying<T>(attempt: (time: TimeBudget) => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Runs an attempt once; errors leave without the key. */
  once<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** The warnings of the headers that this line has not shown before. */
  newNotes(target: string, headers: Headers): readonly string[];
}

/** Time for one request with all its tries. See docs/interface.md#safety-of-clients. */
const DEADLINE = 30_000;

/** Requests of one exchange, a redirect's hops included, each of which is set aside before it leaves. */
interface CountedSend {
  send(url: string): Promise<Response>;
  /** Reports the result of the last request; called when its body is read, because until then it uses a slot. */
  settle(): void;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Opens the line: the gate reserves each request and learns from each answer.
 * @throws MacroError of kind `interrupted` or `upstream`.
 */
export function createWire(options: ClientOptions): Wire {
  const { platform, deadline = DEADLINE, onWait, longestWait } = options;
  const headerPrefix = checkPrefix(options.headerPrefix ?? 'X-SVC');
  const key = readApiKey(options.key);
  const address = readServiceAddress(options.baseUrl, key !== undefined);
  const access = key ? (`key:${fingerprint(key)}` as const) : 'keyless';
  const limiter = options.limiter ?? ownGate({ platform, access, headerPrefix });
  const secret = secretOf(key?.reveal());
  const erase = createErase(secret);
  const shown = new Set<string>();
  const rethrowClean = (error: unknown): never => {
    throw scrubError(error, secret);
  };

  const networkFailure =
    (signal: AbortSignal | undefined) =>
    (error: unknown): never => {
      throw networkError(error, { origin: address.origin, signal, proxy: options.proxy });
    };

  async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw signal?.aborted && !(error instanceof MacroError) ? interruption(signal) : error;
    }
  }

  return {
    service: address.origin,
    access,
    address,
    headerPrefix,
    secret,
    hasKey: key !== undefined,
    erase,
    async exchange({ method, target, body, ifNoneMatch, signal, onSpent, changes, ...call }) {
      const time = call.time ?? createTimeBudget(platform.clock, deadline);
      const init = {
        method,
        headers: headersOf(key, ifNoneMatch, body),
        ...(body !== undefined && { body }),
        // Redirects are ours to follow: a key must not travel along.
        redirect: 'manual',
        ...(signal && { signal }),
      } as const;
      const onFailure = networkFailure(signal);
      const route = `${method} ${target.replace(/\?.*$/s, '')}`;
      const { send, settle } = countedSend(limiter, platform, { route, init, time, onSpent });
      const follow = changes ? refuseRedirect : followRedirects;
      try {
        const response = await follow(urlOf(address, target), send).catch(onFailure);
        const { status, headers } = response;
        // An error with an unreadable body is still an error.
        const text = await readText(response).catch(response.ok ? onFailure : () => '');
        return { status, headers: erasedHeaders(headers, erase), text: erase(text) };
      } finally {
        settle();
      }
    },
    async open({ target, lastEventId, signal }) {
      const headers = { ...headersOf(key, undefined, undefined), ...streamHeaders(lastEventId) };
      const init = { method: 'GET', headers, redirect: 'manual', signal } as const;
      const { send, settle } = countedSend(limiter, platform, { route: `GET ${target.replace(/\?.*$/s, '')}`, init });
      try {
        return await followRedirects(urlOf(address, target), send).catch(networkFailure(signal));
      } catch (error) {
        return rethrowClean(error);
      } finally {
        settle();
      }
    },
    now: () => platform.clock.now(),
    refusal: (reply, target) =>
      errorOf(reply, { target, origin: address.origin, hasKey: key !== undefined, now: platform.clock.now() }),
    keyMissing: ({ path }, about) => keyMissing(path, typeof about === 'string' ? about : undefined, address.origin),
    retrying: (attempt, signal) =>
      untilAborted(() => {
        const time = createTimeBudget(platform.clock, deadline);
        const options = { platform, signal, time, onWait, longestWait };
        return withRetries(() => attempt(time).catch(rethrowClean), options);
      }, signal),
    once: (attempt, signal) => untilAborted(() => attempt().catch(rethrowClean), signal),
    newNotes(target, headers) {
      const note = deprecationNote(target, headers);
      if (note === undefined || shown.has(note)) return [];
      shown.add(note);
      return [scrub(note, secret)];
    },
  };
}

/** The gate of a client that nobody gave one. */
function ownGate(given: { platform: Pick<Platform, 'clock'>; access: string; headerPrefix: string }): RateLimiter {
  const { platform, access, headerPrefix } = given;
  return createRateLimiter({
    clock: platform.clock,
    ledger: memoryLedger(access),
    maxWait: INTERACTIVE_WAIT,
    priority: 'interactive',
    pid: 0,
    headerPrefix,
  });
}

function headersOf(
  key: Redacted | undefined,
  ifNoneMatch: string | undefined,
  body: string | undefined,
): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': `macro-data/${CLIENT_VERSION}`,
    ...(key && { 'x-api-key': key.reveal() }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    // Only answers to GET carry validators.
    ...(ifNoneMatch !== undefined && body === undefined && { 'if-none-match': ifNoneMatch }),
  };
}

/** A stream is read as it comes, so nothing on the way may keep or compress it. */
function streamHeaders(lastEventId: string | undefined): Record<string, string> {
  return {
    accept: 'text/event-stream',
    'accept-encoding': 'identity',
    'cache-control': 'no-store',
    ...(isHeaderText(lastEventId) && { 'last-event-id': utf8Header(lastEventId) }),
  };
}

/** Most answers echo nothing, and theirs stay as they are. */
function erasedHeaders(headers: Headers, erase: Erase): Headers {
  const all = [...headers].map(([name, value]): [string, string] => [name, erase(value)]);
  return all.some(([name, value]) => headers.get(name) !== value) ? new Headers(all) : headers;
}

/** A value that fits into a header: an id with control characters would make the request impossible. */
function isHeaderText(text: string | undefined): text is string {
  return text !== undefined && text !== '' && !/\p{Cc}/u.test(text);
}

/** A header's characters are bytes; the HTML standard, section 9.2.3, sends an id as UTF-8. */
function utf8Header(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** The prefix of the service's own headers. @throws MacroError of kind `usage`. */
export function checkPrefix(prefix: string): string {
  if (/^[A-Za-z0-9-]{1,40}$/.test(prefix)) return prefix;
  throw new MacroError('usage', 'The header prefix of the service must be letters, digits and hyphens.', {
    hint: 'Give it like X-SVC.',
  });
}

function keyMissing(path: string, about: string | undefined, origin: string): MacroError {
  const subject = about === undefined ? '' : ` for ${about}`;
  return new MacroError('auth', `${path}${subject} needs an API key of ${origin}, and none is given.`, {
    code: 'api_key_required',
    status: 401,
    hint: 'Store one with: macro auth login, or give it in MACRO_API_KEY.',
  });
}

function countedSend(
  limiter: RateLimiter,
  platform: Pick<Platform, 'fetch'>,
  request: {
    readonly route: string;
    readonly init: FetchInit;
    readonly time?: TimeBudget;
    readonly onSpent?: ClientRequest['onSpent'];
  },
): CountedSend {
  const { route, init, time, onSpent } = request;
  const signal = init.signal ?? undefined;
  let open: { reservation: Reservation; response: Response } | undefined;
  const settle = () => {
    if (open?.reservation.answered(open.response.status, open.response.headers)) onSpent?.();
    open = undefined;
  };
  return {
    settle,
    async send(url) {
      settle();
      const reserve = () => limiter.reserve({ route, signal });
      const reservation = await (time ? time.waiting(reserve) : reserve());
      try {
        // Every hop of a redirect and every try has what the ones before it left.
        const deadline = time && Math.max(1, time.left());
        const response = await platform.fetch(url, { ...init, ...(deadline !== undefined && { deadline }) });
        open = { reservation, response };
        return response;
      } catch (error) {
        if (neverSent(error)) reservation.release();
        else {
          reservation.lost();
          onSpent?.();
        }
        throw error;
      }
    },
  };
}

/**
 * Follows redirects inside the origin only: another place gives another answer.
 * @throws MacroError of kind `upstream`.
 */
async function followRedirects(url: string, send: (url: string) => Promise<Response>): Promise<Response> {
  let at = new URL(url);
  for (let hops = 0; ; hops += 1) {
    const response = await send(at.href);
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel().catch(() => undefined);
    if (hops === MAX_REDIRECTS) throw refused(`${at.origin} redirected more than ${MAX_REDIRECTS} times.`);
    at = target(at, response.headers.get('location'));
  }
}

/** Sends a change, which a redirect may have done: it is not sent again. @throws MacroError of kind `upstream`. */
async function refuseRedirect(url: string, send: (url: string) => Promise<Response>): Promise<Response> {
  const response = await send(url);
  if (!REDIRECTS.has(response.status)) return response;
  await response.body?.cancel().catch(() => undefined);
  throw refused(`${new URL(url).origin} redirected a request that changes something, which was not sent again.`);
}

function target(from: URL, location: string | null): URL {
  if (location === null) throw refused(`${from.origin} redirected to nowhere.`);
  if (!URL.canParse(location, from.href)) throw refused(`${from.origin} redirected to something that is no address.`);
  const to = new URL(location, from.href);
  if (to.origin !== from.origin)
    throw refused(`${from.origin} redirected to another place, ${to.origin}, which was not followed.`);
  if (to.username !== '' || to.password !== '')
    throw refused(`${from.origin} redirected to an address with a password.`);
  return to;
}

function refused(message: string): MacroError {
  return new MacroError('upstream', message, {
    code: 'redirect_refused',
    hint: 'Check the address of the service (--base-url, MACRO_BASE_URL); if it has moved, give the new one.',
  });
}
