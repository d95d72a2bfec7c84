import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from './platform.ts';

/** The limits of peers of a server. Times are milliseconds. */
export interface ServerBounds {
  readonly connections: number;
  /** Bytes of complete answers that no peer has taken, of all connections together. */
  readonly unreadBytes: number;
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
 * Makes an HTTP server whose memory no peer decides: one answer at a time waits for its peer, and errors end a
 * connection.
 */
export function createBoundedServer(handler: RequestListener, parts: BoundedServerParts): Server {
  const { bounds, clock, refusalHeaders = [] } = parts;
  const connections = createConnections(bounds);

  function take(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.of(request.socket);
    if (!connection || connection.refusal !== undefined) return;
    const served = { request, response };
    connection.last = served;
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

  /** Input of the peer is read for a while: a connection that is cut at once loses its answer. */
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
    if (connections.open(socket)) parseInSlices(socket);
    else socket.destroy();
  });
  server.on('clientError', refuse);
  return server;
}

/**
 * Gives the parser slices, and none while its peer does not read or after the connection is cut: a packet may contain
 * thousands of requests.
 */
function parseInSlices(socket: Socket): void {
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
  socket.on('data', parse);
  socket.on('resume', () => {
    const rest = waiting;
    waiting = undefined;
    if (rest) parse(rest);
  });
}

/** One request and the answer to it. */
interface Served {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The facts of a server about one connection. */
interface Connection {
  readonly socket: Socket;
  /** Requests without a whole answer, in their order. Only the first one is being answered. */
  readonly queue: Served[];
  /** The request that the parser read last. */
  last: Served | undefined;
  /** Bytes of the last answer that the peer had not taken when it was complete. */
  unread: number;
  /** Sent instead of any further answer; an empty one only ends the connection. */
  refusal: string | undefined;
  /** Number of the event since which the server waits for the peer, if it is the peer's turn. */
  since: number;
}

interface Connections {
  /** Undefined when there is no room, and no peer that makes any. */
  open(socket: Socket): Connection | undefined;
  of(socket: Socket): Connection | undefined;
  /** From now on the server waits for this peer. */
  waitFor(connection: Connection): void;
  /** The answer is complete: what the peer has not taken yet counts until `settle`. */
  owe(connection: Connection): void;
  settle(connection: Connection): void;
  /** True when no complete answer has bytes that its peer has not taken. */
  isSettled(): boolean;
  cut(connection: Connection): void;
}

/** Connections with limits: above the max number or unread bytes, the peer with the oldest wait is cut. */
function createConnections(bounds: Pick<ServerBounds, 'connections' | 'unreadBytes'>): Connections {
  const all = new Map<Socket, Connection>();
  let events = 0;
  let unread = 0;

  function waitFor(connection: Connection): void {
    events += 1;
    connection.since = events;
  }

  function settle(connection: Connection): void {
    unread -= connection.unread;
    connection.unread = 0;
  }

  function forget(connection: Connection): void {
    all.delete(connection.socket);
    settle(connection);
  }

  function cut(connection: Connection): void {
    forget(connection);
    connection.socket.destroy();
  }

  function longestAwaited(among: (connection: Connection) => boolean): Connection | undefined {
    let longest: Connection | undefined;
    for (const one of all.values())
      if (isPeersTurn(one) && among(one) && (!longest || one.since < longest.since)) longest = one;
    return longest;
  }

  return {
    open(socket) {
      if (all.size >= bounds.connections) {
        const longest = longestAwaited(() => true);
        if (!longest) return undefined;
        cut(longest);
      }
      const connection: Connection = {
        socket,
        queue: [],
        last: undefined,
        unread: 0,
        refusal: undefined,
        since: 0,
      };
      waitFor(connection);
      all.set(socket, connection);
      socket.once('close', () => forget(connection));
      return connection;
    },
    of: (socket) => all.get(socket),
    waitFor,
    owe(connection) {
      waitFor(connection);
      connection.unread = connection.socket.writableLength;
      unread += connection.unread;
      // One answer may be larger than the bound: its own reader is not cut.
      while (unread > bounds.unreadBytes) {
        const longest = longestAwaited((one) => one.unread > 0 && one !== connection);
        if (!longest) return;
        cut(longest);
      }
    },
    settle,
    isSettled: () => unread === 0,
    cut,
  };
}

function isPeersTurn({ queue: [first] }: Connection): boolean {
  return first === undefined || !first.request.complete || first.response.writableEnded;
}

/** Why a request could not be read, as Node's parser and timers name it. */
interface BrokenRequest {
  readonly code?: string;
}

const ANSWERS: Readonly<Record<string, readonly [string, string, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'header_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'The request took too long to arrive.'],
};
const MALFORMED = ['400 Bad Request', 'invalid_request', 'The request is not HTTP.'] as const;

/** The whole answer to bytes that are no HTTP request, or to a request that is too large or too slow. */
function refusalText(error: BrokenRequest, headers: readonly string[]): string {
  const [status, code, detail] = ANSWERS[error.code ?? ''] ?? MALFORMED;
  const body = JSON.stringify({ detail, code, error: code });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...headers,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
