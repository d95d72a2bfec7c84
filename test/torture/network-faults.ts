import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Round } from './rounds.ts';

/** A good answer, and what stands in its place. */
export interface Spoiling {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The good answer to another address. */
  readonly other: (target: string) => Promise<Buffer>;
  readonly round: Round;
}

type Spoil = (spoiling: Spoiling) => void | Promise<void>;

const cutAt = ({ body, round }: Spoiling) => body.subarray(0, round.below(body.length));

function send({ response, headers }: Spoiling, status: number, body: string | Buffer, more = {}): void {
  response.writeHead(status, { ...headers, ...more }).end(body);
}

const html = '<!doctype html><html><body><h1>Sign in to the guest network</h1></body></html>';

/** Bytes that are far more than any answer has, made when they are first needed. */
let bomb: Buffer | undefined;
const bombOf = () => {
  bomb ??= gzipSync(Buffer.alloc(256 * 1024 * 1024, 32));
  return bomb;
};

/** Faults of the line and of a server that is not well. */
export const LINE_FAULTS: Readonly<Record<string, Spoil>> = {
  refused: ({ request }) => void request.socket.resetAndDestroy(),
  'reset after some bytes': (spoiling) => {
    const { response, headers, body } = spoiling;
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.write(cutAt(spoiling), () => response.socket?.resetAndDestroy());
  },
  'ended after some bytes': (spoiling) => {
    const { response, headers, body } = spoiling;
    response.writeHead(200, { ...headers, 'content-length': body.length });
    response.write(cutAt(spoiling), () => response.socket?.end());
  },
  'truncated gzip': (spoiling) => {
    const zipped = gzipSync(spoiling.body);
    const cut = zipped.subarray(0, spoiling.round.below(zipped.length));
    send(spoiling, 200, cut, { 'content-encoding': 'gzip', 'content-length': cut.length });
  },
  'damaged gzip': (spoiling) => {
    const zipped = gzipSync(spoiling.body);
    zipped[10 + spoiling.round.below(zipped.length - 10)] = spoiling.round.below(256);
    send(spoiling, 200, zipped, { 'content-encoding': 'gzip', 'content-length': zipped.length });
  },
  'shorter than it says, chunked': (spoiling) => send(spoiling, 200, cutAt(spoiling)),
  'dribbled out': async ({ response, headers, body, round }) => {
    response.writeHead(200, headers);
    for (let at = 0; at < body.length; ) {
      const size = 1 + round.below(900);
      response.write(body.subarray(at, at + size));
      at += size;
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  },
  'a page instead of an answer': (spoiling) => send(spoiling, 200, html, { 'content-type': 'text/html' }),
  'a page called JSON': (spoiling) => send(spoiling, 200, html),
  'an error called an answer': (spoiling) =>
    send(spoiling, 200, '{"detail":"Internal error.","code":"internal_error","error":"internal_error"}'),
  'a server error': (spoiling) => send(spoiling, spoiling.round.one([500, 502, 503, 504]), '{"detail":"no"}'),
  'a limit': (spoiling) =>
    send(spoiling, 429, '{"detail":"Too many.","code":"rate_limited","error":"rate_limited"}', { 'retry-after': '1' }),
  'a conflict': (spoiling) =>
    send(spoiling, 409, '{"detail":"x","code":"dataset_version_mismatch","error":"dataset_version_mismatch"}'),
  'a redirect within': (spoiling) => send(spoiling, 302, '', { location: spoiling.request.url ?? '/' }),
  'a redirect away': (spoiling) => send(spoiling, 307, '', { location: 'http://127.0.0.1:9/v1/ping' }),
  'not modified, unasked': (spoiling) => send(spoiling, 304, ''),
  'no content': (spoiling) => send(spoiling, 204, ''),
  'a gzip bomb': (spoiling) =>
    send(spoiling, 200, bombOf(), { 'content-encoding': 'gzip', 'content-length': bombOf().length }),
  'an endless body': ({ response, headers }) => {
    response.writeHead(200, headers);
    const piece = Buffer.alloc(1024 * 1024, 32);
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  },
  'a clock of the limits that is wrong': (spoiling) => {
    const reset = spoiling.round.one(['-1', '99999999999', 'NaN', '1e9', '']);
    send(spoiling, 200, spoiling.body, {
      'ratelimit-reset': reset,
      'ratelimit-remaining': '5',
      date: 'Thu, 01 Jan 1970 00:00:00 GMT',
    });
  },
};

/** Bodies that no service should send. An empty page or rows with other values are none of them: nobody can tell those from the truth. */
const BODIES: readonly [string, ...string[]] = [
  '',
  'null',
  '[]',
  '{}',
  'true',
  '{"data":null}',
  '{"data":{"length":3}}',
  '{"data":[null,1,"x"]}',
  '['.repeat(200_000),
  '{"data":[{"date":"2026-11-20","val":1e999}]',
  '{"data":[]}\u0000',
  '{"data":[]}{"data":[]}',
  `{"${'k'.repeat(1_000_000)}":1}`,
];

const pagination = (spoiling: Spoiling, member: string, value: (old: string) => string): void => {
  const text = spoiling.body.toString('utf8');
  send(
    spoiling,
    200,
    text.replace(new RegExp(`("${member}": ?)(true|false|null|-?\\d+)`), (_all, name, old) => name + value(old)),
  );
};

/** Answers that lie. */
export const LIES: Readonly<Record<string, Spoil>> = {
  'a hostile body': (spoiling) => send(spoiling, 200, spoiling.round.one(BODIES)),
  'bytes that are no text': ({ response, headers, body, round }) => {
    const hurt = Buffer.from(body);
    hurt[round.below(hurt.length)] = 0xff;
    response.writeHead(200, headers).end(hurt);
  },
  'the first page again': async (spoiling) => {
    const target = spoiling.request.url ?? '/';
    send(spoiling, 200, await spoiling.other(target.replace(/offset=\d+/, 'offset=0')));
  },
  'a shifted page': async (spoiling) => {
    const target = spoiling.request.url ?? '/';
    send(spoiling, 200, await spoiling.other(target.replace(/offset=(\d+)/, (_, at) => `offset=${Number(at) + 1}`)));
  },
  // A feed has no total that contradicts it: there only the next sync can tell that its end was none.
  'an end that is none': (spoiling) => {
    if (!spoiling.body.includes('"total_count"')) return send(spoiling, 200, spoiling.body);
    pagination(spoiling, 'has_more', (old) => (old === 'true' ? 'false' : 'true'));
  },
  'a total that moves': (spoiling) =>
    pagination(spoiling, 'total_count', (old) => String(Number(old) + 1 + spoiling.round.below(9))),
  'a wrong next offset': (spoiling) => pagination(spoiling, 'next_offset', () => String(spoiling.round.below(500))),
};
