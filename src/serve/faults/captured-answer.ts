// Takes the answer of a handler before it reaches the socket.
import type { ServerResponse } from 'node:http';
import type { HeaderList } from '../reply/header-list.ts';

/** An answer that was made and not sent yet. */
export interface CapturedAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** Receives the text written to a stream of events, in place of the socket. */
export interface StreamSink {
  /** False when the writer should wait for `drain`. */
  write(text: string): boolean;
  end(text: string): void;
}

interface AnswerTakers {
  /** The whole answer; nothing of it is sent. */
  answer(answer: CapturedAnswer): void;
  /** A stream began; its headers are not sent yet. */
  stream(head: Omit<CapturedAnswer, 'body'>): StreamSink;
}

/** Diverts the output of a response from its socket to the takers, which get the response in its earlier state. */
export function captureAnswer(response: ServerResponse, takers: AnswerTakers): void {
  let head: Omit<CapturedAnswer, 'body'> = { status: 200, headers: [] };
  let sink: StreamSink | undefined;
  const chunks: Buffer[] = [];
  const { writeHead, write, end } = response;
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    writeHead(status: number, headers: unknown) {
      head = { status, headers: listOf(headers) };
      const isStream = headerIn(head.headers, 'content-type')?.startsWith('text/event-stream') === true;
      if (isStream && response.req.method !== 'HEAD') {
        Object.assign(response, { writeHead });
        sink = takers.stream(head);
      }
      return response;
    },
    write(chunk: unknown) {
      if (sink) return sink.write(String(chunk));
      keep(chunk);
      return true;
    },
    end(chunk?: unknown) {
      if (sink) {
        Object.assign(response, { write, end });
        sink.end(typeof chunk === 'string' ? chunk : '');
        return response;
      }
      keep(chunk);
      Object.assign(response, { writeHead, write, end });
      takers.answer({ ...head, body: Buffer.concat(chunks) });
      return response;
    },
  });
}

/** The first value of a header in a list; its name is in lower case. */
export function headerIn(list: Readonly<HeaderList>, name: string): string | undefined {
  const at = list.findIndex((word, index) => index % 2 === 0 && word.toLowerCase() === name);
  return at < 0 ? undefined : list[at + 1];
}

/** The list with one value for a header, or without the header. */
export function withHeader(list: Readonly<HeaderList>, name: string, value: string | undefined): HeaderList {
  const kept = list.filter((_word, index) => list[index - (index % 2)]?.toLowerCase() !== name.toLowerCase());
  return value === undefined ? kept : [...kept, name, value];
}

function listOf(headers: unknown): HeaderList {
  if (Array.isArray(headers)) return headers.map(String);
  if (typeof headers !== 'object' || headers === null) return [];
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}
