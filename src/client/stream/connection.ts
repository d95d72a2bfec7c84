import { MacroError } from '../../errors.ts';
import { readText } from '../http/body.ts';
import type { Wire } from '../http/wire.ts';
import { createFrameReader, type Frame } from './frames.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { IdleWatchdog } from './idle-watchdog.ts';

export interface ConnectionParts {
  readonly wire: Wire;
  readonly clock: { now(): number };
  readonly watchdog: IdleWatchdog;
  readonly heartbeat: Heartbeat;
}

export interface ConnectionAsk {
  readonly target: string;
  /** The last event that is already known. */
  readonly lastId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A stream that has begun. */
export interface StreamConnection {
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
 * Opens one connection. Undefined when the service says that there is nothing more to come (204). Whatever else is no stream
 * is a typed error: its status decides whether another try makes sense.
 * @throws MacroError of kind `upstream`.
 */
export async function openConnection(
  parts: ConnectionParts,
  ask: ConnectionAsk,
): Promise<StreamConnection | undefined> {
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

/** What is no stream, and why. */
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
