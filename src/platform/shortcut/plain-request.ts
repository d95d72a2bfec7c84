import type { IncomingHttpHeaders } from 'node:http';

/** A GET that came as one piece: its address, and all text behind that. */
export interface PlainRequest {
  readonly url: string;
  readonly rest: string;
}

/** Longer ones are left to the parser, as are addresses that are anything but a plain path and query. */
const MOST_BYTES = 2_048;
const PLAIN_URL = /^\/[\w\-.~!$&'()*+,;=:@/?]*$/;
const VERSION = ' HTTP/1.1\r\n';
const END = '\r\n\r\n';

/** Reads bytes that are one head and nothing else. What its headers say is not read here. */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const text = bytes.toString('latin1');
  if (!text.startsWith('GET /')) return undefined;
  const end = text.indexOf(' ', 4);
  if (!text.startsWith(VERSION, end) || text.indexOf(END, end) !== text.length - END.length) return undefined;
  const url = text.slice(4, end);
  return PLAIN_URL.test(url) ? { url, rest: text.slice(end) } : undefined;
}

/** Headers that say something of the connection, or of what follows the head. */
const FRAMING = [
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** True when a request has no body and leaves the connection as it is. */
export function isPlainlyFramed(headers: IncomingHttpHeaders): boolean {
  const { connection } = headers;
  if (connection !== undefined && connection.toLowerCase() !== 'keep-alive') return false;
  return FRAMING.every((name) => headers[name] === undefined);
}
