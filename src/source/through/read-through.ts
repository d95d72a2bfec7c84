// A source that answers from the mirror what the mirror can prove, and asks the service for the rest.
import type { Caller } from '../../contract/hooks.ts';
import { MacroError, retold } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { AccessTag } from '../../mirror/api/series.ts';
import type { Clock } from '../../platform/platform.ts';
import { chooseSource } from '../choose.ts';
import { isKept } from '../kept/keeping.ts';
import { type AskContext, type Question, type Reply, resolveAlias, type Source } from '../source.ts';
import { refusesQuestion, serviceUnavailable, unlessAnother } from './failures.ts';
import { createPassedAnswers } from './passed-answers.ts';
import { lacksEdges } from './series-edges.ts';
import { createServiceAsks, nameOfQuestion } from './service-asks.ts';
import { createWindowWalk, LONGEST_WINDOW, type WalkPages } from './window-walk.ts';

export interface ReadThroughOptions {
  readonly mirror: { readonly mirror: Mirror; readonly source: Source };
  /** The service. What it answers is kept in that mirror. */
  readonly live: Source;
  /** The same, page by page. */
  readonly walk: WalkPages;
  /** The access under which it is asked. */
  readonly access: AccessTag;
  readonly clock: Pick<Clock, 'now'>;
  /** Why the service is not asked for this caller, as one sentence; undefined where it may be asked. */
  readonly refuses: (question: Question, caller: Caller) => string | undefined;
  /** Rows of the longest window that is brought whole; default 1,000. */
  readonly mostRows?: number | undefined;
  /** What the service could not confirm is refused instead of answered. */
  readonly strict: boolean;
  /** Ends the requests under way. */
  readonly signal?: AbortSignal;
  /** Told once why the service is left alone for a while. */
  readonly onFailure?: (error: MacroError) => void;
}

/**
 * Makes such a source. Walk: what is proven fresh and complete is answered; of base rows the window is brought until it is
 * proven; anything else is asked as it stands, kept and passed on as it came; where the service fails, what is held is
 * answered and says so. A caller without a key gets what the mirror shows without one, whatever the owner's key brought.
 */
export function createReadThrough(options: ReadThroughOptions): Source {
  const { mirror, live, walk, access, clock, refuses, strict, signal, onFailure } = options;
  const asks = createServiceAsks({ mirror: mirror.mirror, clock, onFailure });
  const passed = createPassedAnswers();
  const bringWindow = createWindowWalk(walk, asks, options.mostRows ?? LONGEST_WINDOW);

  /** The answer that the mirror proves; undefined where it cannot. */
  async function provenAnswer(question: Question, context: AskContext): Promise<Reply | undefined> {
    const isKeyless = context.caller.kind === 'keyless';
    const choice = { mode: 'auto', live, access: isKeyless ? 'keyless' : access, mirror } as const;
    const source = await chooseSource(choice, question, context);
    if (source === live) return undefined;
    const reply = await source.ask(question, context).catch(unlessAnother);
    return reply?.shortfall ? undefined : reply && { ...reply, cached: { is: 'hit' } };
  }

  /** What is held, which nobody could confirm. Where nothing is, the reason is the answer. */
  async function staleAnswer(question: Question, context: AskContext, given: Given): Promise<Reply> {
    if (given.error && strict) throw given.error;
    const reply = await mirror.source.ask(question, context).catch((error: unknown) => {
      unlessAnother(error);
      throw given.error ?? (error instanceof MacroError ? retold(error, given.why) : error);
    });
    return { ...reply, cached: { is: 'stale', why: given.why } };
  }

  async function askService(question: Question, context: AskContext, stored: Reply | undefined): Promise<Reply> {
    const asking = { caller: SERVER, now: context.now, ...(signal && { signal }) };
    const { ifNoneMatch: _, ...whole } = context;
    const read = (part: Question) => provenAnswer(part, whole);
    // What another program keeps from being written is passed on as it stands.
    const bring = () => bringWindow(question, asking, read).catch(unlessOf('mirror'));
    let brought = await bring();
    let proven = brought && (await provenAnswer(question, context));
    // Rows that another question brought meanwhile take from an answer what it was captured with.
    if (proven && lacksEdges(question, proven)) {
      brought = (await bring()) ?? brought;
      proven = await provenAnswer(question, context);
    }
    if (proven && brought) return { ...proven, cached: brought };
    if (stored) return stored;
    const isKeyless = context.caller.kind === 'keyless';
    const { done, cached } = await asks.once(nameOfQuestion(question), async () => {
      const reply = await live.ask(question, asking);
      await asks.refuseOtherKind(reply);
      passed.put(question, reply, context.now);
      return reply;
    });
    return { ...(isKeyless ? await mirror.source.ask(question, context) : done), cached };
  }

  return {
    async ask(question, askContext) {
      const { caller } = askContext;
      // What the clock says, and what speaks of the running server.
      if (question.endpoint.local) return mirror.source.ask(question, askContext);
      const context = caller.kind === 'owner' ? { ...askContext, hasKey: true } : askContext;
      const proven = await provenAnswer(question, context);
      if (proven && !lacksEdges(question, proven)) return proven;
      const repeat = caller.kind === 'keyless' ? undefined : passed.find(question, context.now);
      if (repeat) return { ...repeat, cached: { is: 'hit' } };
      const why = refuses(question, caller) ?? (isForThem(question, caller) ? undefined : KEYLESS_ONLY);
      if (why !== undefined) return proven ?? staleAnswer(question, context, { why });
      try {
        return await askService(question, context, proven);
      } catch (error) {
        if (proven && error instanceof MacroError) return proven;
        if (!(error instanceof MacroError) || error.kind === 'mirror' || refusesQuestion(error)) throw error;
        return staleAnswer(question, context, { why: error.message, error: serviceUnavailable(error) });
      }
    },
  };
}

/** Leaves errors of a kind out. */
function unlessOf(kind: MacroError['kind']): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof MacroError && error.kind === kind) return undefined;
    throw error;
  };
}

/** Nobody reads notes here that are for a person at a terminal. */
const SERVER = { kind: 'keyed', plan: '' } as const;

interface Given {
  readonly why: string;
  /** What is answered where nothing is held, or where only what is confirmed is answered. */
  readonly error?: MacroError;
}

const KEYLESS_ONLY = 'Without a key only what is kept in the mirror is answered.';

/** An answer that is not kept would reach a caller without a key as the owner's key brought it. */
function isForThem(question: Question, { kind }: Caller): boolean {
  return kind !== 'keyless' || isKept(resolveAlias(question));
}
