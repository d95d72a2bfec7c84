import { MacroError } from '../../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  ENETUNREACH: 'the network is unreachable',
  EHOSTUNREACH: 'the host is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no answer began in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped coming',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer had another length than announced',
};

const CHECK = 'Check the network and the address of the service (--base-url, MACRO_BASE_URL).';

/** An exchange, for the words of its failure. */
interface Attempted {
  readonly origin: string;
  readonly signal: AbortSignal | undefined;
  /** The proxy that it went through, for people. */
  readonly proxy: string | undefined;
}

/** A failed exchange in words. A MacroError goes through; a caller's own abort is `interrupted`. */
export function networkError(error: unknown, { origin, signal, proxy }: Attempted): MacroError {
  if (error instanceof MacroError) return error;
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  if (signal?.aborted) return interruption(signal);
  if (error instanceof Error && error.name === 'TimeoutError')
    return new MacroError('upstream', `${origin} did not finish its answer in time${through}.`, {
      code: 'timeout',
      hint: CHECK,
      cause: error,
    });
  const { code, message } = innermost(error);
  if (isCertificateError(code))
    return new MacroError('upstream', `${origin} does not prove its identity: ${message}.`, {
      code: 'certificate',
      hint: 'Check the address, the clock of this machine and its trusted certificates.',
      cause: error,
    });
  const refused = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/.exec(message);
  if (refused)
    return new MacroError('upstream', `Cannot reach ${origin}${through}: it answered ${refused[1] ?? refused[2]}.`, {
      code: 'proxy_refused',
      hint: 'Check the address of the proxy with its user name and password (HTTPS_PROXY), or name the host in NO_PROXY.',
      cause: error,
    });
  const reason = REASONS[code] ?? (code || message);
  return new MacroError('upstream', `Cannot get an answer from ${origin}${through}: ${reason}.`, {
    code: 'network',
    hint: CHECK,
    cause: error,
  });
}

/** Failures that come before the first byte of a request. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** True when a request surely never reached the service. */
export function neverSent(error: unknown): boolean {
  // The network throws no error of ours: a check before it did.
  if (error instanceof MacroError) return true;
  const { code } = innermost(error);
  return BEFORE_SENDING.has(code) || isCertificateError(code);
}

/** Why a caller stopped the work. */
export function interruption(signal: AbortSignal): MacroError {
  if (signal.reason instanceof MacroError) return signal.reason;
  return new MacroError('interrupted', 'Stopped before the answer was complete.', { cause: signal.reason });
}

/** `fetch` wraps what happened; the reason is at the bottom. */
function innermost(error: unknown): { code: string; message: string } {
  let found = error;
  while (found instanceof Error && found.cause instanceof Error) found = found.cause;
  if (!(found instanceof Error)) return { code: '', message: String(found) };
  const code = 'code' in found && typeof found.code === 'string' ? found.code : '';
  return { code, message: found.message };
}

function isCertificateError(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code);
}
