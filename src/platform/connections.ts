import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One request and the answer to it. */
export interface Served {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a server knows about one connection. */
export interface Connection {
  readonly socket: Socket;
  /**
   * Requests without a whole answer, in their order. Only the first one is being answered. Words stand for requests that the
   * parser did not see: `deferred` for one that is being answered, `sent` for a whole answer that the peer has not taken.
   */
  readonly queue: (Served | 'deferred' | 'sent')[];
  /** The request that the parser read last. */
  last: Served | undefined;
  /** How many the parser has read. */
  requests: number;
  /** Bytes of the last answer that the peer had not taken when it was complete. */
  unread: number;
  /** Sent instead of any further answer; an empty one only ends the connection. */
  refusal: string | undefined;
  /** Number of the event since which the server waits for the peer, if it is the peer's turn. */
  since: number;
}

export interface ConnectionBounds {
  /** Connections at a time. */
  readonly connections: number;
  /** Bytes of complete answers that no peer has taken, of all connections together. */
  readonly unreadBytes: number;
}

export interface Connections {
  /** Undefined when there is no room, and no peer that makes any. */
  open(socket: Socket): Connection | undefined;
  of(socket: Socket): Connection | undefined;
  /** From now on the server waits for this peer. */
  waitFor(connection: Connection): void;
  /** The answer is complete: what the peer has not taken yet counts until `settle`. */
  owe(connection: Connection): void;
  settle(connection: Connection): void;
  /** True when nothing is owed of which Node does not know: answers past the parser, and bytes of complete ones. */
  isSettled(): boolean;
  cut(connection: Connection): void;
}

/**
 * The connections of a server, in bounds. When there are too many, or too much is unread, the peer that the server has waited
 * for longest is cut: one that is idle, whose request is incomplete, or that does not read. Nobody is cut who waits for the server.
 */
export function createConnections(bounds: ConnectionBounds): Connections {
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
        requests: 0,
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
    isSettled: () => unread === 0 && !Array.from(all.values()).some(({ queue: [first] }) => first === 'deferred'),
    cut,
  };
}

function isPeersTurn({ queue: [first] }: Connection): boolean {
  if (first === undefined || first === 'sent') return true;
  if (first === 'deferred') return false;
  return !first.request.complete || first.response.writableEnded;
}
