// Decides which page, asset or data of a page a request is for.
import { MacroError } from '../../errors.ts';
import type { ServedRequest } from '../request.ts';
import { noSuchPath } from '../routes.ts';
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

/**
 * Answers the request. Throws what a page may not show, and what is not there.
 * @throws MacroError of kind `notFound`.
 */
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
