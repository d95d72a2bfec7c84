/** The kind of failure, as a closed set; the exit code and the HTTP status follow from it. */
export type ErrorKind =
  | 'internal'
  | 'usage'
  | 'notFound'
  | 'auth'
  | 'quota'
  | 'upstream'
  | 'protocol'
  | 'mirror'
  | 'verification'
  | 'incomplete'
  | 'stale'
  | 'busy'
  | 'interrupted';

export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  quota: 5,
  upstream: 6,
  protocol: 7,
  mirror: 8,
  verification: 9,
  incomplete: 10,
  stale: 11,
  busy: 75,
  interrupted: 130,
};

/** One finding of parameter validation, in the shape of the service's 422 list. */
export interface Finding {
  /** `path`, `query` or `body`, then the name of the parameter. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: string | null;
  readonly ctx?: Readonly<Record<string, string | number>>;
}

export interface ErrorDetails {
  /** The cure: one sentence. */
  readonly hint?: string | undefined;
  /** Machine-readable word, the service's own where there is one. */
  readonly code?: string | undefined;
  /** HTTP status of the upstream answer, or the one `serve` should send. */
  readonly status?: number | undefined;
  /** Seconds until it makes sense to try again. */
  readonly retryAfter?: number | undefined;
  readonly findings?: readonly Finding[] | undefined;
  /** Further members of the service's error body. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** The only error that the program throws on purpose: what happened (message), what to do (hint), and its kind. */
export class MacroError extends Error {
  override readonly name: string = 'MacroError';
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly findings: readonly Finding[];
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.hint = details.hint;
    this.code = details.code;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.findings = details.findings ?? [];
    this.extra = details.extra ?? {};
  }
}

/** The same error with a further sentence. */
export function retold(error: MacroError, more: string): MacroError {
  return new MacroError(error.kind, `${error.message} ${more}`, detailsOf(error));
}

/** The same error with a further sentence of what to do. */
export function advised(error: MacroError, more: string): MacroError {
  return hinted(error, error.hint === undefined ? more : `${error.hint} ${more}`);
}

/** The same error with another wait, in seconds. */
export function waiting(error: MacroError, retryAfter: number): MacroError {
  return new MacroError(error.kind, error.message, { ...detailsOf(error), retryAfter });
}

/** The same error with another hint. */
export function hinted(error: MacroError, hint: string): MacroError {
  return new MacroError(error.kind, error.message, { ...detailsOf(error), hint });
}

/** The arguments of the constructor, for a copy of an error. */
export function detailsOf({ hint, code, status, retryAfter, findings, extra, cause }: MacroError): ErrorDetails {
  return { hint, code, status, retryAfter, findings, extra, cause };
}

/** The result of `work`, or of `otherwise` if it is refused. Bugs and interruptions are thrown on. */
export async function unlessRefused<T, U>(
  work: () => T | Promise<T>,
  otherwise: (error: MacroError) => U | Promise<U>,
): Promise<T | U> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MacroError) || error.kind === 'interrupted') throw error;
    return otherwise(error);
  }
}

/** Exit code of any thrown value; anything but a MacroError is a bug of ours. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof MacroError)) return EXIT_CODES.internal;
  if (error.kind === 'interrupted' && error.code === 'SIGTERM') return 143;
  return EXIT_CODES[error.kind];
}
