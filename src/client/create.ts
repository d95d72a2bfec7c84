import { needsKey } from '../contract/access.ts';
import type { CutBody } from '../contract/body.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { asJsonText } from '../contract/json.ts';
import type { Args } from '../contract/params.ts';
import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
import { readAddress, urlOf } from './address.ts';
import { readAnswer } from './answer.ts';
import { readText } from './body.ts';
import type { Client, ClientRequest, LiveReply, QuotaGate } from './client.ts';
import { createQuotaGate, isEdgeHit } from './gate.ts';
import { fingerprint, type Redacted, readKey } from './key.ts';
import { interruption, networkError } from './network.ts';
import { deprecationNote } from './notes.ts';
import { type CutReply, walkPages } from './pages.ts';
import { followRedirects } from './redirects.ts';
import { errorOf, type RawReply } from './reply.ts';
import { requestOf, type WireRequest } from './request.ts';
import { type Wait, withRetries } from './retry.ts';
import { scrub, scrubError, secretOf } from './scrub.ts';
import { CLIENT_VERSION } from './version.ts';

export interface ClientOptions {
  readonly platform: Pick<Platform, 'fetch' | 'clock' | 'random'>;
  /** `https://h`, `https://h/v1`, `https://h/api` or `https://h/api/v1`. */
  readonly baseUrl: string;
  readonly key?: string | undefined;
  /** Default: one that lives as long as this client. */
  readonly gate?: QuotaGate | undefined;
  /** Stands for the service's own name in its headers. */
  readonly headerPrefix?: string | undefined;
  /** Milliseconds for one request, body included. */
  readonly deadline?: number | undefined;
  /** Called before each pause between two tries. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** Time for one request. Wire facts, section 14. */
const DEADLINE = 30_000;

const EMPTY_CUT: CutBody = { envelope: {}, rows: [] };

/**
 * The client of one service. Walk of a question: no key where one is needed fails before any network; the address is
 * made from the contract; the gate lets the request pass; redirects stay in the origin; the body is read whole; the
 * status and the body decide between an answer, another try and a typed error.
 */
export function createClient(options: ClientOptions): Client {
  const { platform, deadline = DEADLINE, onWait } = options;
  const headerPrefix = checkPrefix(options.headerPrefix ?? 'X-SVC');
  const key = readKey(options.key);
  const address = readAddress(options.baseUrl, key !== undefined);
  const gate = options.gate ?? createQuotaGate({ clock: platform.clock, headerPrefix });
  const secret = secretOf(key?.reveal());
  const told = new Set<string>();

  async function exchange(request: ClientRequest, wire: WireRequest): Promise<RawReply> {
    const { signal } = request;
    await gate.admit(signal);
    const { method, target, body } = wire;
    const init = {
      method,
      headers: headersOf(key, request.ifNoneMatch, body),
      ...(body !== undefined && { body }),
      // Redirects are ours to follow: a key must not travel along.
      redirect: 'manual',
      deadline,
      ...(signal && { signal }),
    } as const;
    const onFailure = (error: unknown): never => {
      throw networkError(error, address.origin, signal);
    };
    const send = (url: string) => platform.fetch(url, init);
    const response = await followRedirects(urlOf(address, target), send).catch(onFailure);
    const { status, headers } = response;
    gate.observe(status, headers);
    // What cannot be read of an error is no reason to forget that it was one.
    const text = await readText(response).catch(status === 200 ? onFailure : () => '');
    return { status, headers, text };
  }

  async function attempt(request: ClientRequest, wire: WireRequest): Promise<CutReply> {
    const raw = await exchange(request, wire);
    const { method, target } = wire;
    const { status, headers } = raw;
    const isUnchanged = status === 304 && request.ifNoneMatch !== undefined;
    if (status !== 200 && !isUnchanged)
      throw errorOf(raw, { target, hasKey: key !== undefined, now: platform.clock.now() });
    const cut = status === 200 ? readAnswer(request.endpoint, request.args, raw) : EMPTY_CUT;
    const reply: LiveReply = {
      status: isUnchanged ? 304 : 200,
      body: asJsonText(isUnchanged ? '' : raw.text),
      etag: headers.get('etag') ?? (isUnchanged ? request.ifNoneMatch : undefined),
      request: `${method} ${target}`,
      synthetic: headers.get(`${headerPrefix}-Synthetic`)?.trim() === '1',
      edgeHit: isEdgeHit(headers, headerPrefix),
      notes: newNotes(target, headers),
    };
    return { reply, cut };
  }

  /** A warning is worth one line, not one a page. */
  function newNotes(target: string, headers: Headers): readonly string[] {
    const note = deprecationNote(target, headers);
    if (note === undefined || told.has(note)) return [];
    told.add(note);
    return [scrub(note, secret)];
  }

  const rethrowClean = (error: unknown): never => {
    throw scrubError(error, secret);
  };

  async function askCut(request: ClientRequest): Promise<CutReply> {
    const { endpoint, args, extra, signal } = request;
    // Where the service has more to tell than that a key is needed, it is asked.
    if (key === undefined && needsKey(endpoint.access, args) && !endpoint.refusal)
      throw keyMissing(endpoint, args, address.origin);
    const wire = requestOf(endpoint, args, extra);
    if (secret !== undefined && carries(request, secret)) throw keyInUrl();
    try {
      // A posted question is a read as well: asked twice it changes nothing, so it is tried again like any other.
      return await withRetries(() => attempt(request, wire).catch(rethrowClean), { platform, signal, onWait });
    } catch (error) {
      throw signal?.aborted && !(error instanceof MacroError) ? interruption(signal) : error;
    }
  }

  return {
    service: address.origin,
    access: key ? `key:${fingerprint(key)}` : 'keyless',
    ask: async (request) => (await askCut(request)).reply,
    pages: (request, resume) => walkPages(askCut, request, resume),
  };
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

function checkPrefix(prefix: string): string {
  if (/^[A-Za-z0-9-]{1,40}$/.test(prefix)) return prefix;
  throw new MacroError('usage', 'The header prefix of the service must be letters, digits and hyphens.', {
    hint: 'Give it like X-SVC.',
  });
}

function keyMissing(endpoint: Endpoint, args: Args, origin: string): MacroError {
  const about = typeof args.currency === 'string' ? ` for ${args.currency}` : '';
  return new MacroError('auth', `${endpoint.path}${about} needs an API key of ${origin}, and none is given.`, {
    code: 'api_key_required',
    status: 401,
    hint: 'Store one with: macro auth login, or give it in MACRO_API_KEY.',
  });
}

function carries({ args, extra }: ClientRequest, secret: string): boolean {
  const values = [...Object.values(args).flat(), ...Object.values(extra ?? {})];
  return values.includes(secret);
}

function keyInUrl(): MacroError {
  return new MacroError('usage', 'An argument is the API key itself; a key never stands in a URL.', {
    hint: 'Leave it out: the key is sent in a header by itself.',
  });
}
