/** Fetches files of publishers: without a key and a cookie, one request at a time, a second between two to one host. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { retryAfterOf } from '../../contract/headers.ts';
import { hinted, MacroError } from '../../errors.ts';
import { isLoopbackHost } from '../../platform/listening.ts';
import type { GrowingFile, Platform } from '../../platform/platform.ts';
import { networkError } from './network.ts';
import { createTimeBudget, type TimeBudget, type Wait, withRetries } from './retry.ts';
import { CLIENT_VERSION } from './version.ts';

export interface FileFetch {
  readonly url: string;
  /** Hosts beside that of the address that may answer. */
  readonly hosts: readonly string[];
  /** Validators of the last answer: an unchanged file is not sent again. */
  readonly etag?: string | undefined;
  /** Milliseconds. */
  readonly modified?: number | undefined;
  /** A larger body is refused. */
  readonly maxBytes: number;
  /** Where the publisher can reach whoever asks. */
  readonly contact?: string | undefined;
  /** The file that takes the body; a try that fails leaves nothing of it. */
  readonly grow: () => GrowingFile;
  readonly signal?: AbortSignal | undefined;
}

/** A request whose body nobody reads. */
type Probe = Omit<FileFetch, 'grow'>;

/** A member is undefined if the answer did not state it. */
export interface FileReply {
  readonly isUnchanged: boolean;
  /** Where the file came from in the end. */
  readonly url: string;
  readonly etag: string | undefined;
  /** Milliseconds. */
  readonly modified: number | undefined;
  readonly bytes: number;
  /** SHA-256 as hexadecimal digits. */
  readonly digest: string;
}

export interface FileClient {
  /** @throws MacroError of kind `upstream`, `notFound`, `protocol` or `usage`. */
  fetchFile(request: FileFetch): Promise<FileReply>;
  /** Asks once whether a file is there, and reads nothing of it. Throws as `fetchFile` does. */
  probe(request: Probe): Promise<void>;
  /** How many requests were sent, those of redirects and of further tries included. */
  sent(): number;
}

export interface FileClientOptions {
  readonly platform: Pick<Platform, 'fetch' | 'clock' | 'random'>;
  /** The proxy before an address, for people. */
  readonly proxyOf?: (url: string) => string | undefined;
  readonly onWait?: ((wait: Wait) => void) | undefined;
  /** Milliseconds for one file with all its tries. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 120_000;
const PROBE_MS = 20_000;

/** Between two requests to one host. */
const PAUSE_MS = 1000;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

const ABOUT = 'https://www.npmjs.com/package/macro-data';

/** The client of all publishers of one command. */
export function createFileClient(options: FileClientOptions): FileClient {
  const { platform, proxyOf, onWait, deadlineMs = DEADLINE_MS } = options;
  const { clock } = platform;
  /** When each host was last asked, in milliseconds. */
  const askedAt = new Map<string, number>();
  let sent = 0;

  async function send(url: URL, request: Probe, time: TimeBudget): Promise<Response> {
    const { etag, modified, contact, signal } = request;
    const last = askedAt.get(url.host);
    const pause = last === undefined ? 0 : Math.min(PAUSE_MS, last + PAUSE_MS - clock.now());
    if (pause > 0) await time.waiting(() => clock.sleep(pause, signal));
    sent += 1;
    const headers = {
      accept: '*/*',
      'accept-encoding': 'gzip',
      'user-agent': `macro-data/${CLIENT_VERSION} (+${ABOUT}${contact === undefined ? '' : `; ${contact}`})`,
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(modified !== undefined && { 'if-modified-since': new Date(modified).toUTCString() }),
    };
    const init = { headers, redirect: 'manual', raw: true, deadline: Math.max(1, time.left()) } as const;
    try {
      return await platform.fetch(url.href, { ...init, ...(signal && { signal }) });
    } catch (error) {
      throw failureOf(error, url, request);
    } finally {
      askedAt.set(url.host, clock.now());
    }
  }

  function failureOf(error: unknown, { origin }: URL, { signal, url }: Probe): MacroError {
    if (error instanceof MacroError) return error;
    const failure = networkError(error, { origin, signal, proxy: proxyOf?.(url) });
    if (failure.kind !== 'upstream') return failure;
    return hinted(failure, 'Check the network, or get the file another way: macro import FORMAT FILE.');
  }

  /** The answer at the end of its redirects, which stay inside of the site. */
  async function open(request: Probe, time: TimeBudget): Promise<{ readonly response: Response; readonly at: URL }> {
    let at = checkedAddress(request.url);
    for (let hops = 0; ; hops += 1) {
      const response = await send(at, request, time);
      const { status, headers } = response;
      if (!REDIRECTS.has(status)) return { response, at };
      await response.body?.cancel().catch(() => undefined);
      if (hops === MAX_REDIRECTS) throw refused(`${at.host} redirected more than ${MAX_REDIRECTS} times.`);
      at = redirectedTo(at, headers.get('location'), request);
    }
  }

  async function attempt(request: FileFetch, time: TimeBudget): Promise<FileReply> {
    const { response, at } = await open(request, time);
    const { status, headers } = response;
    const reply = { url: at.href, etag: headers.get('etag') ?? undefined, modified: dateIn(headers) };
    const hasValidator = request.etag !== undefined || request.modified !== undefined;
    if (status === 304 && hasValidator) return { ...reply, isUnchanged: true, bytes: 0, digest: '' };
    if (status !== 200) {
      await response.body?.cancel().catch(() => undefined);
      throw answerError(response, at, clock.now());
    }
    const body = await readBody(response, request).catch((error: unknown) => {
      throw failureOf(error, at, request);
    });
    return { ...reply, isUnchanged: false, ...body };
  }

  return {
    sent: () => sent,
    async probe(request) {
      const { response, at } = await open(request, createTimeBudget(clock, PROBE_MS));
      await response.body?.cancel().catch(() => undefined);
      if (response.status !== 200) throw answerError(response, at, clock.now());
    },
    fetchFile(request) {
      const time = createTimeBudget(clock, deadlineMs);
      return withRetries(() => attempt(request, time), { platform, signal: request.signal, time, onWait });
    },
  };
}

/**
 * An address that a publisher is asked at.
 * @throws MacroError of kind `usage`.
 */
export function checkedAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url && isSafe && url.username === '' && url.password === '') return url;
  throw new MacroError('usage', `'${text}' is no address of a publisher.`, {
    code: 'bad_address',
    hint: 'Give one like https://files.example.com/eurofxref-hist.zip; plain http is for this machine only.',
  });
}

/** The same site is the same host, with `www.` before it or without. */
function redirectedTo(from: URL, location: string | null, { url, hosts }: Probe): URL {
  if (location === null || !URL.canParse(location, from.href)) throw refused(`${from.host} redirected to nowhere.`);
  const to = new URL(location, from.href);
  const isKnown = siteOf(to) === siteOf(new URL(url)) || hosts.includes(to.host);
  const isWeaker = from.protocol === 'https:' && to.protocol !== 'https:';
  if (!isKnown || isWeaker || to.username !== '' || to.password !== '')
    throw refused(`${from.host} redirected to another place, ${to.origin}, which was not followed.`);
  return to;
}

const siteOf = ({ host }: URL): string => host.replace(/^www\./, '');

function refused(message: string): MacroError {
  return new MacroError('upstream', message, {
    code: 'redirect_refused',
    hint: 'If the file has moved, keep its new address: macro config set publishers.FORMAT.address URL',
  });
}

function dateIn(headers: Headers): number | undefined {
  const ms = Date.parse(headers.get('last-modified') ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

function answerError({ status, headers }: Response, { host, pathname }: URL, now: number): MacroError {
  const retryAfter = retryAfterOf(headers, now);
  const isGone = status === 404 || status === 410;
  const message = isGone
    ? `${host} has no file ${pathname} (${status}).`
    : `${host} refused to send ${pathname} (${status}).`;
  return new MacroError(isGone ? 'notFound' : 'upstream', message, {
    code: `http_${status}`,
    status,
    hint: 'Nothing was changed. macro import FORMAT --address names the address; a file can be imported by its name.',
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Writes the body, unpacked where it was packed for the way, into its file. */
async function readBody(response: Response, { maxBytes, grow }: FileFetch) {
  const file = grow();
  const hash = createHash('sha256');
  let bytes = 0;
  const take = async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(piece);
      file.write(piece);
    }
  };
  try {
    const coding = (response.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
    if (response.body && coding === 'gzip') await unpacked(response.body, take);
    else if (coding !== 'identity' && coding !== '') throw unfit(`is packed as ${coding}, which was not asked for`);
    else if (response.body) await take(response.body);
    if (bytes === 0) throw unfit('is empty');
    file.finish();
    return { bytes, digest: hash.digest('hex') };
  } finally {
    file.discard();
  }
}

async function unpacked(
  body: ReadableStream<Uint8Array>,
  take: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createGunzip(), take);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR') throw unfit('is packed and was cut off');
    throw error;
  }
}

function unfit(what: string): MacroError {
  return new MacroError('protocol', `The answer ${what}.`, {
    code: 'unfit_file',
    hint: 'Nothing was changed. Try again later.',
  });
}

function tooLarge(maxBytes: number): MacroError {
  return new MacroError('protocol', `The answer has more than ${Math.floor(maxBytes / 1e6)} MB.`, {
    code: 'body_too_large',
    hint: 'Nothing was changed. The file may be another one: macro import FORMAT --address names its address.',
  });
}
