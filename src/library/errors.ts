import { detailsOf, type ErrorDetails, type ErrorKind, MacroError } from '../errors.ts';

type Details = [message: string, details?: ErrorDetails];

/** A question, an option or a body is wrong: asking it again changes nothing. */
export class UsageError extends MacroError {
  override readonly name = 'UsageError';
  constructor(...[message, details]: Details) {
    super('usage', message, details);
  }
}

/** There is no such thing, or the mirror has nothing of it. */
export class NotFoundError extends MacroError {
  override readonly name = 'NotFoundError';
  constructor(...[message, details]: Details) {
    super('notFound', message, details);
  }
}

/** A key is missing, unknown, or its plan does not include the question. */
export class AuthError extends MacroError {
  override readonly name = 'AuthError';
  constructor(...[message, details]: Details) {
    super('auth', message, details);
  }
}

/** A request budget is used up. `retryAfter` says for how many seconds. */
export class QuotaError extends MacroError {
  override readonly name = 'QuotaError';
  constructor(...[message, details]: Details) {
    super('quota', message, details);
  }
}

/** The service failed or was not reached. */
export class UpstreamError extends MacroError {
  override readonly name = 'UpstreamError';
  constructor(...[message, details]: Details) {
    super('upstream', message, details);
  }
}

/** The reply is no valid answer of this interface. Nothing of it may be used. */
export class ProtocolError extends MacroError {
  override readonly name = 'ProtocolError';
  constructor(...[message, details]: Details) {
    super('protocol', message, details);
  }
}

/** A mirror has only a part of the answer, or the data changed between two pages. */
export class IncompleteError extends MacroError {
  override readonly name = 'IncompleteError';
  constructor(...[message, details]: Details) {
    super('incomplete', message, details);
  }
}

/** A signature does not hold. */
export class VerificationError extends MacroError {
  override readonly name = 'VerificationError';
  constructor(...[message, details]: Details) {
    super('verification', message, details);
  }
}

/** The mirror cannot be opened, read or written. */
export class MirrorError extends MacroError {
  override readonly name = 'MirrorError';
  constructor(...[message, details]: Details) {
    super('mirror', message, details);
  }
}

/** The signal of the caller ended the work. */
export class InterruptedError extends MacroError {
  override readonly name = 'InterruptedError';
  constructor(...[message, details]: Details) {
    super('interrupted', message, details);
  }
}

/** Kinds without a class of their own stay a MacroError with that `kind`. */
const CLASSES: Readonly<Partial<Record<ErrorKind, new (...details: Details) => MacroError>>> = {
  usage: UsageError,
  notFound: NotFoundError,
  auth: AuthError,
  quota: QuotaError,
  upstream: UpstreamError,
  protocol: ProtocolError,
  incomplete: IncompleteError,
  verification: VerificationError,
  mirror: MirrorError,
  interrupted: InterruptedError,
};

/** The same error as an instance of the class of its kind; other errors stay as they are. */
export function withClass(error: unknown): unknown {
  if (!(error instanceof MacroError) || error.constructor !== MacroError) return error;
  const Class = CLASSES[error.kind];
  if (!Class) return error;
  const made = new Class(error.message, detailsOf(error));
  if (error.stack !== undefined) made.stack = error.stack.replace(/^MacroError/, made.name);
  return made;
}

/** Runs work whose errors leave the library. */
export async function classed<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withClass(error);
  }
}

export async function* classedItems<T>(work: () => AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* work();
  } catch (error) {
    throw withClass(error);
  }
}
