import { createParser } from 'eventsource-parser';
import { MacroError } from '../../errors.ts';

/** One event of a stream, of whatever kind. */
export interface Frame {
  /** `message` where the stream does not say. */
  readonly type: string;
  readonly data: string;
}

/** Reads one connection's bytes. */
export interface FrameReader {
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

/**
 * Cuts bytes into frames as the HTML standard, section 9.2.6, tells: what is incomplete when the bytes end is no event. An id
 * counts once its block is complete, with data or without.
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
