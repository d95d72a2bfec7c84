import type { Fetch } from '../../src/platform/platform.ts';
import { settle } from './clock.ts';

/** One request for a stream, waiting for what the test answers. */
export interface StreamRequest {
  readonly url: string;
  readonly headers: Headers;
  /** Answers with a stream that is open. */
  open(text?: string, headers?: Readonly<Record<string, string>>): StreamLine;
  /** Answers with something whole. */
  answer(status: number, body?: string, headers?: Readonly<Record<string, string>>): void;
  fail(error: Error): void;
}

export interface StreamLine {
  send(text: string): void;
  end(): void;
  break(): void;
  /** The reader has let it go. */
  readonly isGone: boolean;
}

export interface StreamService {
  readonly fetch: Fetch;
  /** The next request that is not answered yet. */
  request(): Promise<StreamRequest>;
  /** How many there were. */
  readonly asked: number;
}

/** A service of streams that does nothing by itself: every request waits until the test answers it. */
export function streamService(): StreamService {
  const waiting: StreamRequest[] = [];
  let asked = 0;
  return {
    fetch: (url, init) =>
      new Promise<Response>((resolve, reject) => {
        asked += 1;
        const signal = init.signal ?? undefined;
        signal?.addEventListener('abort', () => reject(signal.reason));
        waiting.push(requestOf({ url, headers: new Headers(init.headers), signal }, resolve, reject));
      }),
    async request() {
      for (;;) {
        const request = waiting.shift();
        if (request) return request;
        await settle();
      }
    },
    get asked() {
      return asked;
    },
  };
}

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | undefined;
}

function requestOf(
  { url, headers, signal }: Sent,
  resolve: (response: Response) => void,
  reject: (error: Error) => void,
): StreamRequest {
  return {
    url,
    headers,
    fail: reject,
    answer: (status, body = '', told = {}) =>
      resolve(new Response(status === 204 || status === 205 ? null : body, { status, headers: { ...told } })),
    open(text = '', told = {}) {
      const { line, body } = lineOf(signal);
      resolve(new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8', ...told } }));
      if (text !== '') line.send(text);
      return line;
    },
  };
}

function lineOf(signal: AbortSignal | undefined): { line: StreamLine; body: ReadableStream<Uint8Array> } {
  let isGone = false;
  const end: { controller?: ReadableStreamDefaultController<Uint8Array> } = {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      end.controller = controller;
    },
    cancel() {
      isGone = true;
    },
  });
  signal?.addEventListener('abort', () => {
    if (!isGone) end.controller?.error(signal.reason);
    isGone = true;
  });
  const line: StreamLine = {
    send: (text) => end.controller?.enqueue(new TextEncoder().encode(text)),
    end: () => end.controller?.close(),
    break: () => end.controller?.error(new TypeError('terminated')),
    get isGone() {
      return isGone;
    },
  };
  return { line, body };
}
