import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, type ConnectionBounds, createConnections, type Served } from './connections.ts';
import type { Clock } from './platform.ts';
import { type BrokenRequest, refusalText } from './refusal-text.ts';
import { createAnswerWriter } from './shortcut/answer-bytes.ts';
import { type Feed, type Shortcut, takeShortcuts } from './shortcut/shortcut.ts';

/** What peers may do to a server. Times are milliseconds. */
export interface ServerBounds extends ConnectionBounds {
  readonly headerBytes: number;
  /** Requests of one connection that may wait for their answers. */
  readonly pipelined: number;
  /** For the headers, and for the whole of a request, to arrive. */
  readonly headersTime: number;
  readonly requestTime: number;
  /** Between two requests of a connection. */
  readonly idle: number;
  /** For which a connection may be silent in both directions. */
  readonly silence: number;
}

export interface BoundedServerParts {
  readonly bounds: ServerBounds;
  readonly clock: Pick<Clock, 'sleep'>;
  /** More headers for the answer to a request that cannot be read. */
  readonly refusalHeaders?: readonly string[];
  /** Answers before the parser; none when left out. */
  readonly shortcut?: Shortcut | undefined;
}

/** Bytes that are parsed before anybody looks whether the connection still counts. */
const SLICE = 2_048;
/** Milliseconds that a refused peer has to read why. */
const LINGER = 1_000;
/** Milliseconds between two looks for requests that take too long. */
const CHECK = 1_000;

/**
 * Makes an HTTP server whose memory no peer decides. Walk of a connection: its requests are answered one after the other, so
 * that one answer at a time waits for the peer; too many that wait end it; a request that cannot be read is refused after the
 * answers that are owed, and once only; then the connection ends whether or not the peer ends it.
 */
export function createBoundedServer(handler: RequestListener, parts: BoundedServerParts): Server {
  const { bounds, clock, refusalHeaders = [], shortcut } = parts;
  const connections = createConnections(bounds);
  const writer = createAnswerWriter();

  function take(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.of(request.socket);
    if (!connection || connection.refusal !== undefined) return;
    const served = { request, response };
    connection.last = served;
    connection.requests += 1;
    connection.queue.push(served);
    if (connection.queue.length > bounds.pipelined) connections.cut(connection);
    else if (connection.queue.length === 1) goOn(connection);
  }

  function goOn(connection: Connection): void {
    if (isEnding) endIdle();
    const { socket, queue, refusal } = connection;
    const [first] = queue;
    if (!socket.writable) return;
    if (!first) {
      if (refusal !== undefined) end(connection, refusal);
      return;
    }
    if (first === 'deferred' || first === 'sent') return;
    const { request, response } = first;
    connections.waitFor(connection);
    response.once('prefinish', () => connections.owe(connection));
    response.once('close', () => {
      connections.settle(connection);
      connections.waitFor(connection);
      drop(connection, first);
      goOn(connection);
    });
    handler(request, response);
  }

  function drop({ queue }: Connection, served: Served): void {
    const at = queue.indexOf(served);
    if (at >= 0) queue.splice(at, 1);
  }

  function refuse(error: BrokenRequest, socket: Socket): void {
    const connection = connections.of(socket);
    if (!connection || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    if (connection.refusal !== undefined) return;
    const { last } = connection;
    const broken = last && !last.request.complete ? last : undefined;
    const isAnswered = broken?.response.headersSent === true;
    connection.refusal = isAnswered ? '' : refusalText(error, refusalHeaders);
    if (broken) drop(connection, broken);
    if (connection.queue.length === 0) end(connection, connection.refusal);
  }

  /** What the peer still sends is read for a while: a connection that is cut at once loses what it was told. */
  function end({ socket }: Connection, text: string): void {
    const closed = new AbortController();
    socket.once('close', () => closed.abort());
    socket.end(text);
    clock.sleep(LINGER, closed.signal).then(
      () => socket.destroy(),
      () => undefined,
    );
  }

  let isEnding = false;

  /** To Node a connection is idle once its answer is complete, and would be cut while its peer still takes that. */
  function endIdle(): void {
    isEnding = true;
    if (connections.isSettled()) closeIdle();
  }

  const server = createServer(
    {
      maxHeaderSize: bounds.headerBytes,
      headersTimeout: bounds.headersTime,
      requestTimeout: bounds.requestTime,
      keepAliveTimeout: bounds.idle,
      connectionsCheckingInterval: CHECK,
    },
    take,
  );
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = endIdle;
  server.setTimeout(bounds.silence);
  server.on('connection', (socket) => {
    const connection = connections.open(socket);
    if (!connection) return void socket.destroy();
    const { idle, silence } = bounds;
    const feed = shortcut && takeShortcuts(connection, shortcut, { connections, writer, idle, silence, goOn });
    parseInSlices(socket, feed);
  });
  server.on('clientError', refuse);
  return server;
}

/**
 * Hands what a connection sends to the parser in pieces, and nothing more once the connection is cut: one packet has room
 * for thousands of requests, and the parser makes objects for all of what it is given. While the parser waits for the peer
 * to read (the socket is paused), the rest waits too.
 */
function parseInSlices(socket: Socket, feed: Feed = (bytes, parse) => parse(bytes)): void {
  // The server's own listener stands there already. Without it the socket no longer feeds the parser by itself.
  const listeners = socket.listeners('data');
  socket.removeAllListeners('data');
  let waiting: Buffer | undefined;
  const parse = (bytes: Buffer): void => {
    let at = 0;
    for (; at < bytes.length && !socket.destroyed && !socket.isPaused(); at += SLICE) {
      // Most of what comes is one short request.
      const slice = bytes.length <= SLICE ? bytes : bytes.subarray(at, at + SLICE);
      for (const listener of listeners) listener.call(socket, slice);
    }
    waiting = at < bytes.length && !socket.destroyed ? bytes.subarray(at) : undefined;
  };
  socket.on('data', (bytes: Buffer) => feed(bytes, parse));
  socket.on('resume', () => {
    const rest = waiting;
    waiting = undefined;
    if (rest) parse(rest);
  });
}
