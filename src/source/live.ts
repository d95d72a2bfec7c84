import type { Client } from '../client/client.ts';
import { unmetDemand } from '../contract/endpoint.ts';
import { servicePartial } from '../coverage/partial-answer.ts';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import { isKept, keepingNotes } from './kept/keeping.ts';
import { raiseDoubts } from './kept/raise-doubts.ts';
import { commitOfAnswer, cutReceived, type ReceivedAnswer } from './kept/write-through.ts';
import { type AskContext, type Question, type Reply, resolveAlias, type Source } from './source.ts';

export interface LiveSourceOptions {
  readonly client: Client;
  /** Takes what of an answer can be kept; without one, nothing is kept. */
  readonly mirror?: Mirror;
  /** Told why an answer could not be written, which is then passed on all the same; without it such an answer is an error. */
  readonly onUnwritten?: (error: MacroError) => void;
}

/** The service as a source. What it answers is written into the mirror on the way. */
export function createLiveSource({ client, mirror, onUnwritten }: LiveSourceOptions): Source {
  async function write(into: Mirror, received: ReceivedAnswer): Promise<void> {
    try {
      const cut = cutReceived(received);
      const commit = commitOfAnswer(received, cut);
      await into.commitPage(commit);
      await raiseDoubts(into, received, { commit, envelope: cut.envelope });
    } catch (error) {
      if (!onUnwritten || !(error instanceof MacroError) || isForeign(error)) throw error;
      onUnwritten(error);
    }
  }

  return {
    async ask(question: Question, context: AskContext): Promise<Reply> {
      const { endpoint, args, extra } = question;
      const { now, signal, ifNoneMatch } = context;
      const unmet = unmetDemand(endpoint, args);
      if (unmet) throw unmet;
      const reply = await client.ask({
        endpoint,
        args,
        ...(extra && { extra }),
        ...(signal && { signal }),
        ...(ifNoneMatch !== undefined && { ifNoneMatch }),
      });
      const kept = resolveAlias(question);
      if (mirror && reply.status === 200 && isKept(kept)) {
        const received = { ...kept, reply, service: client.service, access: client.access, at: now };
        await write(mirror, received);
      }
      return {
        status: reply.status,
        body: reply.body,
        ...(reply.etag !== undefined && !reply.partial && { etag: reply.etag }),
        from: 'live',
        asOf: now,
        synthetic: reply.synthetic,
        ...(reply.partial && { partial: servicePartial(reply.partial) }),
        notes: [...reply.notes, ...(mirror ? keepingNotes(kept, context.caller) : [])],
      };
    },
  };
}

/** True where a mirror refused what is not of its service, or not of its kind. */
export function isForeign({ code }: MacroError): boolean {
  return code === 'mirror_nature' || code === 'mirror_service';
}
