// Decides which page, asset or data of a page a request is for.
import { MacroError } from '../../errors.ts';
import { noSuchPath } from '../reply/not-found.ts';
import type { ServedRequest } from '../request.ts';
import { PAGE_ASSETS } from './assets.ts';
import { explorePage } from './explore-page.ts';
import { factsPage } from './facts-page.ts';
import { isTrusted, readerOf } from './page-access.ts';
import type { PageContext } from './page-context.ts';
import { answerPage } from './page-question.ts';
import { sendPage } from './page-reply.ts';
import { streamToPage } from './page-stream.ts';
import { referencePage } from './reference-page.ts';

const ANSWERS = '/pages/answer';
const ASSETS = '/pages/assets/';
const HTML = 'text/html; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Answers the request. Throws what a page may not show, and what is not there. */
export async function showPage(exchange: ServedRequest, context: PageContext): Promise<void> {
  exchange.edge = 'BYPASS';
  const path = exchange.url.split('?', 1)[0] ?? '';
  if (path.startsWith(ASSETS)) return sendAsset(exchange, path.slice(ASSETS.length));
  if (path === '/pages/events') return streamToPage(exchange, context);
  if (path.startsWith(ANSWERS)) return answerPage(exchange, context, path.slice(ANSWERS.length));
  if (path === '/pages/series')
    return sendPage(exchange, { type: 'application/json', body: JSON.stringify(await context.pages.series()) });
  if (path === '/explore')
    return sendPage(exchange, { type: HTML, body: explorePage(await frameOf(exchange, context), exchange.now) });
  if (path === '/docs')
    return sendPage(exchange, { type: HTML, body: referencePage(await frameOf(exchange, context), context.routes) });
  if (path === '/') return showFacts(exchange, context);
  throw noSuchPath(path);
}

async function frameOf(exchange: ServedRequest, { parts, pages }: PageContext) {
  const { kind } = await pages.facts();
  return { kind, isTrusted: isTrusted(exchange, parts.options) };
}

function sendAsset(exchange: ServedRequest, name: string): Promise<void> {
  const body = Object.hasOwn(PAGE_ASSETS, name) ? PAGE_ASSETS[name] : undefined;
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (body === undefined || type === undefined)
    throw new MacroError('notFound', 'There is no such asset.', { status: 404, code: 'not_found' });
  return sendPage(exchange, { type, body, isAsset: true });
}

async function showFacts(exchange: ServedRequest, { parts: { options }, pages }: PageContext): Promise<void> {
  const reader = readerOf(exchange, options);
  const body = factsPage({
    facts: await pages.facts(),
    privateTables: reader.isPrivy ? await pages.privateFacts(reader.name) : undefined,
    isTrusted: isTrusted(exchange, options),
    service: options.labels.service,
    version: pages.version,
  });
  return sendPage(exchange, { type: HTML, body });
}
