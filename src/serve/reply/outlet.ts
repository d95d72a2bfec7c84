import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Body, lengthOfBody } from '../../platform/shortcut/answer-bytes.ts';
import type { Peer } from '../../platform/shortcut/shortcut.ts';
import type { HeaderList } from './header-list.ts';

/** Where an answer goes. */
export type Outlet = Pick<Peer, 'onceTaken' | 'cut'> & {
  /** True once an answer was begun: there is no other one. */
  readonly isBegun: boolean;
  /** Sends a whole answer. */
  send(status: number, headers: HeaderList, body: Body): void;
};

/** Sends to a peer whose request the parser did not see. */
export function peerOutlet(peer: Peer): Outlet {
  return new PeerOutlet(peer);
}

/** A class, since a literal with a getter is made several times slower. */
class PeerOutlet implements Outlet {
  isBegun = false;
  readonly onceTaken: Outlet['onceTaken'];
  readonly cut: Outlet['cut'];
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.onceTaken = peer.onceTaken;
    this.cut = peer.cut;
    this.#peer = peer;
  }

  send(status: number, headers: HeaderList, body: Body): void {
    this.isBegun = true;
    this.#peer.send(status, headers, body);
  }
}

/** Sends by the response that Node made for a request. A HEAD gets the headers of the GET. */
export function responseOutlet({ method }: FastifyRequest, reply: FastifyReply): Outlet {
  const { raw } = reply;
  return {
    get isBegun() {
      return raw.headersSent;
    },
    send(status, headers, body) {
      reply.hijack();
      raw.writeHead(status, headers);
      if (method === 'HEAD' || lengthOfBody(body) === 0) raw.end();
      else if (typeof body === 'string' || body instanceof Uint8Array) raw.end(body);
      else {
        // The head waits for the last piece: all of them are one write.
        for (const piece of body) raw.write(piece);
        raw.end();
      }
    },
    // The answer is over with its last byte, or when its reader has gone.
    onceTaken: (taken) => void raw.once('close', taken),
    cut: () => void raw.destroy(),
  };
}
