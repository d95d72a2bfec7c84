import { createParser } from 'eventsource-parser';
import { asJsonText, isJsonObject, type JsonObject, type JsonText, parseJson } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';

export type StreamMessage =
  /** A connection is open; events processed without one may be missing. */
  | { readonly kind: 'open' }
  /** A release, as a row of changes. */
  | { readonly kind: 'event'; readonly row: StreamRow; readonly synthetic: boolean }
  | { readonly kind: 'gap'; readonly reason: string }
  /** An event that cannot be read, so that it is missing. */
  | { readonly kind: 'unreadable'; readonly problem: string }
  /** A heartbeat: nothing is new, and the connection lives. */
  | { readonly kind: 'beat' }
  /** The connection is gone; milliseconds until the next one. */
  | { readonly kind: 'lost'; readonly reason: string; readonly pause: number };

interface StreamRow {
  readonly text: JsonText;
  readonly value: JsonObject;
}

/** One event of a stream, of whatever kind. */
export interface Frame {
  /** `message` where the stream does not say. */
  readonly type: string;
  readonly data: string;
}

/** Reads one connection's bytes. */
interface FrameReader {
  /** The frames that these bytes complete; throws `protocol` when one grows above the limit. */
  read(bytes: Uint8Array): readonly Frame[];
  /** The id that a later connection goes on from; undefined while none was given. */
  readonly lastId: string | undefined;
  /** Milliseconds before the next connection, when the stream said so. */
  readonly retry: number | undefined;
  /** How many comments came. */
  readonly comments: number;
}

/** Characters of one event. A full release has some thousand. */
const LARGEST = 1024 * 1024;

/** The content of a frame; undefined for a kind that is not known, which the interface lets us ignore. */
export function messagesOf({ type, data }: Frame, synthetic: boolean): StreamMessage | undefined {
  const value = parseJson(data);
  if (type === 'gap') return { kind: 'gap', reason: reasonOf(value) };
  if (type !== 'announcement' && type !== 'message') return undefined;
  const problem = problemOf(value);
  if (problem !== undefined || !isJsonObject(value))
    return { kind: 'unreadable', problem: problem ?? 'it is no object' };
  // A line break outside of a string is blank space, and none stands inside of one.
  return { kind: 'event', row: { text: asJsonText(data.replace(/[\r\n]+/g, ' ').trim()), value }, synthetic };
}

function reasonOf(value: unknown): string {
  const reason = isJsonObject(value) ? value.reason : undefined;
  return typeof reason === 'string' && /^\w{1,60}$/.test(reason) ? reason : 'unknown';
}

/** Why this is no row of changes. */
function problemOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'it is no JSON object';
  const lacking = ['event_id', 'currency', 'indicator'].find((name) => typeof value[name] !== 'string');
  if (lacking !== undefined) return `it has no ${lacking}`;
  return Number.isSafeInteger(value.timestamp) ? undefined : 'it has no timestamp in Unix seconds';
}

/**
 * Cuts bytes into frames (HTML standard, section 9.2.6). An id counts once its block is complete.
 * @throws MacroError of kind `protocol`.
 */
export function createFrameReader(): FrameReader {
  // The parser takes the byte order mark away; a decoder that does too would take a second one.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let frames: Frame[] = [];
  let lastId: string | undefined;
  let retry: number | undefined;
  let comments = 0;
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: LARGEST,
    onId: (id) => (lastId = id),
    onRetry: (ms) => (retry = ms),
    onComment: () => (comments += 1),
    onEvent: ({ event = 'message', data }) => frames.push({ type: event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLarge = true;
    },
  });
  return {
    read(bytes) {
      frames = [];
      parser.feed(decoder.decode(bytes, { stream: true }));
      if (isTooLarge) throw tooLarge();
      return frames;
    },
    get lastId() {
      return lastId;
    },
    get retry() {
      return retry;
    },
    get comments() {
      return comments;
    },
  };
}

function tooLarge(): MacroError {
  return new MacroError('protocol', 'The stream sent an event with more than a million characters.', {
    code: 'event_too_large',
    hint: 'Check the address of the stream (MACRO_STREAM_URL, --base-url).',
  });
}
