// Errors and refusals that a fault puts in place of an answer.
import { etagMatches } from '../../contract/headers.ts';
import { MacroError } from '../../errors.ts';
import { KEYED_BUDGETS, KEYED_SLOTS, KEYLESS_BUDGETS, quotaError } from '../access/limits.ts';
import { toHttpError } from '../reply/errors.ts';
import { addHeader, type HeaderList } from '../reply/header-list.ts';
import { type CapturedAnswer, headerIn, withHeader } from './captured-answer.ts';
import type { AnswerFault, LimitFaultWindow } from './fault.ts';

type Refusing = Extract<AnswerFault, { fault: 'error' | 'limit' }>;

/** Requests a minute of a route with a budget of its own, as the refusal states it. */
const ENDPOINT_BUDGET = 30;
const RETRY_SECONDS = 1;

const CODES: Readonly<Record<number, readonly [string, string]>> = {
  500: ['internal_error', 'Internal server error.'],
  502: ['bad_gateway', 'The gateway got no answer.'],
  503: ['service_unavailable', 'The store cannot be read at present.'],
  504: ['gateway_timeout', 'The gateway got no answer in time.'],
};

/** Validators that never change again, by caller and address. */
export interface StaleEtags {
  /** The 304 for a caller who holds the old validator; undefined when the question must be asked. */
  unchanged(name: string, from: { id: string; ifNoneMatch: string | undefined }): CapturedAnswer | undefined;
  /** The answer under the first validator that this address had. */
  keep(name: string, answer: CapturedAnswer): CapturedAnswer;
}

/** Addresses that are remembered; later ones keep their own validators. */
const MAX_ETAGS = 10_000;

/** The answer that a fault puts in place of the real one. Nobody is asked and nothing is charged. */
export function makeAnswer(
  fault: Refusing,
  request: { readonly id: string; readonly hasKey: boolean },
): CapturedAnswer {
  const made = fault.fault === 'error' ? errorAnswer(fault, request.id) : limitAnswer(fault, request.hasKey);
  const headers: HeaderList = ['X-Request-ID', request.id, ...made.headers, 'Cache-Control', 'no-store'];
  return { ...made, headers: [...headers, ...bodyHeaders(made.body)] };
}

/** A refusal of the faults themselves. */
export function refuseFault(error: MacroError, id: string): CapturedAnswer {
  const refusal = new MacroError('usage', `${error.message} ${error.hint ?? ''}`.trim(), {
    status: 400,
    code: error.code ?? 'bad_faults',
  });
  const { status, body: text } = toHttpError(refusal, id);
  const body = Buffer.from(text);
  return { status, body, headers: ['X-Request-ID', id, 'Cache-Control', 'no-store', ...bodyHeaders(body)] };
}

function bodyHeaders(body: Buffer): HeaderList {
  return ['Content-Type', 'application/json', 'Content-Length', String(body.length)];
}

function errorAnswer({ status = 500, retry_after: wait }: Extract<Refusing, { fault: 'error' }>, id: string) {
  const [code, detail] = CODES[status] ?? ['internal_error', 'Internal server error.'];
  const body = { detail, code, error: code, ...(status === 500 && { request_id: id }) };
  const headers: HeaderList = wait === undefined ? [] : ['Retry-After', String(wait)];
  return { status, headers, body: Buffer.from(JSON.stringify(body)) };
}

function limitAnswer(
  { window, retry_after: wait = RETRY_SECONDS }: Extract<Refusing, { fault: 'limit' }>,
  hasKey: boolean,
) {
  const limit = limitOf(window);
  const caller = hasKey ? ({ kind: 'keyed', plan: 'individual' } as const) : ({ kind: 'keyless' } as const);
  const { status, body, headers } = toHttpError(quotaError({ window, limit, wait }, caller), '');
  const list: HeaderList = [...headers];
  addHeader(list, 'RateLimit-Limit', limit);
  addHeader(list, 'RateLimit-Remaining', 0);
  addHeader(list, 'RateLimit-Reset', wait);
  addHeader(list, 'X-RateLimit-Limit', limit);
  addHeader(list, 'X-RateLimit-Remaining', 0);
  addHeader(list, 'X-RateLimit-Window', window);
  return { status, headers: list, body: Buffer.from(body) };
}

function limitOf(window: LimitFaultWindow): number {
  if (window === 'concurrency') return KEYED_SLOTS;
  const budgets = [...KEYED_BUDGETS, ...KEYLESS_BUDGETS];
  return budgets.find((budget) => budget.window === window)?.limit ?? ENDPOINT_BUDGET;
}

/** An address keeps the validator of its first answer, whatever its rows do: a cache that trusts it shows old rows. */
export function createStaleEtags(): StaleEtags {
  const first = new Map<string, string>();
  return {
    unchanged(name, { id, ifNoneMatch }) {
      const etag = first.get(name);
      if (etag === undefined || !etagMatches(ifNoneMatch, etag)) return undefined;
      return { status: 304, headers: ['X-Request-ID', id, 'ETag', etag], body: Buffer.alloc(0) };
    },
    keep(name, answer) {
      const etag = headerIn(answer.headers, 'etag');
      if (etag === undefined) return answer;
      const known = first.get(name);
      if (known === undefined && first.size < MAX_ETAGS) first.set(name, etag);
      return known === undefined ? answer : { ...answer, headers: withHeader(answer.headers, 'ETag', known) };
    },
  };
}
