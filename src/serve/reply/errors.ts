import { type ErrorKind, MacroError } from '../../errors.ts';
import type { HeaderList } from './header-list.ts';

/** An error as it goes over the wire. */
interface HttpError {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<HeaderList>;
}

const STATUS: Readonly<Record<ErrorKind, number>> = {
  internal: 500,
  usage: 422,
  notFound: 404,
  auth: 401,
  quota: 429,
  upstream: 502,
  protocol: 502,
  mirror: 503,
  verification: 401,
  incomplete: 502,
  stale: 503,
  busy: 503,
  interrupted: 503,
};

/** Words for errors that carry none of their own. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'api_key_required',
  403: 'subscription_required',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'dataset_version_mismatch',
  413: 'payload_too_large',
  414: 'uri_too_long',
  429: 'rate_limit_exceeded',
  431: 'header_too_large',
  502: 'bad_gateway',
  503: 'service_unavailable',
};

const RETRY_STORE_SECONDS = 30;

/** Status, body and headers of an error; see docs/interface-access.md#errors. The text of a bug stays here. */
export function toHttpError(error: unknown, requestId: string): HttpError {
  if (!(error instanceof MacroError) || error.kind === 'internal') return internalError(requestId);
  const status = error.status ?? (error.kind === 'usage' && error.findings.length === 0 ? 400 : STATUS[error.kind]);
  if (status >= 500 && STATUS[error.kind] === 503) return unavailable(error);
  if (status === 422) return { status, body: JSON.stringify({ detail: findingsOf(error) }), headers: [] };
  const code = error.code ?? CODES[status] ?? 'invalid_request';
  const message =
    code === 'not_mirrored' && fillsMissing(error.hint) ? `${error.message} ${error.hint}` : error.message;
  return {
    status,
    body: JSON.stringify({ detail: message, code, error: code, ...error.extra }),
    headers: errorHeaders(status, error),
  };
}

/** True for errors that the operator must see: bugs, and a mirror that cannot be read. */
export function isOurFault(error: unknown): boolean {
  return !(error instanceof MacroError) || error.kind === 'internal' || error.kind === 'mirror';
}

/** The words that would fill a missing range in the mirror are part of the answer; hints that name options speak of the terminal. */
function fillsMissing(hint: string | undefined): boolean {
  return hint !== undefined && !/(^|\s)--\w/.test(hint);
}

function findingsOf(error: MacroError) {
  if (error.findings.length > 0) return error.findings;
  return [{ loc: ['query'], msg: `Value error, ${error.message}`, type: 'value_error' }];
}

function errorHeaders(status: number, error: MacroError): HeaderList {
  if (status === 401) return ['WWW-Authenticate', 'Bearer'];
  return error.retryAfter === undefined ? [] : ['Retry-After', String(error.retryAfter)];
}

function internalError(requestId: string): HttpError {
  const code = 'internal_error';
  const body = { detail: 'Internal server error.', code, error: code, request_id: requestId };
  return { status: 500, body: JSON.stringify(body), headers: [] };
}

/** The mirror is locked or unreadable: which file and why is nobody's business outside. */
function unavailable({ retryAfter = RETRY_STORE_SECONDS }: MacroError): HttpError {
  const code = 'service_unavailable';
  return {
    status: 503,
    body: JSON.stringify({ detail: 'The store cannot be read at present.', code, error: code }),
    headers: ['Retry-After', String(retryAfter)],
  };
}
