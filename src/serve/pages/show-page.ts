// Decides which page, asset or data of a page a request is for.

import { hash } from 'node:crypto';
import { isServed } from '../../contract/capabilities.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Caller } from '../../contract/hooks.ts';
import { type AsOf, AVAILABILITIES } from '../../contract/time/moments.ts';
import { parseInstant } from '../../contract/time/time.ts';
import { mirrorIncomplete } from '../../coverage/partial-mark.ts';
import streamEvents from '../../endpoints/events/stream.ts';
import { MacroError } from '../../errors.ts';
import { isLoopbackHost } from '../../platform/listening.ts';
import type { Question, Reply } from '../../source/source.ts';
import { identify } from '../access/authorize.ts';
import { refuseOutsiders } from '../access/refusal.ts';
import { queryTextOf } from '../arguments.ts';
import type { ServeOptions, ServerParts } from '../options.ts';
import { acceptsGzip, compress, GZIP_FROM_BYTES } from '../reply/body.ts';
import { addHeader } from '../reply/header-list.ts';
import { commonHeaders, send } from '../reply/send.ts';
import type { ServedRequest } from '../request.ts';
import { noSuchPath, type ServedRoute } from '../routes.ts';
import { openStream } from '../stream/open.ts';
import { PAGE_ASSETS } from './assets.ts';
import { explorePage, factsPage, referencePage } from './page-documents.ts';
import { PAGE_FILE_TYPES, type PageFileFormat, type PageParts } from './page-parts.ts';

/** The shared state of all requests for pages of one server. */
export interface PageContext {
  readonly parts: ServerParts;
  readonly pages: PageParts;
  readonly routes: readonly ServedRoute[];
  /** How much of what pages ask is under way. */
  readonly open: { streams: number; questions: number };
}

const ANSWERS = '/pages/answer';

const ASSETS = '/pages/assets/';

const HTML = 'text/html; charset=utf-8';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

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
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

interface PageReply {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** An asset: a browser may keep it and ask whether it changed. */
  readonly isAsset?: boolean;
  readonly headers?: readonly (readonly [string, string])[];
}

/** Answers with a page that the reader may see. @throws MacroError of kind `notFound`. */
export async function showPage(served: ServedRequest, context: PageContext): Promise<void> {
  served.edge = 'BYPASS';
  const path = served.url.split('?', 1)[0] ?? '';
  if (path.startsWith(ASSETS)) return sendAsset(served, path.slice(ASSETS.length));
  if (path === '/pages/events') return streamToPage(served, context);
  if (path.startsWith(ANSWERS)) return answerPage(served, context, path.slice(ANSWERS.length));
  if (path === '/pages/series')
    return sendPage(served, { type: 'application/json', body: JSON.stringify(await context.pages.series()) });
  if (path === '/explore')
    return sendPage(served, { type: HTML, body: explorePage(await frameOf(served, context), served.now) });
  if (path === '/docs')
    return sendPage(served, { type: HTML, body: referencePage(await frameOf(served, context), context.routes) });
  if (path === '/') return showFacts(served, context);
  throw noSuchPath(path);
}

async function frameOf(served: ServedRequest, { parts, pages }: PageContext) {
  const { kind } = await pages.facts();
  return { kind, isTrusted: isTrusted(served, parts.options) };
}

function sendAsset(served: ServedRequest, name: string): Promise<void> {
  const body = Object.hasOwn(PAGE_ASSETS, name) ? PAGE_ASSETS[name] : undefined;
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (body === undefined || type === undefined)
    throw new MacroError('notFound', 'There is no such asset.', { status: 404, code: 'not_found' });
  return sendPage(served, { type, body, isAsset: true });
}

async function showFacts(served: ServedRequest, { parts: { options }, pages }: PageContext): Promise<void> {
  const reader = readerOf(served, options);
  const body = factsPage({
    facts: await pages.facts(),
    privateTables: reader.isPrivy ? await pages.privateFacts(reader.name) : undefined,
    isTrusted: isTrusted(served, options),
    service: options.labels.service,
    version: pages.version,
  });
  return sendPage(served, { type: HTML, body });
}

/** Sends a page, an asset or data of a page. */
async function sendPage(served: ServedRequest, { type, body, isAsset, headers = [] }: PageReply): Promise<void> {
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

/** Streams of pages at a time, of all readers together. */
const MAX_PAGE_STREAMS = 50;

const RETRY_SECONDS = 30;

/** Opens the stream with the access of the reader, outside of the budgets. @throws MacroError of kind `busy`. */
function streamToPage(served: ServedRequest, { parts, routes, open }: PageContext): void {
  const reader = readerOf(served, parts.options);
  const route = routes.find(({ endpoint }) => endpoint.id === streamEvents.id);
  if (!route || open.streams >= MAX_PAGE_STREAMS)
    throw new MacroError('busy', 'Too many pages read events at present.', {
      status: 429,
      code: 'too_many_pages',
      retryAfter: RETRY_SECONDS,
    });
  const { serve, request, reply } = served;
  open.streams += 1;
  reply.raw.once('close', () => {
    open.streams -= 1;
  });
  const { caller, name = 'owner' } = reader;
  const context = { caller, name, class: caller.kind === 'keyed' ? caller.plan : caller.kind };
  openStream({ ...serve, limits: undefined, identify: () => context }, route, request, reply);
}

/** Questions of pages that are answered at a time. */
const MAX_PAGE_QUESTIONS = 8;

/** The mirror knows no page size: one question is one consistent answer. */
const ALL_ROWS = 1_000_000_000;

const JSON_TYPE = 'application/json';

/** The parameters that a page adds to a question; no endpoint has such parameters. */
interface PageWords {
  readonly asOf: AsOf | undefined;
  readonly view: 'answer' | 'why' | PageFileFormat;
  readonly row: string;
}

/** Answers `/pages/answer/v1/...`. @throws MacroError of kind `busy`. */
async function answerPage(served: ServedRequest, context: PageContext, path: string): Promise<void> {
  const { open } = context;
  if (open.questions >= MAX_PAGE_QUESTIONS)
    throw new MacroError('busy', 'Too many pages ask at present.', {
      status: 429,
      code: 'too_many_pages',
      retryAfter: 1,
    });
  open.questions += 1;
  try {
    await answerOne(served, context, path);
  } finally {
    open.questions -= 1;
  }
}

async function answerOne(served: ServedRequest, context: PageContext, path: string): Promise<void> {
  const { parts, pages, routes } = context;
  const { serve, now } = served;
  const reader = readerOf(served, parts.options);
  served.context = { caller: reader.caller, name: reader.name ?? 'owner', class: reader.caller.kind };
  const { route, values } = findRoute(routes, path);
  const { query, words } = readPageWords(queryTextOf(served.url), now);
  const { asOf, view, row } = words;
  if (asOf || view === 'why') requirePrivy(reader);
  const { endpoint } = route;
  const { args, given } = await serve.readArguments(endpoint, { path: values, query }, asOf?.at ?? now);
  await refuseOutsiders(served, route, args);
  const asked = endpoint.paging.kind === 'none' ? args : { ...args, limit: ALL_ROWS };
  const question: Question = { endpoint, args: asked, given };
  if (view === 'why') {
    const lines = await pages.lineage(question, row);
    return sendPage(served, { type: JSON_TYPE, body: `[${lines.join(',')}]` });
  }
  const reply = await (parts.mirrorSource ?? parts.source).ask(question, {
    caller: reader.caller,
    now,
    ...(asOf && { asOf }),
  });
  if (serve.strict && reply.partial) throw mirrorIncomplete(reply.partial);
  const headers = [[serve.names.mirror, reply.partial ? 'partial' : 'complete']] as const;
  const marks = reply.synthetic ? ([[serve.names.synthetic, '1']] as const) : [];
  if (view === 'answer') {
    const body = JSON.stringify(await pages.present({ endpoint, args, given }, reply, { asOf, now }));
    return sendPage(served, { type: JSON_TYPE, body, headers: [...headers, ...marks] });
  }
  const name = `attachment; filename="${fileName(endpoint, values, reply)}.${view}"`;
  return sendPage(served, {
    type: PAGE_FILE_TYPES[view],
    body: await pages.file(question, reply, { format: view, now }),
    headers: [...headers, ...marks, ['Content-Disposition', name]],
  });
}

/** A file leaves the page with its marks behind it, so its name carries them. */
function fileName({ id }: Endpoint, values: Readonly<Record<string, string>>, { partial, synthetic }: Reply): string {
  const marks = [...(partial ? ['partial'] : []), ...(synthetic ? ['synthetic'] : [])];
  return [id, ...Object.values(values), ...marks]
    .join('-')
    .toLowerCase()
    .replace(/[^\w-]/g, '_');
}

function findRoute(
  routes: readonly ServedRoute[],
  path: string,
): { route: ServedRoute; values: Record<string, string> } {
  const parts = path.split('/');
  for (const route of routes) {
    const { endpoint } = route;
    const names = endpoint.path.split('/');
    if (names.length !== parts.length || endpoint.managed || endpoint.writeOnly || !isServed(endpoint)) continue;
    if (endpoint.body.kind === 'stream') continue;
    const isName = (part: string) => part.startsWith('{');
    if (!names.every((part, i) => isName(part) || part === parts[i])) continue;
    const pairs = names.flatMap((part, i) => (isName(part) ? [[part.slice(1, -1), decoded(parts[i] ?? '')]] : []));
    return { route, values: Object.fromEntries(pairs) };
  }
  throw noSuchPath(path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readPageWords(
  given: Readonly<Record<string, string>>,
  now: number,
): { query: Readonly<Record<string, string>>; words: PageWords } {
  const {
    page_as_of: moment,
    page_by: by = 'public',
    page_view: view = 'answer',
    page_row: row = '',
    ...query
  } = given;
  const availability = AVAILABILITIES.find((one) => one === by);
  const seconds = moment === undefined ? undefined : parseInstant(moment);
  if (!availability || (moment !== undefined && (seconds === undefined || seconds * 1000 > now)))
    throw new MacroError('usage', 'page_as_of is a moment that has passed; page_by is public, captured or mirrored.', {
      status: 400,
    });
  if (view !== 'answer' && view !== 'why' && !(view in PAGE_FILE_TYPES))
    throw new MacroError('usage', 'page_view is answer, why, csv or parquet.', { status: 400 });
  const asOf = seconds === undefined ? undefined : { at: seconds * 1000, by: availability };
  return { query, words: { asOf, view: view as PageWords['view'], row } };
}

interface PageVisitor {
  readonly caller: Caller;
  /** Digest of the key; undefined for whoever owns the mirror, and for readers without a key. */
  readonly name: string | undefined;
  /** May read quota, runs, webhooks, the past and provenance. */
  readonly isPrivy: boolean;
}

/** Judges a reader. Without keys a person at this machine is the owner, unless by a proxy. */
function readerOf(served: ServedRequest, options: ServeOptions): PageVisitor {
  if (isTrusted(served, options)) return { caller: { kind: 'owner' }, name: undefined, isPrivy: true };
  const { caller, name } = identify(served);
  const isKeyed = caller.kind === 'keyed';
  return { caller, name: isKeyed ? name : undefined, isPrivy: isKeyed };
}

function isTrusted({ request }: ServedRequest, { keys, open, boundTo = '127.0.0.1' }: ServeOptions): boolean {
  if (!isLoopbackHost(boundTo)) return false;
  const host = (request.headers.host ?? 'localhost').replace(/:\d{1,5}$/, '').toLowerCase();
  return isLoopbackHost(host) && (open === true || keys === undefined);
}

/** Refuses a reader without a key what only holders of keys may see. @throws MacroError of kind `auth`. */
function requirePrivy({ isPrivy }: PageVisitor): void {
  if (isPrivy) return;
  throw new MacroError('auth', 'This part of the pages needs a key of this server.', {
    status: 401,
    code: 'api_key_required',
  });
}
