import { needsKey } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Args } from '../../contract/params/params.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { readText } from '../http/body.ts';
import { targetOf } from '../http/request.ts';
import { isUnanswered, pauseBefore } from '../http/retry.ts';
import type { Wire } from '../http/wire.ts';
import { createHeartbeat, createIdleWatchdog, type Heartbeat, type IdleWatchdog } from './idle-watchdog.ts';
import { createFrameReader, type Frame, messagesOf, type StreamMessage } from './messages.ts';

interface FollowParts extends Pick<Platform, 'clock' | 'random'> {
  readonly wire: Wire;
}

export interface FollowStreamOptions {
  readonly endpoint: Endpoint;
  readonly args: Args;
  /** Go on behind this event. */
  readonly lastEventId?: string;
  /** Ends it as `stale`; shared with whoever else waits for the same service. */
  readonly watchdog?: IdleWatchdog;
  readonly signal?: AbortSignal;
}

/** Milliseconds that a stream is taken to ask for until it says so; see docs/interface-events.md#event-stream. */
const USUAL_RETRY = 3_000;

/** A refusal may ask for more than a minute, up to an hour. */
const LONGEST_ASKED = 3_600_000;

/** A connection that stored so long was a good one, whatever it brought. */
const GOOD_AFTER = 60_000;

/** Tries for the first connection; see docs/interface-access.md#retries. */
const FIRST_TRIES = 4;

/** Statuses of a refusal that another try may not meet. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Where a follower stands between two connections. */
interface ReconnectState {
  lastId: string | undefined;
  retry: number;
  /** Connections in a row that brought nothing. */
  failures: number;
  /** There was a connection before. */
  wasOpen: boolean;
}

interface ConnectionParts {
  readonly wire: Wire;
  readonly clock: { now(): number };
  readonly watchdog: IdleWatchdog;
  readonly heartbeat: Heartbeat;
}

interface ConnectionAsk {
  readonly target: string;
  /** The last event that is already known. */
  readonly lastId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

interface StreamConnection {
  readonly synthetic: boolean;
  /** Its frames as they come, none for a heartbeat; returns why there are no more. */
  frames(): AsyncGenerator<readonly Frame[], string>;
  readonly lastId: string | undefined;
  readonly retry: number | undefined;
  /** Gives the socket back. */
  close(): void;
}

/** Milliseconds until a connection must have begun. */
const OPENING = 30_000;
/** Bytes of an error's body. */
const ERROR_BODY = 65_536;

/**
 * Follows a stream, reconnecting after the last event, until the service ends it (204). Reads only on demand. Throws
 * errors that no retry can fix.
 */
export async function* followStream(parts: FollowParts, ask: FollowStreamOptions): AsyncGenerator<StreamMessage, void> {
  const { wire, clock, random } = parts;
  const { endpoint, args, signal } = ask;
  if (!wire.hasKey && needsKey(endpoint.access, args)) throw wire.keyMissing(endpoint, String(args.currencies ?? ''));
  const target = targetOf(endpoint, args);
  const watchdog = ask.watchdog ?? createIdleWatchdog(clock);
  const line: ConnectionParts = { wire, clock, watchdog, heartbeat: createHeartbeat() };
  const state: ReconnectState = { lastId: ask.lastEventId, retry: USUAL_RETRY, failures: 0, wasOpen: false };
  for (;;) {
    const opened = await tryToOpen(line, { target, lastId: state.lastId, signal });
    if (opened === undefined) return;
    const failed = opened instanceof MacroError ? opened : undefined;
    const reason = opened instanceof MacroError ? phraseOf(opened) : yield* tell(opened, state, clock);
    if (failed) noteFailure(failed, state);
    const { retry, failures } = state;
    const retryAfter = Math.min((failed?.retryAfter ?? 0) * 1000, LONGEST_ASKED);
    const pause = pauseBefore({
      failures: Math.max(0, failures - 1),
      first: retry,
      retryAfter,
      random: random.number(),
    });
    yield { kind: 'lost', reason, pause };
    await watchdog.pause(pause, signal);
  }
}

/** Its sentence as a part of another one. */
function phraseOf({ message }: MacroError): string {
  return message.replace(/\.$/, '');
}

/** If a service was never reached, its address is probably wrong. */
function noteFailure(error: MacroError, state: ReconnectState): void {
  state.failures += 1;
  if (!state.wasOpen && state.failures >= FIRST_TRIES) throw error;
}

/** Tells what one connection brings; returns why it brings no more. */
async function* tell(
  connection: StreamConnection,
  state: ReconnectState,
  clock: Pick<Platform['clock'], 'now'>,
): AsyncGenerator<StreamMessage, string> {
  const begun = clock.now();
  let reported = 0;
  state.wasOpen = true;
  try {
    yield { kind: 'open' };
    const frames = connection.frames();
    for (;;) {
      const step = await frames.next();
      state.lastId = connection.lastId ?? state.lastId;
      state.retry = connection.retry ?? state.retry;
      if (step.done) {
        const isGood = reported > 0 || clock.now() - begun >= GOOD_AFTER;
        state.failures = isGood ? 0 : state.failures + 1;
        return step.value;
      }
      if (step.value.length === 0) yield { kind: 'beat' };
      for (const frame of step.value) {
        const messages = messagesOf(frame, connection.synthetic);
        if (messages === undefined) continue;
        reported += 1;
        // Nothing can be replayed behind an id that the service does not know: asking again would tell the same.
        if (messages.kind === 'gap' && messages.reason !== 'slow_consumer') state.lastId = undefined;
        yield messages;
      }
    }
  } finally {
    connection.close();
  }
}

/** A connection, a failure that may pass, or nothing when there is no more to come. */
async function tryToOpen(
  parts: ConnectionParts,
  ask: Parameters<typeof openConnection>[1],
): Promise<StreamConnection | MacroError | undefined> {
  try {
    return await openConnection(parts, ask);
  } catch (error) {
    if (error instanceof MacroError && mayPass(error)) return error;
    throw error;
  }
}

function mayPass(error: MacroError): boolean {
  const { kind, status, retryAfter } = error;
  if (status !== undefined) return PASSING.has(status) || status >= 500;
  if (kind === 'quota') return retryAfter !== undefined;
  return isUnanswered(error);
}

/** Opens one connection; undefined when nothing more comes (204). @throws MacroError of kind `upstream`. */
async function openConnection(parts: ConnectionParts, ask: ConnectionAsk): Promise<StreamConnection | undefined> {
  const { wire, watchdog } = parts;
  const stop = new AbortController();
  const signal = ask.signal ? AbortSignal.any([ask.signal, stop.signal]) : stop.signal;
  try {
    const opening = wire.open({ target: ask.target, lastEventId: ask.lastId, signal });
    const opened = await watchdog.over(opening, OPENING, ask.signal);
    if ('lost' in opened)
      throw new MacroError('upstream', `The stream did not begin: ${opened.lost}.`, { code: 'timeout' });
    watchdog.heard();
    const response = opened.done;
    if (response.status === 204) {
      stop.abort();
      return undefined;
    }
    await refuseOther(parts, ask.target, response);
    return connectionOf(parts, { ...ask, response, stop });
  } catch (error) {
    stop.abort();
    throw error;
  }
}

/** Answers that are no stream, and why. */
async function refuseOther({ wire }: ConnectionParts, target: string, response: Response): Promise<void> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (status === 200 && /^\s*text\/event-stream\s*(;|$)/i.test(type)) return;
  if (status !== 200) {
    const text = await readText(response, ERROR_BODY).catch(() => '');
    throw wire.refusal({ status, headers, text }, target);
  }
  throw new MacroError('protocol', `${wire.service} answered with something that is no event stream.`, {
    code: 'not_a_stream',
    hint: 'Check the address of the stream (MACRO_STREAM_URL, --base-url).',
  });
}

function connectionOf(
  { wire, clock, watchdog, heartbeat }: ConnectionParts,
  { response, stop, signal }: ConnectionAsk & { response: Response; stop: AbortController },
): StreamConnection {
  const reader = createFrameReader();
  const bytes = response.body?.getReader();

  async function* frames(): AsyncGenerator<readonly Frame[], string> {
    heartbeat.begin();
    for (;;) {
      // Silence counts from here: nobody listened before.
      const read = await watchdog.over(next(), heartbeat.limit, signal);
      if ('lost' in read) {
        heartbeat.forget();
        return read.lost;
      }
      if ('ended' in read.done) return read.done.ended;
      watchdog.heard();
      const before = reader.comments;
      const found = reader.read(read.done.bytes).map((frame) => ({ ...frame, data: wire.erase(frame.data) }));
      const isBeat = reader.comments > before;
      if (isBeat) heartbeat.beat(clock.now());
      if (isBeat || found.length > 0) yield found;
    }
  }

  async function next(): Promise<{ readonly bytes: Uint8Array } | { readonly ended: string }> {
    try {
      const step = await bytes?.read();
      return !step || step.done ? { ended: 'the stream ended' } : { bytes: step.value };
    } catch {
      signal?.throwIfAborted();
      return { ended: 'the connection broke' };
    }
  }

  return {
    synthetic: response.headers.get(`${wire.headerPrefix}-Synthetic`)?.trim() === '1',
    frames,
    get lastId() {
      return reader.lastId;
    },
    get retry() {
      return reader.retry;
    },
    close: () => stop.abort(),
  };
}
