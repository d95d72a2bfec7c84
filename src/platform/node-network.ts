import type { ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { MacroError } from '../errors.ts';
import { isLoopbackHost } from './listening.ts';
import type { Fetch, Platform, Post, PostRequest, Resolve } from './platform.ts';

/** Time for a connection to come up, in milliseconds. */
const CONNECT_TIMEOUT = 10_000;

type Env = Platform['env'];

/** The proxy that stands between us and an address. */
interface Proxy {
  /** Its address for people, without user name and password. */
  readonly shown: string;
  /** The variable that names it. */
  readonly from: string;
}

/** The options of undici's agent. Empty for none: then it asks the environment no more. */
interface ProxySettings {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Lower case first, as curl and undici have it. A proxy for all protocols replaces a missing one. */
const FOR_ALL = ['all_proxy', 'ALL_PROXY'] as const;
const FOR_HTTP = ['http_proxy', 'HTTP_PROXY', ...FOR_ALL] as const;
const FOR_HTTPS = ['https_proxy', 'HTTPS_PROXY', ...FOR_ALL, 'http_proxy', 'HTTP_PROXY'] as const;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

interface ResolveOptions {
  /** Name servers to ask, with their ports; those of this machine when left out. */
  readonly servers?: readonly string[];
  /** Milliseconds that a name server has for an answer. */
  readonly timeout?: number;
  /** Milliseconds after which an unfinished lookup is cancelled. */
  readonly patience?: number;
}

/**
 * `fetch` of undici with its own Agent, loaded when used: mixing it with Node's fails at run time. Uses proxies of the
 * environment.
 */
export function createNodeFetch(env: Platform['env'] = {}): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, init) => {
    loading ??= loadFetch(env);
    const fetch = await loading;
    return fetch(url, init);
  };
}

async function loadFetch(env: Platform['env']): Promise<Fetch> {
  const undici = await import('./undici.ts');
  const { Agent, EnvHttpProxyAgent, fetch } = undici;
  // Idle sockets do not keep the process alive. Streams are quiet for long: only `deadline` bounds a body.
  const options = { connect: { timeout: CONNECT_TIMEOUT }, headersTimeout: 0, bodyTimeout: 0 };
  const straight = new Agent(options);
  let proxied: InstanceType<typeof EnvHttpProxyAgent> | undefined;
  const dispatcherFor = (url: string) => {
    // A proxy that cannot be spoken to is refused here, and an address that needs none never sees one.
    if (proxyFor(env, url) === undefined) return straight;
    proxied ??= new EnvHttpProxyAgent({ ...options, connectTimeout: CONNECT_TIMEOUT, ...proxySettings(env) });
    return proxied;
  };
  return async (url, { deadline, raw, ...init }) => {
    const signal = withDeadline(init.signal ?? undefined, deadline);
    if (raw) {
      const headers = Object.fromEntries(new Headers(init.headers));
      const dispatcher = dispatcherFor(url);
      return rawResponse(await undici.request(url, { method: 'GET', headers, dispatcher, signal: signal ?? null }));
    }
    // The package's own request and response types and those of the platform's declarations are two spellings of one
    // shape.
    const request = { ...init, ...(signal && { signal }), dispatcher: dispatcherFor(url) } as Parameters<
      typeof fetch
    >[1];
    return (await fetch(url, request)) as unknown as Response;
  };
}

type RawAnswer = Awaited<ReturnType<typeof import('./undici.ts').request>>;

/** Statuses whose answers have no body: https://fetch.spec.whatwg.org/#null-body-status */
const NULL_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** An answer of undici, which unpacks nothing, in the shape of `fetch`. */
async function rawResponse({ statusCode: status, headers: named, body }: RawAnswer): Promise<Response> {
  const headers = Object.entries(named).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  // A reader that stops early destroys the body, which undici tells as an error: nobody waits for it any more.
  body.on('error', () => undefined);
  if (!NULL_BODY.has(status)) return new Response(ReadableStream.from(body), { status, headers });
  await body.dump();
  return new Response(null, { status, headers });
}

function withDeadline(signal: AbortSignal | undefined, deadline: number | undefined): AbortSignal | undefined {
  if (deadline === undefined) return signal;
  const timeout = AbortSignal.timeout(deadline);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** The proxy for an address; undefined for none and for this machine. Throws `usage` for an unknown kind. */
export function proxyFor(env: Env, address: string): Proxy | undefined {
  const url = new URL(address);
  const set = firstSet(env, url.protocol === 'https:' ? FOR_HTTPS : FOR_HTTP);
  if (!set || isLoopbackHost(url.hostname) || isExcepted(noProxyOf(env), url)) return undefined;
  const { protocol, host } = readProxy(set);
  return { shown: `${protocol}//${host}`, from: set.from };
}

/** The settings of undici's agent, which decides by itself what goes straight. */
export function proxySettings(env: Env): ProxySettings {
  const speakable = (names: readonly string[]) => {
    const set = firstSet(env, names);
    const url = set && parseProxy(set.value);
    return url && isSpoken(url) ? url.href : '';
  };
  return { httpProxy: speakable(FOR_HTTP), httpsProxy: speakable(FOR_HTTPS), noProxy: noProxyOf(env) };
}

interface SetVariable {
  readonly from: string;
  readonly value: string;
}

function firstSet(env: Env, names: readonly string[]): SetVariable | undefined {
  const from = names.find((name) => env[name]?.trim());
  return from === undefined ? undefined : { from, value: env[from]?.trim() ?? '' };
}

function noProxyOf(env: Env): string {
  return env.no_proxy ?? env.NO_PROXY ?? '';
}

/** `proxy:3128` is an http proxy, as for curl. */
function parseProxy(value: string): URL | undefined {
  const text = value.includes('://') ? value : `http://${value}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isSpoken({ protocol, hostname }: URL): boolean {
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}

/** The text there may contain a password: no message repeats it. */
function readProxy({ from, value }: SetVariable): URL {
  const url = parseProxy(value);
  if (url && isSpoken(url)) return url;
  const what = url ? `a proxy of the kind ${url.protocol}//, which macro cannot speak to` : 'no address of a proxy';
  throw new MacroError('usage', `${from} names ${what}.`, {
    code: 'bad_proxy',
    hint: 'Give one like HTTPS_PROXY=http://proxy.example:3128 (http:// or https://), or name the host in NO_PROXY.',
  });
}

/** Whether undici's agent sends this straight, by `NO_PROXY`. Only words depend on it: the agent decides for itself. */
function isExcepted(noProxy: string, { protocol, hostname, port }: URL): boolean {
  const host = hostname.replace(/^\[(.+)\]$/, '$1').replace(/(.)\.$/, '$1');
  const target = Number(port) || DEFAULT_PORTS[protocol];
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      const [, bracketed, plain, entryPort] = /^(?:\[(.+)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
      const name = bracketed ?? plain ?? '';
      if (name === '' || (entryPort !== undefined && Number(entryPort) !== target)) return false;
      if (name === '*') return true;
      const domain = name.replace(/^\*?\./, '').replace(/(.)\.$/, '$1');
      return (!name.startsWith('*') && host === domain) || host.endsWith(`.${domain}`);
    });
}

/** Posts over a new connection: an open one may be dead, or lead to an address checked long ago. */
export const nodePost: Post = async (post) => {
  const { url } = post;
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const call = request(url, {
      method: 'POST',
      headers: { ...post.headers, 'Content-Length': post.body.byteLength },
      agent: false,
      lookup: lookupAmong(post.addresses),
      minVersion: 'TLSv1.2',
      maxHeaderSize: 16_384,
      signal: AbortSignal.any([AbortSignal.timeout(post.totalTime), ...(post.signal ? [post.signal] : [])]),
    });
    const slow = setTimeout(() => call.destroy(timeout('connection')), post.connectTime);
    // An abort says only that there was one; its reason is on the signal, and the only one with a name is time.
    call.on('error', (error) =>
      reject(error.name === 'AbortError' && !post.signal?.aborted ? timeout('answer') : error),
    );
    call.on('close', () => clearTimeout(slow));
    onConnected(call, url, () => clearTimeout(slow));
    call.on('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      drain(answer, post, () => call.destroy());
      answer.on('close', () => resolve({ status, headers: headersOf(answer) }));
    });
    call.end(post.body);
  });
};

/** The address of a name; nobody is asked. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (!first) return callback(new Error(`${host} leads nowhere`), '');
    if (wantsAll) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

function onConnected(call: ClientRequest, { protocol }: URL, done: () => void): void {
  call.on('socket', (socket) => socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', done));
}

/** The answer's body is not used: it is read only as far as the connection needs to end well. */
function drain(answer: IncomingMessage, { answerBytes }: PostRequest, stop: () => void): void {
  let read = 0;
  answer.on('data', (chunk: Uint8Array) => {
    read += chunk.byteLength;
    if (read > answerBytes) stop();
  });
  // An answer that has begun is finished: its status stands.
  answer.on('error', () => undefined);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const all = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [name, values.join(', ')]);
  return new Headers(all);
}

function timeout(part: string): Error {
  return Object.assign(new Error(`No ${part} in time`), { name: 'TimeoutError' });
}

/** Asks name servers itself: the system's look-ups share few threads, which names without an answer block. */
export function createNodeResolve({ servers, timeout = 2_000, patience = 5_000 }: ResolveOptions = {}): Resolve {
  return async (host) => {
    const { Resolver } = await import('node:dns/promises');
    const resolver = new Resolver({ timeout, tries: 2 });
    if (servers) resolver.setServers(servers);
    const late = setTimeout(() => resolver.cancel(), patience);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    clearTimeout(late);
    return answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
}
