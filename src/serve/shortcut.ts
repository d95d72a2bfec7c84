import type { IncomingHttpHeaders } from 'node:http';
import { processMemory } from '../contract/memory-budget.ts';
import type { Peer, Shortcut } from '../platform/shortcut/shortcut.ts';
import { createByteCache } from '../source/memory/byte-cache.ts';
import { keyOfRequest, type RequestContext } from './access/callers.ts';
import type { HostRule } from './access/hosts.ts';
import type { FaultEngine } from './faults/fault-engine.ts';
import { answerAgain } from './reply/again.ts';
import { answerUnrouted } from './reply/answer.ts';
import { peerOutlet } from './reply/outlet.ts';
import { type AskedRequest, openExchange } from './request.ts';
import type { ServeState } from './state.ts';

export interface ShortcutParts {
  readonly isOurs: HostRule;
  /** A server that stops tells its peers by the ordinary way. */
  readonly isClosing: () => boolean;
  readonly faults: Pick<FaultEngine, 'leaves'> | undefined;
}

/** What the headers of earlier requests say, where all later ones in the same spelling are meant. */
interface KnownHead {
  /** Those that an answer from memory looks at. */
  readonly headers: IncomingHttpHeaders;
  readonly key: string | undefined;
  /**
   * Whose key it is, once that was judged: keys do not change while a server runs. Without a key it is the address, unless
   * everybody is the owner.
   */
  context: RequestContext | undefined;
}

/** What a head takes in memory besides its texts. */
const HEAD_BYTES = 600;

/**
 * Makes the way around router and parser, for questions whose headers came in the same spelling before and that are answered
 * from memory or whose path came before. Host and key are judged once for each spelling. What is refused goes the ordinary way.
 */
export function createShortcut(serve: ServeState, { isOurs, isClosing, faults }: ShortcutParts): Shortcut {
  const heads = createByteCache<KnownHead>(processMemory);
  return {
    method: 'GET',
    learn({ rest }, { headers }) {
      // What is kept is a text of its own, not a part of a longer one.
      const name = Buffer.from(rest, 'latin1').toString('latin1');
      if (heads.get(name) || !isOurs(headers.host ?? '') || faults?.leaves(headers) === false) return;
      const { 'accept-encoding': coding, 'if-none-match': held } = headers;
      const read = {
        ...(coding !== undefined && { 'accept-encoding': coding }),
        ...(held !== undefined && { 'if-none-match': held }),
      };
      heads.put(
        name,
        { headers: read, key: keyOfRequest(headers, undefined), context: undefined },
        HEAD_BYTES + rest.length * 2,
      );
    },
    take({ url, rest }, peer) {
      const head = isClosing() ? undefined : heads.get(rest);
      // A key in the address is deprecated, which the answer says.
      if (!head || url.includes('api_key') || faults?.leaves(head.headers) === false) return false;
      const { key, context, headers } = head;
      if (context && answerAgain(serve, { url, headers, context }, peer)) return true;
      // An encoded address may hold a key.
      const path = url.includes('%') ? undefined : serve.paths.find(url);
      const request = new KnownRequest(serve, { headers, params: path?.params ?? {} }, peer);
      const outlet = peerOutlet(peer);
      const served = openExchange(serve, { request, outlet, url, queryKey: undefined, key, reads: true });
      if (context) served.context = context;
      const isAnswered = answerUnrouted(served, path?.route, peer.defer);
      if (key !== undefined || served.context?.class === 'owner') head.context = served.context;
      return isAnswered;
    },
  };
}

/** A request whose headers, and mostly its path, are like those of an earlier one. */
class KnownRequest implements AskedRequest {
  readonly method = 'GET';
  readonly body = undefined;
  readonly params: AskedRequest['params'];
  readonly headers: IncomingHttpHeaders;
  readonly #serve: ServeState;
  readonly #peer: Peer;
  #id: string | undefined;

  constructor(serve: ServeState, { headers, params }: Pick<AskedRequest, 'headers' | 'params'>, peer: Peer) {
    this.#serve = serve;
    this.headers = headers;
    this.params = params;
    this.#peer = peer;
  }

  /** Only an answer uses up a name. */
  get id(): string {
    this.#id ??= this.#serve.nameRequest();
    return this.#id;
  }

  get ip(): string {
    return this.#peer.address ?? '';
  }
}
