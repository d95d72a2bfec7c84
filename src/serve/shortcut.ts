import type { IncomingHttpHeaders } from 'node:http';
import { processMemory } from '../contract/memory-budget.ts';
import type { Peer, Shortcut } from '../platform/shortcut/shortcut.ts';
import { createByteCache } from '../source/memory/byte-cache.ts';
import { keyOfRequest, type RequestContext } from './access/callers.ts';
import type { HostRule } from './access/hosts.ts';
import type { FaultEngine } from './faults/fault-engine.ts';
import { answerAtOnce } from './reply/answer.ts';
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
  /** Whose key it is, once that was judged: keys do not change while a server runs. Without a key it is the address. */
  context: RequestContext | undefined;
}

/** What a head takes in memory besides its texts. */
const HEAD_BYTES = 600;

/**
 * Makes the way around router and parser, for questions that came in the same spelling of headers before and are answered from
 * memory. Host and key are judged once for each spelling. What is refused, or has to be asked, goes the ordinary way.
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
      const { key } = head;
      const request = new KnownRequest(serve, head.headers, peer);
      const served = openExchange(serve, { request, outlet: peer, url, queryKey: undefined, key, reads: true });
      if (head.context) served.context = head.context;
      const isAnswered = answerAtOnce(served);
      if (key !== undefined) head.context = served.context;
      return isAnswered;
    },
  };
}

/** A request that is like an earlier one, and so has no arguments that the router read. */
class KnownRequest implements AskedRequest {
  readonly method = 'GET';
  readonly params = {};
  readonly headers: IncomingHttpHeaders;
  readonly #serve: ServeState;
  readonly #peer: Peer;
  #id: string | undefined;

  constructor(serve: ServeState, headers: IncomingHttpHeaders, peer: Peer) {
    this.#serve = serve;
    this.headers = headers;
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
