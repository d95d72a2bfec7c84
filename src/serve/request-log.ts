// Tells what became of each request, around everything else that a server does.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { isJsonObject, parseJson } from '../contract/json/json.ts';
import { type Identify, keyOfRequest } from './access/callers.ts';
import type { KeyList } from './access/keys.ts';
import { queryTextOf } from './arguments.ts';
import { headerIn } from './faults/captured-answer.ts';

export interface LoggedRequest {
  /** When it began, in milliseconds of the server's clock. */
  readonly at: number;
  readonly method: string;
  /** With the query, but never with a key. */
  readonly path: string;
  /** Label of a key in the keys file, else `key:` and the beginning of its digest; `keyless`, `owner` or `unknown`. */
  readonly caller: string;
  readonly address: string;
  /** Undefined where the connection ended before an answer. */
  readonly status: number | undefined;
  /** Rows of the answer, where it has rows. */
  readonly rows: number | undefined;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  /** Milliseconds until the last byte, or until the connection ended. */
  readonly ms: number;
  /** Where the answer came from. */
  readonly from: 'mirror' | 'upstream' | 'cache' | undefined;
  /** Faults that spoiled the answer. */
  readonly fault: string | undefined;
  readonly id: string | undefined;
}

/** Names of headers that say where an answer came from. */
interface HeaderNames {
  readonly edgeCache: string;
  readonly mirror: string;
}

interface RequestLogParts {
  readonly report: (request: LoggedRequest) => void;
  readonly serve: {
    readonly identify: Identify;
    /** Milliseconds, as the server sees them. */
    readonly now: () => number;
    readonly names: HeaderNames;
  };
  readonly options: { readonly keys?: KeyList; readonly headerPrefix?: string };
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed: () => number;
}

/** Larger bodies are not read for the sake of their rows. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** Makes a handler that tells of each request once it is over. */
export function logRequests(handler: RequestListener, parts: RequestLogParts): RequestListener {
  const { report, serve, options, elapsed } = parts;
  const fault = `${options.headerPrefix ?? 'X-SVC'}-Fault`;
  return (request, response) => {
    const began = elapsed();
    const at = serve.now();
    const before = request.socket.bytesWritten;
    // A connection that is gone has no address any more.
    const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const sent = watchAnswer(response);
    response.once('close', () => {
      const { headers, pieces } = sent;
      const body = pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
      report({
        at,
        method: request.method ?? 'GET',
        path: pathWithoutKey(request.url ?? '/'),
        address,
        caller: callerOf(request, address, parts),
        status: response.headersSent ? response.statusCode : undefined,
        rows: body && response.statusCode === 200 ? rowsOf(body, headers) : undefined,
        bytes: request.socket.bytesWritten - before,
        ms: Math.round(elapsed() - began),
        from: fromOf(headers, serve.names),
        fault: headerIn(headers, fault.toLowerCase()),
        id: headerIn(headers, 'x-request-id'),
      });
    });
    handler(request, response);
  };
}

interface SentAnswer {
  headers: readonly string[];
  /** The body, as it was written. */
  readonly pieces: Buffer[];
}

/** Records the written bytes and passes them on unchanged. */
function watchAnswer(response: ServerResponse): SentAnswer {
  const sent: SentAnswer = { headers: [], pieces: [] };
  const writeHead = response.writeHead.bind(response);
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  // Rows of a stream are not counted.
  const isStream = () => headerIn(sent.headers, 'content-type')?.startsWith('text/event-stream') === true;
  const keep = (chunk: string | Buffer) => {
    if (!isStream()) sent.pieces.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  };
  Object.assign(response, {
    writeHead(status: number, headers?: string[]) {
      sent.headers = headers ?? [];
      return writeHead(status, headers);
    },
    write(chunk: string | Buffer, done?: () => void) {
      keep(chunk);
      return write(chunk, done);
    },
    end(chunk?: string | Buffer) {
      if (chunk === undefined) return end();
      keep(chunk);
      return end(chunk);
    },
  });
  return sent;
}

function fromOf(headers: readonly string[], names: HeaderNames): LoggedRequest['from'] {
  if (headerIn(headers, names.edgeCache.toLowerCase()) === 'HIT') return 'cache';
  const outcome = headerIn(headers, 'cache-status');
  if (outcome?.includes('fwd=')) return outcome.includes('collapsed') ? 'cache' : 'upstream';
  return headerIn(headers, names.mirror.toLowerCase()) === undefined ? undefined : 'mirror';
}

function callerOf(request: IncomingMessage, address: string, { serve, options }: RequestLogParts): string {
  const url = request.url ?? '/';
  const key = keyOfRequest(request.headers, /api_key|%/.test(url) ? queryTextOf(url).api_key : undefined);
  try {
    const { caller, name } = serve.identify(key, { ip: address });
    if (caller.kind !== 'keyed') return caller.kind;
    const label = options.keys?.().find(({ digest }) => digest === name)?.label;
    return label ? label : `key:${name.slice(0, 8)}`;
  } catch {
    // A key that is refused is nobody's.
    return 'unknown';
  }
}

function pathWithoutKey(url: string): string {
  if (!/api_key|%/.test(url)) return url;
  const [path = '/', ...rest] = url.split('?');
  const query = new URLSearchParams(rest.join('?'));
  if (!query.has('api_key')) return url;
  query.set('api_key', 'REDACTED');
  return `${path}?${query}`;
}

function rowsOf(body: Buffer, headers: readonly string[]): number | undefined {
  const isJson = headerIn(headers, 'content-type')?.startsWith('application/json') === true;
  if (!isJson || body.length > MAX_READ_BYTES) return undefined;
  return countRows(textOf(body, headerIn(headers, 'content-encoding') === 'gzip'));
}

/** A body that a fault has spoiled may be no gzip. */
function textOf(body: Buffer, isPacked: boolean): string {
  try {
    return (isPacked ? gunzipSync(body, { maxOutputLength: MAX_READ_BYTES }) : body).toString('utf8');
  } catch {
    return '';
  }
}

function countRows(text: string): number | undefined {
  const body = parseJson(text);
  const data = isJsonObject(body) ? body.data : body;
  return Array.isArray(data) ? data.length : undefined;
}
