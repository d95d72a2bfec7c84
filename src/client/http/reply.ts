import { ITS_OWNER_CAN, MIRROR_INCOMPLETE } from '../../contract/answer-members.ts';
import { retryAfterOf } from '../../contract/headers.ts';
import { isJsonObject, type JsonObject, objectIn, parseJson } from '../../contract/json/json.ts';
import { type ErrorDetails, type ErrorKind, type Finding, MacroError } from '../../errors.ts';
import { isWindow, windowEnd } from '../quota/budget.ts';
import { oneLine, sentence } from '../text.ts';

/** An answer with its body read. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface ErrorContext {
  /** Path of the question, for messages that the service left without words. */
  readonly target: string;
  /** Address of the service. */
  readonly origin: string;
  readonly hasKey: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/** Members of an error body that have a place of their own. */
const SPOKEN: ReadonlySet<string> = new Set(['detail', 'code', 'error']);

const USAGE: ReadonlySet<number> = new Set([400, 405, 413, 414, 422]);

/** Reason of a refusal for one class of forecasts. See docs/interface-endpoints.md#predictions. */
const NEEDS_KEY = 'values_require_key';

/** The typed error of an answer that is neither 200 nor an expected 304. See docs/interface-access.md#errors. */
export function errorOf(reply: RawReply, context: ErrorContext): MacroError {
  const body = readErrorBody(reply.text);
  if (isForeign(reply, body)) return notTheService(reply, context);
  const kind = kindOf(reply.status, body.code);
  const retryAfter = retryAfterFor(reply, body, context.now);
  const hint = hintOf(kind, reply.status, body, context);
  const details: ErrorDetails = {
    status: reply.status,
    findings: body.findings,
    extra: withRequestId(body.extra, reply.headers),
    ...(body.code !== undefined && { code: body.code }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(hint !== undefined && { hint }),
  };
  return new MacroError(kind, messageOf(reply, body, context), details);
}

/** True of an answer without the words that the service has for it: a web page, or a path that is not there. */
function isForeign({ status, headers, text }: RawReply, { detail, code }: ErrorBody): boolean {
  if (detail !== undefined || code !== undefined || status >= 500) return false;
  return status === 404 || (status !== 429 && isWebPage(headers, text));
}

export function isWebPage(headers: Headers, text: string): boolean {
  const type = (headers.get('content-type') ?? '').toLowerCase();
  return type.includes('html') || /^\s*<(!doctype|html|head|body|\?xml)/i.test(text);
}

function notTheService({ status }: RawReply, { origin, target }: ErrorContext): MacroError {
  const path = target.split('?')[0];
  return new MacroError(
    'protocol',
    `${origin} is not the service: it answers HTTP ${status} to ${path}, without the words of the service.`,
    {
      code: 'not_the_service',
      status,
      hint: CHECK_ADDRESS,
    },
  );
}

const CHECK_ADDRESS =
  'Check the address of the service (--base-url, MACRO_BASE_URL); macro config explain shows where it comes from.';

function kindOf(status: number, code: string | undefined): ErrorKind {
  // Another `macro serve --strict` misses a part: it is there and well.
  if (code === MIRROR_INCOMPLETE) return 'incomplete';
  if (USAGE.has(status)) return 'usage';
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 409) return isOfRequest(code) ? 'usage' : 'incomplete';
  if (status === 429) return 'quota';
  return status >= 500 ? 'upstream' : 'protocol';
}

/** The members of an error body, as far as they are there. */
interface ErrorBody {
  readonly detail: string | undefined;
  readonly code: string | undefined;
  readonly findings: readonly Finding[];
  readonly extra: JsonObject;
}

function readErrorBody(text: string): ErrorBody {
  // Gateways answer with pages of their own: the status alone tells what happened.
  return errorWords(objectIn(parseJson(text)));
}

/** The words of an error body: `code`, then `error`, then `detail`, which is a sentence or a list of findings. */
export function errorWords(body: JsonObject): ErrorBody {
  const { detail } = body;
  const findings = Array.isArray(detail) ? detail.flatMap(readFinding) : [];
  const said = typeof detail === 'string' && detail.trim() !== '' ? oneLine(detail) : findingsText(findings);
  const error = wordOf(body.error);
  return {
    detail: said ?? (typeof body.error === 'string' && error === undefined ? oneLine(body.error) : undefined),
    code: wordOf(body.code) ?? error,
    findings,
    extra: Object.fromEntries(Object.entries(body).filter(([name]) => !SPOKEN.has(name))),
  };
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9_.-]{1,80}$/.test(value) ? value : undefined;
}

function readFinding(item: unknown): readonly Finding[] {
  if (!isJsonObject(item)) return [];
  const { loc, msg, type, input, ctx } = item;
  const place = Array.isArray(loc) ? loc.filter((part) => typeof part === 'string' || typeof part === 'number') : [];
  const bounds = Object.entries(objectIn(ctx)).filter(isPlainEntry);
  return [
    {
      loc: place,
      msg: typeof msg === 'string' ? oneLine(msg) : 'Invalid value',
      type: typeof type === 'string' ? oneLine(type) : 'value_error',
      ...(input !== undefined && {
        input: typeof input === 'string' || input === null ? input : JSON.stringify(input),
      }),
      ...(bounds.length > 0 && { ctx: Object.fromEntries(bounds) }),
    },
  ];
}

function isPlainEntry(entry: [string, unknown]): entry is [string, string | number] {
  return typeof entry[1] === 'string' || typeof entry[1] === 'number';
}

function findingsText(findings: readonly Finding[]): string | undefined {
  if (findings.length === 0) return undefined;
  return findings
    .map(({ loc, msg, input }) => `${loc.at(-1) ?? 'request'}: ${msg}${input ? ` (got '${oneLine(input)}')` : ''}`)
    .join('; ');
}

const SENTENCES: Readonly<Record<number, string>> = {
  400: 'The service cannot answer this question',
  401: 'The service wants a valid API key',
  402: 'The plan of this key does not include this question',
  403: 'The plan of this key does not include this question',
  404: 'The service has no such thing',
  405: 'The service does not answer this kind of request',
  409: 'The data changed while they were read',
  410: 'The service no longer has this',
  413: 'The request is too large for the service',
  414: 'The request is too long for the service',
  422: 'The service refused an argument',
  429: 'The request budget is used up',
  500: 'The service failed',
  502: 'The service is not reachable behind its gateway',
  503: 'The service is not available',
  504: 'The service did not answer its gateway in time',
};

function messageOf(reply: RawReply, body: ErrorBody, context: ErrorContext): string {
  const known = SENTENCES[reply.status] ?? 'The service gave an answer that its interface does not have';
  // The words of another mirror name commands for whoever runs it.
  if (body.code === 'not_mirrored')
    return `The mirror behind ${context.origin} has nothing for ${context.target.split('?')[0]}.`;
  if (body.detail)
    return reply.status >= 500 && body.code !== MIRROR_INCOMPLETE
      ? `${known}: ${sentence(body.detail)}`
      : sentence(body.detail);
  return `${known} (HTTP ${reply.status} for ${context.target.split('?')[0]}).`;
}

/** Max seconds to wait for a budget if no header names its window: a day is the max window but the month. */
const MAX_UNNAMED_WAIT = 86_400;

/**
 * Seconds; of a 429 also from the member and the header that say the same. No budget is spent for longer than until the window
 * ends that the headers name.
 */
function retryAfterFor(reply: RawReply, body: ErrorBody, now: number): number | undefined {
  const retryAfter = retryAfterOf(reply.headers, now);
  if (reply.status !== 429) return retryAfter;
  const reset = reply.headers.get('ratelimit-reset')?.trim() ?? '';
  const resets = /^\d{1,9}$/.test(reset) ? Number(reset) : undefined;
  const member = body.extra.retry_after;
  const said = retryAfter ?? (typeof member === 'number' && member >= 0 ? Math.ceil(member) : resets);
  const name = reply.headers.get('x-ratelimit-window')?.trim().toLowerCase() ?? '';
  const ends = isWindow(name) ? Math.ceil((windowEnd(name, now) - now) / 1000) : resets;
  return said === undefined ? undefined : Math.min(said, Math.max(ends ?? MAX_UNNAMED_WAIT, resets ?? 0));
}

function withRequestId(extra: JsonObject, headers: Headers): JsonObject {
  const id = headers.get('x-request-id');
  return id === null || extra.request_id !== undefined ? extra : { ...extra, request_id: oneLine(id) };
}

function hintOf(kind: ErrorKind, status: number, body: ErrorBody, context: ErrorContext): string | undefined {
  const { extra } = body;
  switch (kind) {
    case 'auth':
      return authHint(status, extra, context);
    case 'notFound':
      return didYouMean(body) ?? whereListed(body.code, context.target);
    case 'quota':
      return 'Wait until the budget frees and run it again.';
    case 'incomplete':
      if (body.code === MIRROR_INCOMPLETE) return ITS_OWNER_CAN;
      return 'Run it again: it starts from the data as they are now.';
    case 'usage':
      if (body.findings.length > 0) return undefined; // they name the legal values
      return legalValues(extra) ?? 'See the --help of the command for the legal values.';
    case 'upstream':
      return 'Try again later.';
    default:
      return CHECK_ADDRESS;
  }
}

/** Where a person finds what there is; undefined where the refusal tells it itself. */
function whereListed(code: string | undefined, target: string): string | undefined {
  switch (code) {
    case undefined:
      return CHECK_ADDRESS;
    case 'not_mirrored':
      return ITS_OWNER_CAN;
    case 'not_found':
      return 'macro openapi lists the paths that there are.';
    case 'unknown_indicator':
      return `See which words exist: ${target.startsWith('/v1/commodities') ? 'macro commodities latest' : catalogueFor(target)}`;
    case 'unknown_resource':
      return target.startsWith('/v1/settlement/contracts/')
        ? 'See which there are: macro settlement contracts'
        : undefined;
    default:
      return undefined;
  }
}

/** The list of indicators of the currency that a question named. */
function catalogueFor(target: string): string {
  return `macro catalogue ${/^\/v1\/\w+\/([A-Za-z]{3})\b/.exec(target)?.[1] ?? 'USD'}`;
}

function authHint(status: number, extra: JsonObject, { hasKey }: ErrorContext): string {
  const where = typeof extra.subscribe_url === 'string' ? httpUrl(extra.subscribe_url) : undefined;
  const offer = where ? ` Plans: ${where}` : '';
  if (status !== 401) return `Use a key whose plan includes it.${offer}`;
  const values = hasKey ? undefined : availabilityHint(extra);
  if (values) return `${values} See macro predictions coverage.${offer}`;
  if (!hasKey) return `Give a key with: macro auth login, or in MACRO_API_KEY.${offer}`;
  return `The key that was sent is not accepted; see which one it is: macro auth status${offer ? `.${offer}` : ''}`;
}

function httpUrl(text: string): string | undefined {
  return /^https?:\/\/[^\s]+$/.test(text) ? oneLine(text) : undefined;
}

/** The words that a refusal suggests, unless its sentence does so already. */
function didYouMean({ detail, extra }: ErrorBody): string | undefined {
  const words = textsOf(extra.suggestions);
  return words.length === 0 || detail?.includes('Did you mean')
    ? undefined
    : `Did you mean ${words.map((word) => `'${word}'`).join(' or ')}?`;
}

function legalValues(extra: JsonObject): string | undefined {
  const words = textsOf(extra.supported_values);
  const option = typeof extra.option === 'string' ? oneLine(extra.option) : 'the option';
  return words.length === 0 ? undefined : `Legal values of ${option}: ${words.join(', ')}.`;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string').map(oneLine) : [];
}

/** Whether a key would show the refused values, as a sentence; undefined where the refusal does not say. */
function availabilityHint({ availability }: JsonObject): string | undefined {
  if (!isJsonObject(availability) || !isJsonObject(availability.reason)) return undefined;
  const reasons = Object.entries(availability.reason);
  if (reasons.length === 0) return undefined;
  const opened = reasons.filter(([, reason]) => reason === NEEDS_KEY).map(([name]) => oneLine(name));
  if (opened.length > 0)
    return `A key gives access to the published data: ${opened.join(', ')}. Give one with: macro auth login, or in MACRO_API_KEY.`;
  const official = isJsonObject(availability.official_forecasts) ? availability.official_forecasts.sources : undefined;
  const besides = Array.isArray(official) && official.length > 0 ? ' A key would show official forecasts only.' : '';
  return `Nobody publishes such values for this pair, so a key would not bring any.${besides}`;
}

/** A sentence of the warnings in headers, if any. See docs/interface-access.md#deprecation. */
export function deprecationNote(target: string, headers: Headers): string | undefined {
  const deprecation = headers.get('deprecation')?.trim();
  const sunset = dayOf(headers.get('sunset'));
  if ((!deprecation || deprecation.toLowerCase() === 'false') && !sunset) return undefined;
  const since = dayOf(deprecation ?? null);
  const links = readLinks(headers.get('link') ?? '');
  const successor = links.get('successor-version');
  const about = links.get('deprecation');
  const parts = [
    `${target.split('?')[0]} is deprecated${since ? ` since ${since}` : ''}`,
    sunset && `will end on ${sunset}`,
    successor && `is replaced by ${successor}`,
  ];
  return `${parts.filter(Boolean).join(', ')}.${about ? ` See ${about}.` : ''}`;
}

/** `@1790812800` (RFC 9745) or a date, as a day; undefined for anything else, `true` included. */
function dayOf(raw: string | null): string | undefined {
  const text = raw?.trim() ?? '';
  const ms = /^@-?\d{1,11}$/.test(text) ? Number(text.slice(1)) * 1000 : /\d{4}/.test(text) ? Date.parse(text) : NaN;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
}

function readLinks(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, target = '', params = ''] of header.matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    const rel = /;\s*rel\s*=\s*"?([^";]+)"?/i.exec(params)?.[1] ?? '';
    for (const word of rel.toLowerCase().split(/\s+/)) if (word && !links.has(word)) links.set(word, oneLine(target));
  }
  return links;
}

/** A 409 about the request itself, not about the data. */
function isOfRequest(code: string | undefined): boolean {
  return code === 'subscription_limit_reached' || code === 'secret_elsewhere';
}
