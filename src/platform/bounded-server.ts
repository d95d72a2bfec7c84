import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Connection, type ConnectionBounds, createConnections, type Served } from './connections.ts';
import type { Clock } from './platform.ts';
import { type BrokenRequest, refusalText } from './refusal-text.ts';

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
  const { bounds, clock, refusalHeaders = [] } = parts;
  const connections = createConnections(bounds);

  function take(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.of(request.socket);
    if (!connection || connection.refusal !== undefined) return;
    connection.last = { request, response };
    connection.queue.push(connection.last);
    if (connection.queue.length > bounds.pipelined) connections.cut(connection);
    else if (connection.queue.length === 1) goOn(connection);
  }

  function goOn(connection: Connection): void {
    const { socket, queue, refusal } = connection;
    const [first] = queue;
    if (!socket.writable) return;
    if (!first) {
      if (refusal !== undefined) end(connection, refusal);
      return;
    }
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
  server.setTimeout(bounds.silence);
  server.on('connection', (socket) => {
    if (connections.open(socket)) parseInSlices(socket);
    else socket.destroy();
  });
  server.on('clientError', refuse);
  return server;
}

/**
 * Hands what a connection sends to the parser in pieces, and nothing more once the connection is cut: one packet has room
 * for thousands of requests, and the parser makes objects for all of what it is given. While the parser waits for the peer
 * to read (the socket is paused), the rest waits too.
 */
function parseInSlices(socket: Socket): void {
  // The server's own listener stands there already. Without it the socket no longer feeds the parser by itself.
  const parse = socket.listeners('data');
  socket.removeAllListeners('data');
  let waiting: Buffer | undefined;
  const feed = (bytes: Buffer): void => {
    let at = 0;
    for (; at < bytes.length && !socket.destroyed && !socket.isPaused(); at += SLICE) {
      // Most of what comes is one short request.
      const slice = bytes.length <= SLICE ? bytes : bytes.subarray(at, at + SLICE);
      for (const listener of parse) listener.call(socket, slice);
    }
    waiting = at < bytes.length && !socket.destroyed ? bytes.subarray(at) : undefined;
  };
  socket.on('data', feed);
  socket.on('resume', () => {
    const rest = waiting;
    waiting = undefined;
    if (rest) feed(rest);
  });
}
