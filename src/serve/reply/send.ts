import { DEPRECATED_SINCE, type Endpoint, successorFor } from '../../contract/endpoint.ts';
import { ignoredNames } from '../../contract/params/read-params.ts';
import {
  type CallerAccount,
  LIMIT_WINDOW_SECONDS,
  type LimitRefusal,
  type LimitWindow,
  type OwnBudget,
  type Windows,
} from '../access/limits.ts';
import { queryTextOf } from '../arguments.ts';
import type { ServedRequest } from '../request.ts';
import { SERVICE_DESCRIPTION } from '../routes.ts';
import { type Body, lengthOfBody } from './body.ts';
import { addHeader, type HeaderList } from './header-list.ts';

/** Max items in one header, and max characters of each. */
const MAX_LISTED_WARNINGS = 20;
const MAX_WARNING_CHARACTERS = 200;

/** Headers that every answer has. */
export function commonHeaders(served: ServedRequest): HeaderList {
  const { serve, request, windows, account, refusal } = served;
  const list: HeaderList = [];
  addHeader(list, 'X-Request-ID', request.id);
  addHeader(list, 'X-Content-Type-Options', 'nosniff');
  addHeader(list, 'Vary', 'Accept-Encoding, X-API-Key, Authorization');
  addHeader(list, serve.names.edgeCache, served.edge);
  if (account) addLimitHeaders(list, account, { windows, refusal, own: served.own });
  addLinks(list, addDeprecation(list, served));
  addWarnings(list, served);
  return list;
}

/** Where every answer leads, and where this one leads besides. */
function addLinks(list: HeaderList, more: string | undefined): void {
  addHeader(list, 'Link', more === undefined ? SERVICE_DESCRIPTION : `${SERVICE_DESCRIPTION}, ${more}`);
}

/** Sends an answer, which is JSON unless the headers say otherwise. A 204 and a 304 have neither type nor length, a HEAD no body. */
export function send({ request, reply }: ServedRequest, status: number, list: HeaderList, body: Body): void {
  const isBare = status === 204 || status === 304;
  const length = isBare ? 0 : lengthOfBody(body);
  if (!isBare && !list.includes('Content-Type')) addHeader(list, 'Content-Type', 'application/json');
  if (!isBare) addHeader(list, 'Content-Length', length);
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(status, list);
  if (request.method === 'HEAD' || length === 0) raw.end();
  // A text of as many bytes as characters is copied as it stands, in one write with the headers.
  else if (typeof body === 'string') raw.end(body, length === body.length ? 'latin1' : 'utf8');
  else raw.end(body);
}

interface LimitContext {
  readonly windows: Windows;
  readonly refusal?: LimitRefusal | undefined;
  readonly own?: OwnBudget | undefined;
}

/** Adds the primary window, and the one with least headroom or that binds. See docs/interface-access.md#rate-limits. */
export function addLimitHeaders(
  list: HeaderList,
  account: CallerAccount,
  { windows, refusal, own }: LimitContext,
): void {
  const [primary] = account.budgets;
  if (!primary) return;
  const binding = refusal ? { limit: refusal.limit, left: 0, window: refusal.window } : leastHeadroom(account, own);
  addHeader(list, 'RateLimit-Limit', primary.limit);
  addHeader(list, 'RateLimit-Remaining', remaining(account, 0));
  addHeader(list, 'RateLimit-Reset', refusal?.wait ?? windows.left[primary.window]);
  addHeader(list, 'RateLimit-Policy', policyOf(account, windows));
  addHeader(list, 'X-RateLimit-Limit', binding.limit);
  addHeader(list, 'X-RateLimit-Remaining', binding.left);
  addHeader(list, 'X-RateLimit-Window', binding.window);
}

/** The budget with the smallest part left. Its own is one of a minute: of equals the minute itself is shown. */
function leastHeadroom(account: CallerAccount, own: OwnBudget | undefined) {
  const tight = tightest(account);
  const { limit = 1, window = 'minute' } = account.budgets[tight] ?? {};
  const left = remaining(account, tight);
  const ownLeft = own ? Math.max(0, own.limit - own.used) : 0;
  if (own && ownLeft / own.limit < left / limit) return { limit: own.limit, left: ownLeft, window: 'endpoint' };
  return { limit, left, window };
}

function remaining(account: CallerAccount, index: number): number {
  return Math.max(0, (account.budgets[index]?.limit ?? 0) - (account.used[index] ?? 0));
}

/** The budget with the smallest part left; of equals the shorter. */
function tightest(account: CallerAccount): number {
  let best = 0;
  let bestPart = Number.POSITIVE_INFINITY;
  for (let i = 0; i < account.budgets.length; i += 1) {
    const part = remaining(account, i) / (account.budgets[i]?.limit ?? 1);
    if (part < bestPart) {
      best = i;
      bestPart = part;
    }
  }
  return best;
}

/** All windows as `quota;w=seconds`. */
function policyOf({ budgets }: CallerAccount, { left }: Windows): string {
  const lengthOf = (window: LimitWindow) => (window === 'month' ? left.month : LIMIT_WINDOW_SECONDS[window]);
  return budgets.map(({ window, limit }) => `${limit};w=${lengthOf(window)}`).join(', ');
}

/**
 * Marks a deprecated route, or key in the query, and gives links to its successor. See docs/interface-access.md#deprecation.
 */
function addDeprecation(list: HeaderList, served: ServedRequest): string | undefined {
  const { serve, endpoint, queryKey } = served;
  const deprecated = endpoint?.deprecated;
  if (!deprecated && queryKey === undefined) return undefined;
  const { publicBaseUrl, docsUrl, deprecationsUrl = `${docsUrl}/deprecations` } = serve.labels;
  const successor = `${publicBaseUrl}${deprecated ? successorOf(served) : withoutKey(served)}`;
  addHeader(list, 'Deprecation', `@${deprecated?.since ?? DEPRECATED_SINCE}`);
  if (deprecated?.sunset !== undefined) addHeader(list, 'Sunset', new Date(deprecated.sunset * 1000).toUTCString());
  return `<${successor}>; rel="successor-version", <${deprecationsUrl}>; rel="deprecation"`;
}

function successorOf({ endpoint, request, url }: ServedRequest): string {
  if (!endpoint?.deprecated) return '';
  // Fastify types the decoded path arguments as unknown; the router makes nothing but strings of them.
  const words = request.params as Record<string, string>;
  const { doc, deprecated } = endpoint;
  return successorFor(deprecated, { ...queryTextOf(url), ...words }, { ...doc.exampleQuery, ...doc.example });
}

function withoutKey({ url }: ServedRequest): string {
  const [path = '/', ...query] = url.split('?');
  const rest = new URLSearchParams(query.join('?'));
  rest.delete('api_key');
  const plainPath = path.replace(/[^\x21-\x7e]|[<>"]/g, encodeURIComponent);
  return `${plainPath}${rest.size > 0 ? `?${rest}` : ''}`;
}

/**
 * Says that an answer is unconfirmed, or that parameters and filter words had no effect: an ignored `as_of` would show
 * the future. See docs/interface.md#ignored-parameters.
 */
function addWarnings(list: HeaderList, served: ServedRequest): void {
  const names = ignoredIn(served);
  if (names.length === 0 && served.stale === undefined && served.oddities === undefined) return;
  const texts = [
    ...(names.length > 0
      ? [`Ignored parameters: ${names.slice(0, MAX_LISTED_WARNINGS).map(printable).join(', ')}`]
      : []),
    ...(served.oddities ?? []).slice(0, MAX_LISTED_WARNINGS),
  ];
  const warnings = [
    ...(served.stale === undefined ? [] : [`110 - "${printable(`Response is stale. ${served.stale}`)}"`]),
    ...texts.map((text) => `299 - "${printable(text)}"`),
  ];
  if (warnings.length > 0) addHeader(list, 'Warning', warnings.join(', '));
}

function ignoredIn({ endpoint, request, url }: ServedRequest): readonly string[] {
  if (!endpoint || !url.includes('?')) return [];
  // The arguments of a posted question stand in its body.
  const known = request.method === 'POST' ? NO_QUERY : endpoint;
  // Every answer from stored rows can be that of one source.
  const isStored = endpoint.mirror !== undefined || endpoint.compose !== undefined;
  return ignoredNames(known, queryTextOf(url)).filter((name) => name !== 'origin' || !isStored);
}

const NO_QUERY: Pick<Endpoint, 'query'> = { query: {} };

/** An address may contain anything; a header may not. */
function printable(text: string): string {
  return text.slice(0, MAX_WARNING_CHARACTERS).replace(/[^\x20-\x7e]|["\\]/g, '?');
}
