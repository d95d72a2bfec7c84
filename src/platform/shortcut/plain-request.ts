import type { IncomingMessage } from 'node:http';

export type PlainMethod = 'GET' | 'POST';

/** A head that came as one piece, and what came with it: the address, all text of the head behind that, and the rest. */
export interface PlainRequest {
  readonly url: string;
  readonly rest: string;
  /** All that came behind the head: less than a body, a body, or more than one. Of a GET nothing does. */
  readonly body: Buffer;
}

/**
 * Longer heads are left to the parser, as are addresses that are anything but a plain path and query. Many clients encode the
 * commas of a query.
 */
const MAX_HEAD_BYTES = 2_048;
const PLAIN_URL =
  /^\/[\w\-.~!$&'()*+,;=:@/]*(?:\?[\w\-.~!$&'()*+,;=:@/?]*(?:%[\dA-Fa-f]{2}[\w\-.~!$&'()*+,;=:@/?]*)*)?$/;
const BEGIN = { GET: 'GET /', POST: 'POST /' } as const;
const VERSION = ' HTTP/1.1\r\n';
const END = '\r\n\r\n';
const NO_BODY = Buffer.alloc(0);

/** Reads bytes that begin with a head, and of a GET are nothing else. What its headers say is not read here. */
export function readPlainRequest(bytes: Buffer, method: PlainMethod): PlainRequest | undefined {
  const isGet = method === 'GET';
  if (isGet && bytes.length > MAX_HEAD_BYTES) return undefined;
  const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
  if (!text.startsWith(BEGIN[method])) return undefined;
  const at = method.length + 1;
  const end = text.indexOf(' ', at);
  if (!text.startsWith(VERSION, end)) return undefined;
  const last = text.indexOf(END, end);
  const length = last + END.length;
  if (last < 0 || (isGet && length !== bytes.length)) return undefined;
  const url = text.slice(at, end);
  if (!PLAIN_URL.test(url)) return undefined;
  return { url, rest: text.slice(end, length), body: isGet ? NO_BODY : bytes.subarray(length) };
}

/** True when the parser read one request of these bytes to its end, which is where the bytes end too. */
export function isWholeRequest({ body }: PlainRequest, { complete, headers }: IncomingMessage): boolean {
  if (body.length === 0) return complete;
  return complete && headers['content-length'] === String(body.length) && headers['transfer-encoding'] === undefined;
}

/** Headers that say something of the connection, or of what follows the head. */
const FRAMING = ['expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** True when a GET has no body, a POST a length, and the request leaves the connection as it is. */
export function isPlainlyFramed({ method, headers }: IncomingMessage): boolean {
  const { connection, 'content-length': length } = headers;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return false;
  return (length !== undefined) === (method === 'POST') && FRAMING.every((name) => headers[name] === undefined);
}
