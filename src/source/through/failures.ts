// What a caller is told when the service behind a server does not answer.
import { MacroError } from '../../errors.ts';

const JUDGED: ReadonlySet<number> = new Set([400, 409, 413, 414, 422]);

/** True where the service has judged the question itself: what is held is no answer to that. */
export function refusesQuestion({ kind, status }: MacroError): boolean {
  return kind === 'internal' || kind === 'usage' || (status !== undefined && JUDGED.has(status));
}

/**
 * What a caller is told where nothing is held. What the service does not know or does not sell is told in its words; that it
 * cannot be asked is no fault of the caller, and a key or a quota is the owner's.
 */
export function serviceUnavailable(error: MacroError): MacroError {
  const { kind, status, retryAfter } = error;
  if (kind === 'notFound' || status === 403) return error;
  return new MacroError('upstream', `The service could not be asked. ${error.message}`, {
    status: 503,
    code: 'upstream_unavailable',
    ...(retryAfter !== undefined && { retryAfter }),
    cause: error,
  });
}

/** What the mirror refuses the service may know; what is wrong with the mirror or with us is told. */
export function unlessAnother(error: unknown): undefined {
  if (error instanceof MacroError && error.kind !== 'mirror' && error.kind !== 'internal') return undefined;
  throw error;
}
