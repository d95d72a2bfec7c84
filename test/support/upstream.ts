import type { Fetch, FetchInit } from '../../src/platform/platform.ts';

/** One expected request and its answer. */
export interface Exchange {
  /** `GET /v1/ping` or `GET /v1/forex/EUR/USD?limit=20&offset=0`; the order of the query does not count. */
  readonly request: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown;
  /** The request fails with this instead of being answered. */
  readonly fails?: Error;
  /** Request headers that must have been sent, by lower-case name; null means "must not be there". */
  readonly sent?: Readonly<Record<string, string | null>>;
  /** How often this exchange may be used; default once. */
  readonly times?: number;
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

export interface ScriptedUpstream {
  readonly fetch: Fetch;
  /** Every request that was made, in order. */
  readonly requests: readonly SentRequest[];
  /** Throws when a request was not expected, differed in its headers, or an answer was never asked for. */
  verify(): void;
}

/** A service that knows its part by heart: an unknown request fails, and an unused answer fails at `verify()`. */
export function scriptUpstream(script: readonly Exchange[]): ScriptedUpstream {
  const left = script.flatMap((exchange) => Array.from({ length: exchange.times ?? 1 }, () => exchange));
  const requests: SentRequest[] = [];
  const faults: string[] = [];
  const fetch: Fetch = async (url, init) => {
    init.signal?.throwIfAborted();
    const sent = sentRequest(url, init);
    requests.push(sent);
    const index = left.findIndex((exchange) => sameRequest(exchange.request, sent));
    const [exchange] = index < 0 ? [] : left.splice(index, 1);
    if (!exchange) {
      faults.push(`unexpected request: ${sent.method} ${sent.url}`);
      throw new Error(`Unexpected request: ${sent.method} ${sent.url}`);
    }
    faults.push(...headerFaults(exchange, sent));
    if (exchange.fails) throw exchange.fails;
    return answerOf(exchange);
  };
  return {
    fetch,
    requests,
    verify() {
      const unused = left.map((exchange) => `never requested: ${exchange.request}`);
      const all = [...faults, ...unused];
      if (all.length > 0) throw new Error(`The service was not used as scripted:\n${all.join('\n')}`);
    },
  };
}

function sentRequest(url: string, init: FetchInit): SentRequest {
  return {
    method: init.method ?? 'GET',
    url,
    headers: new Headers(init.headers),
    body: typeof init.body === 'string' ? init.body : undefined,
  };
}

function sameRequest(expected: string, sent: SentRequest): boolean {
  const [method = '', target = ''] = expected.split(' ');
  return method === sent.method && canonical(new URL(target, sent.url)) === canonical(new URL(sent.url));
}

function canonical(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.sort();
  return `${url.origin}${url.pathname}?${query}`;
}

function headerFaults(exchange: Exchange, sent: SentRequest): string[] {
  const wrong = Object.entries(exchange.sent ?? {}).filter(([name, value]) => sent.headers.get(name) !== value);
  return wrong.map(
    ([name, value]) => `${exchange.request}: header ${name} should be ${value}, was ${sent.headers.get(name)}`,
  );
}

function answerOf(exchange: Exchange): Response {
  const { body, status = 200 } = exchange;
  const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const content = raw ? (body ?? null) : JSON.stringify(body);
  // Bytes of any buffer kind are a legal body; the declared type is narrower.
  const init = { status, headers: { 'content-type': 'application/json', ...exchange.headers } };
  return new Response(content as string | null, init);
}
