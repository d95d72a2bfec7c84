// How pages are sent: with the headers that keep a browser from loading or running anything else.
import { hash } from 'node:crypto';
import { acceptsGzip, compress, GZIP_FROM_BYTES } from '../reply/body.ts';
import { addHeader } from '../reply/header-list.ts';
import { commonHeaders, send } from '../reply/send.ts';
import type { ServedRequest } from '../request.ts';

/** No inline script, no inline style, no `eval`, nothing of another origin. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const GUARDS = [
  ['Content-Security-Policy', PAGE_POLICY],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

export interface PageReply {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** An asset: a browser may keep it and ask whether it changed. */
  readonly isAsset?: boolean;
  readonly headers?: readonly (readonly [string, string])[];
}

/** Sends a page, an asset or data of a page. */
export async function sendPage(served: ServedRequest, { type, body, isAsset, headers = [] }: PageReply): Promise<void> {
  const { request } = served;
  const bytes = Buffer.from(body);
  const list = commonHeaders(served);
  addHeader(list, 'Content-Type', type);
  for (const [name, value] of [...GUARDS, ...headers]) addHeader(list, name, value);
  addHeader(list, 'Cache-Control', isAsset ? 'no-cache' : 'no-store');
  if (isAsset) {
    const etag = `"${hash('sha256', bytes).slice(0, 32)}"`;
    addHeader(list, 'ETag', etag);
    if (request.headers['if-none-match'] === etag) return send(served, 304, list, '');
  }
  if (bytes.length < GZIP_FROM_BYTES || !acceptsGzip(request.headers['accept-encoding'])) {
    return send(served, 200, list, bytes);
  }
  addHeader(list, 'Content-Encoding', 'gzip');
  send(served, 200, list, await compress(bytes));
}
