// A source that answers from the mirror what the mirror can prove, and asks the service for the rest.
import { freshFor, type Group } from '../../contract/endpoint.ts';
import type { Caller } from '../../contract/hooks.ts';
import { objectIn } from '../../contract/json/json.ts';
import { PAGING_NAMES } from '../../contract/paging.ts';
import { BEGINNING, dateOf } from '../../contract/time/time.ts';
import { timeOfOwnCursor } from '../../derive/announcements/events.ts';
import { isOwnPosition } from '../../derive/calendar/checkpoint.ts';
import { MacroError, retold, waiting } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { AccessTag } from '../../mirror/api/series.ts';
import type { Clock } from '../../platform/platform.ts';
import { chooseSource } from '../choose-source.ts';
import { createColumns } from '../columns.ts';
import { type AskContext, type CacheOutcome, type Question, type Reply, resolveAlias, type Source } from '../source.ts';
import type { livePages } from '../stored/collect-pages.ts';
import { isAnswerStored, storedPartOf } from '../stored/stored-part.ts';
import { createServiceAsks, MAX_PAUSE, nameOfQuestion, type ServiceAsks } from './service-asks.ts';

// The members beside rows that say how far the whole series reaches. A window that is stored whole need not name them.
// Brings the whole window of a question whose page alone would cover nothing of it.
// Answers that the mirror cannot compute, cached as the service gave them.
// The reply to a caller if the service behind a server does not answer.
export interface ReadThroughOptions {
  readonly mirror: { readonly mirror: Mirror; readonly source: Source };
  /** The service. Its answers are stored in that mirror. */
  readonly live: Source;
  /** The same, page by page. */
  readonly walk: WalkPages;
  /** The access under which it is asked. */
  readonly access: AccessTag;
  readonly clock: Pick<Clock, 'now'>;
  /** Why the service is not asked for this caller, as one sentence; undefined where it may be asked. */
  readonly refuses: (question: Question, caller: Caller) => string | undefined;
  /** Max rows of a window that is brought as a whole; default 1,500. */
  readonly mostRows?: number | undefined;
  /** An answer that the service could not confirm is refused. */
  readonly strict: boolean;
  /** Ends the requests under way. */
  readonly signal?: AbortSignal;
  /** Called once with the reason why the service is left alone for a while. */
  readonly onFailure?: (error: MacroError) => void;
}

const JUDGED: ReadonlySet<number> = new Set([400, 404, 409, 410, 413, 414, 422, 451]);

/** Statuses with which the service says that it has no answer to a question. */
const ABSENT: ReadonlySet<number> = new Set([404, 410, 451]);

/** Groups whose answers may change with any release. */
const RELEASED: ReadonlySet<Group> = new Set(['announcements', 'calendar', 'release-event delivery', 'settlement']);

/** Positions that mean the same as long as the answer is fresh. */
const STEADY: ReadonlySet<string> = new Set(['offset', 'vintage', 'none']);

/** Bytes of answers that are stored. */
const PASSED_BYTES = 16 * 1024 * 1024;

/** Gives the pages of a question, each stored before the next one. */
type WalkPages = (question: Question, context: AskContext) => ReturnType<typeof livePages>;

/** Longer windows are asked for page by page, as their reader does; a sync brings them. A year of four rates a day is shorter. */
const LONGEST_WINDOW = 1500;

/** Windows are forgotten all at once when there are so many. */
const MAX_NAMES = 10_000;

const LATEST = ['latest_available_date', 'page_includes_latest_available'] as const;

/**
 * Answers from the mirror if it is fresh and complete. Else it brings windows of base rows, or passes the service's
 * answers on and stores them. It falls back on stored rows. Keyless callers get keyless parts only.
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
    return reply?.partial ? undefined : reply && { ...reply, cached: { is: 'hit' } };
  }

  /** The stored rows, which nobody could confirm. Where nothing is, the reason is the answer. */
  async function staleAnswer(question: Question, context: AskContext, given: Given): Promise<Reply> {
    if (given.error && strict) throw given.error;
    const reply = await mirror.source.ask(question, context).catch((error: unknown) => {
      unlessAnother(error);
      throw given.error ?? (error instanceof MacroError ? retold(error, given.why) : error);
    });
    return { ...reply, cached: { is: 'stale', why: given.why } };
  }

  /** True where a walk is pinned to the version that the mirror gave it. */
  async function isOwnPin(question: Question, context: AskContext): Promise<boolean> {
    if (question.args.dataset_version === undefined) return false;
    return (await mirror.source.ask(question, context).catch(unlessAnother)) !== undefined;
  }

  async function askService(question: Question, context: AskContext, stored: Reply | undefined): Promise<Reply> {
    const asking = { caller: SERVER, now: context.now, ...(signal && { signal }) };
    const { ifNoneMatch: _, ...whole } = context;
    const read = (part: Question) => provenAnswer(part, whole);
    const isOwn = await isOwnPin(question, whole);
    const window = isOwn ? unpinned(question) : question;
    // If another program blocks writing, the answer is passed on unchanged.
    const bring = () => bringWindow(window, asking, read).catch(unlessOf('mirror'));
    let brought = await bring();
    // The service does not know the pin: whether the rows are still the same, only the mirror can tell.
    if (isOwn && (await read(window)))
      return { ...(await mirror.source.ask(question, context)), cached: brought ?? { is: 'hit' } };
    let proven = brought && (await provenAnswer(question, context));
    // Rows that another question brought meanwhile take from an answer what it was captured with.
    if (proven && isWithoutEdges(question, proven)) {
      brought = (await bring()) ?? brought;
      proven = await provenAnswer(question, context);
    }
    if (proven && brought) return { ...proven, cached: brought };
    if (stored) return stored;
    const isKeyless = context.caller.kind === 'keyless';
    const { done, cached } = await asks.once(nameOfQuestion(question), async () => {
      const reply = await live.ask(inTimes(question), asking);
      await asks.refuseOtherKind(reply);
      passed.put(question, reply, context.now);
      return reply;
    });
    return { ...(isKeyless ? await mirror.source.ask(question, context) : done), cached };
  }

  return {
    async ask(question, askContext) {
      const { caller } = askContext;
      // The clock, the running server and single sources of the mirror need no service.
      if (question.endpoint.local || askContext.origin !== undefined) return mirror.source.ask(question, askContext);
      const context = caller.kind === 'owner' ? { ...askContext, hasKey: true } : askContext;
      const own = isOwnWalk(question) && (await mirror.source.ask(question, context).catch(unlessOf('notFound')));
      if (own) return own;
      const proven = await provenAnswer(question, context);
      if (proven && !isWithoutEdges(question, proven)) return proven;
      const repeat = caller.kind === 'keyless' ? undefined : passed.find(question, context.now);
      if (repeat) return { ...repeat, cached: { is: 'hit' } };
      const why = refuses(question, caller) ?? (isForThem(question, caller) ? undefined : KEYLESS_ONLY);
      if (why !== undefined) return proven ?? staleAnswer(question, context, { why });
      try {
        return await askService(question, context, proven);
      } catch (error) {
        if (!(error instanceof MacroError)) throw error;
        if (ABSENT.has(error.status ?? 0)) throw boundedWait(error);
        if (proven) return proven;
        if (error.kind === 'mirror' || refusesQuestion(error)) throw boundedWait(error);
        const refusal = serviceUnavailable(error, asks.restOfPause());
        return staleAnswer(question, context, { why: refusal.message, error: refusal });
      }
    },
  };
}

/** A walk over a state that a mirror has: the service cannot go on with it, unless it is a mirror itself. */
function isOwnWalk({ args: { checkpoint, cursor } }: Question): boolean {
  return [checkpoint, cursor].some((position) => typeof position === 'string' && isOwnPosition(position));
}

/** The question as the service can read it: a position of this mirror in a feed is a time there. */
function inTimes(question: Question): Question {
  const { since } = question.args;
  const time =
    question.endpoint.paging.kind === 'cursor' && typeof since === 'string' ? timeOfOwnCursor(since) : undefined;
  return time === undefined ? question : { ...question, args: { ...question.args, since: String(time) } };
}

function unpinned(question: Question): Question {
  return { ...question, args: { ...question.args, dataset_version: undefined } };
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
  /** The error to answer with if nothing is stored, or if only confirmed answers are allowed. */
  readonly error?: MacroError;
}

const KEYLESS_ONLY = 'Without a key, only stored rows are answered.';

/** An answer that is not stored would reach a caller without a key as the owner's key brought it. */
function isForThem(question: Question, { kind }: Caller): boolean {
  return kind !== 'keyless' || isAnswerStored(resolveAlias(question));
}

/** True if the service has judged the question itself: stored rows are no answer to that. */
function refusesQuestion({ kind, status }: MacroError): boolean {
  return kind === 'internal' || kind === 'usage' || (status !== undefined && JUDGED.has(status));
}

/** The error with the caller's wait bounded by the max pause. */
function boundedWait(error: MacroError): MacroError {
  return (error.retryAfter ?? 0) * 1000 > MAX_PAUSE ? waiting(error, MAX_PAUSE / 1000) : error;
}

/**
 * The reply to a caller if nothing is stored. If the service does not know or does not sell the data, its own words
 * pass. Other failures are not the caller's fault: the service is down, or the owner's key or quota is refused.
 */
function serviceUnavailable(error: MacroError, pause: number): MacroError {
  const { kind, status, retryAfter = 0 } = error;
  if (kind === 'notFound' || status === 403) return boundedWait(error);
  // Where the service is, is nobody's business outside.
  const why = error.message.includes('://') ? '' : ` ${error.message}`;
  return new MacroError('upstream', `The service could not be asked.${why}`, {
    status: 503,
    code: 'upstream_unavailable',
    // A quota is free again when its window ends; of a service that fails nobody knows.
    retryAfter: kind === 'quota' ? Math.max(1, retryAfter) : pause,
    cause: error,
  });
}

/** Ignores refusals of the mirror, as the service may have an answer; rethrows faults. */
function unlessAnother(error: unknown): undefined {
  if (error instanceof MacroError && error.kind !== 'mirror' && error.kind !== 'internal') return undefined;
  throw error;
}

function createPassedAnswers() {
  const kept = createColumns(PASSED_BYTES);
  return {
    find(question: Question, now: number) {
      const found = kept.get<{ readonly reply: Reply; readonly until: number }>(nameOfQuestion(question));
      return found && now < found.until ? found.reply : undefined;
    },
    put(question: Question, reply: Reply, now: number) {
      const { endpoint } = resolveAlias(question);
      if (!isRepeatable(question) || reply.partial) return;
      const until = now + freshFor(endpoint, now) * 1000;
      kept.put(nameOfQuestion(question), { reply, until }, reply.body.length);
    },
  };
}

function isRepeatable(question: Question): boolean {
  const { group, paging, access } = resolveAlias(question).endpoint;
  return STEADY.has(paging.kind) && !RELEASED.has(group) && access.delayed !== true;
}

/** True where an answer is a page of a window of base rows. A pinned page belongs to the walk of its reader. */
function isPageOfWindow(request: Question): boolean {
  const question = resolveAlias(request);
  if (question.endpoint.paging.kind !== 'offset' || question.args.dataset_version !== undefined) return false;
  return isAnswerStored(question) && storedPartOf(question).isBase;
}

/** Everything that the mirror proves about a question. */
type ReadProven = (question: Question) => Promise<Pick<Reply, 'status' | 'body'> | undefined>;

/**
 * Walks from the newest row until the window is covered; readers share it. For answers about a whole series, also its
 * ends. Useless walks are not repeated.
 */
function createWindowWalk(walk: WalkPages, asks: ServiceAsks, mostRows: number) {
  const unproven = new Set<string>();

  /** Does `work` under a name until the window is covered, but not again if it covered nothing. */
  async function once(name: string, isChecked: () => Promise<boolean>, work: () => Promise<void>) {
    if (unproven.has(name)) return undefined;
    const { cached } = await asks.once(name, async () => {
      await work();
      if (await isChecked()) return;
      if (unproven.size >= MAX_NAMES) unproven.clear();
      unproven.add(name);
    });
    return cached;
  }

  function bring(whole: Question, context: AskContext, read: ReadProven): Promise<CacheOutcome | undefined> {
    const isChecked = async () => (await read(whole)) !== undefined;
    return once(`window ${nameOfQuestion(whole)}`, isChecked, async () => {
      for await (const page of walk(whole, context)) {
        await asks.refuseOtherKind(page.reply);
        if ((await isChecked()) || (page.total ?? 0) > mostRows) break;
      }
    });
  }

  /** Brings the first and the last row of a series whose window is covered already. */
  function bringEdges(question: Question, context: AskContext, read: ReadProven): Promise<CacheOutcome | undefined> {
    const series = seriesOf(firstPageOf(question), context.now);
    const oneAt = async (offset: number) => {
      for await (const page of walk({ ...series, args: { ...series.args, limit: 1, offset } }, context)) {
        await asks.refuseOtherKind(page.reply);
        return page.total ?? 0;
      }
      return 0;
    };
    const isChecked = async () => isWhole(question, await read(question));
    return once(`edges ${nameOfQuestion(series)}`, isChecked, async () => {
      const total = await oneAt(0);
      if (tellsBeginning(question) && total > 1) await oneAt(total - 1);
    });
  }

  return async (question: Question, context: AskContext, read: ReadProven): Promise<CacheOutcome | undefined> => {
    if (!isPageOfWindow(question)) return undefined;
    const window = firstPageOf(question);
    let cached: CacheOutcome | undefined;
    if ((await read(window)) === undefined) cached = await bring(window, context, read);
    // The page of a window that was asked for as it stands says more than the others.
    const proven = await read(question);
    if (!proven || isWhole(question, proven)) return cached;
    return (await bringEdges(question, context, read)) ?? cached;
  };
}

function isWhole(question: Question, proven: Pick<Reply, 'status' | 'body'> | undefined): boolean {
  return proven !== undefined && !isWithoutEdges(question, proven);
}

/** The window from its newest row on, in pages as large as they may be. */
function firstPageOf(question: Question): Question {
  const { paging } = question.endpoint;
  const limit = paging.kind === 'offset' ? paging.max : undefined;
  return { ...question, args: { ...withoutPaging(question), limit, offset: 0 } };
}

/** The question about every row that there is. */
function seriesOf(question: Question, now: number): Question {
  const window = resolveAlias(question).endpoint.mirror?.window;
  if (window?.unit !== 'date') return question;
  const lastDate = question.args[window.to];
  const today = dateOf(now);
  const end = typeof lastDate === 'string' && lastDate > today ? lastDate : today;
  return { ...question, args: { ...question.args, [window.from]: BEGINNING, [window.to]: end } };
}

function withoutPaging({ args }: Question): Question['args'] {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !PAGING_NAMES.has(name)));
}

/** True where answers say when the whole series begins. */
function tellsBeginning(question: Question): boolean {
  return objectIn(resolveAlias(question).endpoint.envelope?.properties).earliest_available_date !== undefined;
}

/** True where a mirror left out how far the series reaches, because it cannot know it, and the service would say it. */
function isWithoutEdges(question: Question, { status, body }: Pick<Reply, 'status' | 'body'>): boolean {
  const { paging } = resolveAlias(question).endpoint;
  if (status === 304 || paging.kind !== 'offset') return false;
  const missingParts = (member: string) => !body.includes(`"${member}":`);
  return (
    (tellsBeginning(question) && missingParts('earliest_available_date')) ||
    (paging.marksLatest && LATEST.some(missingParts))
  );
}
