import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startLoopback } from './loopback.ts';

/** What a publisher has at a path. */
interface Offered {
  readonly body: string | Uint8Array;
  readonly etag?: string;
  readonly modified?: string;
  readonly type?: string;
}

/** How a publisher behaves beside what it has. */
export type Fault =
  | 'html'
  | 'empty'
  | 'half'
  | 'gzip'
  | 'cut gzip'
  | 'cut body'
  | 'hang'
  | 'busy once'
  | 'elsewhere'
  | 'moved'
  | 'forbidden';

/** A publisher on this machine. It refuses whoever does not name itself, as some of them do. */
export interface LoopbackPublisher {
  readonly origin: string;
  /** What was asked: path with query, in order. */
  readonly asked: string[];
  /** The headers of the last request. */
  headers(): IncomingMessage['headers'];
  offer(path: string, offered: Offered | string): void;
  /** Every answer has this fault until it is taken away. */
  fail(fault: Fault | undefined): void;
}

export async function startPublisher(): Promise<LoopbackPublisher> {
  const offers = new Map<string, Offered>();
  const asked: string[] = [];
  let fault: Fault | undefined;
  let last: IncomingMessage['headers'] = {};
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    asked.push(path);
    last = request.headers;
    const offered = offers.get(path) ?? offers.get(path.replace(/^\/moved/, ''));
    if (!request.headers['user-agent']?.includes('macro-data/') || fault === 'forbidden') {
      response.writeHead(403).end('no');
      return;
    }
    if (fault === 'hang') return;
    if (fault === 'busy once') {
      fault = undefined;
      response.writeHead(503, { 'retry-after': '7' }).end();
      return;
    }
    if (fault === 'elsewhere' || (fault === 'moved' && !path.startsWith('/moved'))) {
      const location = fault === 'moved' ? `/moved${path}` : 'https://elsewhere.example/file';
      response.writeHead(302, { location }).end();
      return;
    }
    if (!offered) {
      response.writeHead(404).end();
      return;
    }
    send(request, response, { offered, fault });
  };
  const origin = await startLoopback(answer);
  return {
    origin,
    asked,
    headers: () => last,
    offer: (path, offered) => void offers.set(path, typeof offered === 'string' ? { body: offered } : offered),
    fail(next) {
      fault = next;
    },
  };
}

function send(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { offered, fault }: { offered: Offered; fault: Fault | undefined },
): void {
  const { etag, modified, type = 'application/octet-stream' } = offered;
  const validators = { ...(etag && { etag }), ...(modified && { 'last-modified': modified }) };
  const isSame =
    etag === undefined
      ? modified !== undefined && headers['if-modified-since'] === modified
      : headers['if-none-match'] === etag;
  if (isSame && fault === undefined) {
    response.writeHead(304, validators).end();
    return;
  }
  const whole = Buffer.from(offered.body);
  const packed = gzipSync(whole);
  const found = { 'content-type': type, ...validators };
  switch (fault) {
    case 'html':
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!DOCTYPE html><html><body>Maintenance</body></html>');
      return;
    case 'empty':
      response.writeHead(200, found).end();
      return;
    case 'half':
      response.writeHead(200, found).end(whole.subarray(0, whole.length / 2));
      return;
    case 'gzip':
      response.writeHead(200, { ...found, 'content-encoding': 'gzip' }).end(packed);
      return;
    case 'cut gzip':
      response.writeHead(200, { ...found, 'content-encoding': 'gzip' }).end(packed.subarray(0, packed.length - 20));
      return;
    case 'cut body':
      response.writeHead(200, { ...found, 'content-length': String(whole.length) });
      response.write(whole.subarray(0, 10));
      response.destroy();
      return;
    default:
      response.writeHead(200, found).end(whole);
  }
}

export function digestOf(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
