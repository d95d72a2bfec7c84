import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, Connections } from '../connections.ts';
import type { AnswerHeaders, AnswerWriter, Body } from './answer-bytes.ts';
import { createDeferral, type Deferral } from './deferral.ts';
import {
  isPlainlyFramed,
  isWholeRequest,
  type PlainMethod,
  type PlainRequest,
  readPlainRequest,
} from './plain-request.ts';

/** Whoever asked, and the way back to them. */
export interface Peer {
  readonly address: string | undefined;
  /** The answer comes later. Nothing that the peer says meanwhile is parsed. */
  defer(): void;
  /**
   * Sends a whole answer, unless the peer has gone. Headers of the connection are added. True when the system took all of it
   * at once.
   */
  send(status: number, headers: AnswerHeaders, body: Body): boolean;
  /** Calls once the answer that is sent next, or is being taken, has been taken, or the peer is gone. */
  onceTaken(taken: () => void): void;
  /** Ends the connection in place of an answer. */
  cut(): void;
}

/**
 * Answers requests whose head came before, address and some plain values aside: then it is known what Node's parser makes of
 * it, and it is not parsed again.
 */
export interface Shortcut {
  /** Requests with any other verb are left to the parser. */
  readonly method: PlainMethod;
  /** Learns what the parser made of a request. */
  learn(plain: PlainRequest, request: IncomingMessage): void;
  /** Answers a request. False leaves it to the parser; then nothing has happened. */
  take(request: PlainRequest, peer: Peer): boolean;
}

interface ShortcutParts {
  readonly connections: Connections;
  /** Of all connections together. */
  readonly writer: AnswerWriter;
  /** Milliseconds that a connection may be idle, and silent while it is answered. */
  readonly idle: number;
  readonly silence: number;
  /** Starts the answer to what came meanwhile. */
  readonly goOn: (connection: Connection) => void;
}

/** Gives bytes of a connection to the parser, unless they are answered without it. */
export type Feed = (bytes: Buffer, parse: (bytes: Buffer) => void) => void;

/**
 * Stands before the parser of a connection. It steps in only between requests: the parser has read the one before to its end
 * and nothing more, and the answer to that has been taken. The first request of a connection is the parser's, whose timers then rest.
 */
export function takeShortcuts(connection: Connection, shortcut: Shortcut, parts: ShortcutParts): Feed {
  const { socket } = connection;
  const deferral = createDeferral(connection, parts.silence);
  const peer = createPeer(connection, deferral, parts);
  let isAtRest = false;
  const feed: Feed = (bytes, parse) => {
    if (deferral.hold(bytes, (late) => feed(late, parse))) return;
    const isFree = connection.queue.length === 0 && socket.writable && socket.writableLength === 0;
    const plain = isFree && connection.refusal === undefined ? readPlainRequest(bytes, shortcut.method) : undefined;
    if (plain && isAtRest && shortcut.take(plain, peer)) return;
    const wasAtRest = isAtRest;
    const before = connection.requests;
    parse(bytes);
    const request = connection.requests === before + 1 ? connection.last?.request : undefined;
    // One head came and one request was complete: its end is the end of what came.
    isAtRest = plain !== undefined && request !== undefined && isWholeRequest(plain, request);
    if (plain && request && isAtRest && wasAtRest && isSame(plain, request)) shortcut.learn(plain, request);
  };
  return feed;

  function isSame({ url }: PlainRequest, request: IncomingMessage): boolean {
    return request.method === shortcut.method && request.url === url && isPlainlyFramed(request);
  }
}

function createPeer(
  connection: Connection,
  deferral: Deferral,
  { connections, writer, idle, silence, goOn }: ShortcutParts,
): Peer {
  const { socket } = connection;
  const lines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(idle / 1_000)}\r\n`;
  let taken: (() => void) | undefined;
  const over = (): void => {
    const told = taken;
    taken = undefined;
    told?.();
  };
  return {
    get address() {
      return socket.remoteAddress;
    },
    onceTaken(callback) {
      taken = callback;
    },
    cut() {
      socket.destroy();
      over();
    },
    defer: deferral.begin,
    send(status, headers, body) {
      const wasDeferred = deferral.end();
      if (socket.writable) writer.write(socket, { status, headers, connection: lines, body });
      connections.waitFor(connection);
      // Nearly always the system takes all of it at once.
      const isTaken = socket.writableLength === 0;
      if (isTaken) over();
      else waitUntilTaken(socket);
      // Before the server looks for idle connections: one that was told more is not.
      deferral.release();
      if (wasDeferred && connection.queue.length === 0) goOn(connection);
      return isTaken;
    },
  };

  /** Meanwhile the connection is busy, as with any other answer. */
  function waitUntilTaken(slow: Socket): void {
    const { timeout } = slow;
    connection.queue.unshift('sent');
    connections.owe(connection);
    slow.setTimeout(silence);
    // Nothing more to send: it only tells when all before it is taken or given up.
    slow.write('', () => {
      connection.queue.shift();
      connections.settle(connection);
      connections.waitFor(connection);
      if (timeout !== undefined && connection.queue.length === 0) slow.setTimeout(timeout);
      over();
      goOn(connection);
    });
  }
}
