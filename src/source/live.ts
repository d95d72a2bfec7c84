import type { Client } from '../client/client.ts';
import { unmetDemand } from '../contract/endpoint.ts';
import { servicePartial } from '../coverage/partial-answer.ts';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import { type AskContext, type Question, type Reply, resolveAlias, type Source } from './source.ts';
import { commitOfAnswer, cutReceived, type ReceivedAnswer } from './stored/answer-commit.ts';
import { raiseDoubts } from './stored/raise-doubts.ts';
import { isAnswerStored, notStoredNotes } from './stored/stored-part.ts';

export interface LiveSourceOptions {
  readonly client: Client;
  /** Stores answers; a function opens it at the first answer that can be stored. Without one, nothing is stored. */
  readonly mirror?: Mirror | OpenMirror | undefined;
  /** Called with the reason if an answer could not be written; the answer is passed on anyway. Without it such an answer is an error. */
  readonly onUnwritten?: (error: MacroError) => void;
}

/** Opens a mirror on demand: a question that fails makes no file. Undefined where it cannot be written. */
export type OpenMirror = () => Promise<Mirror | undefined>;

/** The service as a source. Its answers are also written to the mirror. */
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
      const into = reply.status === 200 && isAnswerStored(kept) ? await openedMirror(mirror) : undefined;
      if (into) await write(into, { ...kept, reply, service: client.service, access: client.access, at: now });
      return {
        status: reply.status,
        body: reply.body,
        ...(reply.etag !== undefined && !reply.partial && { etag: reply.etag }),
        from: 'live',
        asOf: now,
        synthetic: reply.synthetic,
        ...(reply.partial && { partial: servicePartial(reply.partial) }),
        notes: [...reply.notes, ...(mirror ? notStoredNotes(kept, context.caller) : [])],
      };
    },
  };
}

export function openedMirror(mirror: Mirror | OpenMirror | undefined): Promise<Mirror | undefined> {
  return Promise.resolve(typeof mirror === 'function' ? mirror() : mirror);
}

/** True if a mirror refused data of another service or of another kind. */
export function isForeign({ code }: MacroError): boolean {
  return code === 'mirror_nature' || code === 'mirror_service';
}
