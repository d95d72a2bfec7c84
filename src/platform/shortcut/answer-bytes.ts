import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** A body, whole or in pieces. */
export type Body = Uint8Array | string | readonly (Uint8Array | string)[];

export function lengthOfBody(body: Body): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  let length = 0;
  for (const piece of body) length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
  return length;
}

/** Headers of an answer: names and values in turn, or the lines of its head, each with its end. */
export type AnswerHeaders = readonly string[] | string;

/** What an answer is made of. */
export interface AnswerParts {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Lines of the connection, each with its end. */
  readonly connection: string;
  readonly body: Body;
}

/** Answers of this size at most are put together in one place, again and again. Larger ones are written as they lie. */
const PLACE_BYTES = 65_536;

/** Writes whole answers. */
export interface AnswerWriter {
  /** As Node's server writes them for the same headers. */
  write(socket: Socket, parts: AnswerParts): void;
}

export function createAnswerWriter(): AnswerWriter {
  let place: Buffer | undefined;
  return {
    write(socket, parts) {
      const { body } = parts;
      const head = headOf(parts);
      // A head alone is a text that the system takes as it is.
      if (body.length === 0) return void socket.write(head, 'latin1');
      const length = head.length + lengthOfBody(body);
      const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
      if (length > PLACE_BYTES) return writeAll(socket, head, pieces);
      place ??= Buffer.allocUnsafeSlow(PLACE_BYTES);
      let end = place.write(head, 'latin1');
      for (const piece of pieces) {
        if (typeof piece === 'string') end += place.write(piece, end);
        else {
          place.set(piece, end);
          end += piece.length;
        }
      }
      socket.write(place.subarray(0, length));
      // What the system has not taken stays where it is.
      if (socket.writableLength > 0) place = undefined;
    },
  };
}

function headOf({ status, headers, connection }: AnswerParts): string {
  const lines = typeof headers === 'string' ? headers : headerLines(headers);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${httpDate()}\r\n${connection}\r\n`;
}

/** The lines of headers, which are names and values in turn. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at + 1 < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}

function writeAll(socket: Socket, head: string, pieces: readonly (string | Uint8Array)[]): void {
  socket.cork();
  socket.write(head, 'latin1');
  for (const piece of pieces) socket.write(piece);
  socket.uncork();
}

let dated = { second: 0, text: '' };

function httpDate(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dated.second) dated = { second, text: new Date(second * 1_000).toUTCString() };
  return dated.text;
}
