// Brings the whole window of a question whose page alone would prove nothing of it.
import { PAGING_NAMES } from '../../contract/paging.ts';
import { BEGINNING, dateOf } from '../../contract/time/time.ts';
import type { livePages } from '../kept/collect.ts';
import { isKept, keepingOf } from '../kept/keeping.ts';
import { type AskContext, type CacheOutcome, type Question, type Reply, resolveAlias } from '../source.ts';
import { lacksEdges, tellsBeginning } from './series-edges.ts';
import { nameOfQuestion, type ServiceAsks } from './service-asks.ts';

/** Gives the pages of a question, each of which is kept before the next one. */
export type WalkPages = (question: Question, context: AskContext) => ReturnType<typeof livePages>;

/** Longer windows are asked for page by page, as their reader does; a sync brings them. A year of four rates a day is shorter. */
export const LONGEST_WINDOW = 1500;

/** Windows are forgotten all at once when there are so many. */
const MAX_NAMES = 10_000;

/** True where an answer is a page of a window of base rows. A pinned page belongs to the walk of its reader. */
function isPageOfWindow(request: Question): boolean {
  const question = resolveAlias(request);
  if (question.endpoint.paging.kind !== 'offset' || question.args.dataset_version !== undefined) return false;
  return isKept(question) && keepingOf(question).isBase;
}

/** What the mirror proves of a question. */
export type ReadProven = (question: Question) => Promise<Pick<Reply, 'status' | 'body'> | undefined>;

/**
 * Makes the walk. It goes from the newest row on until the window is proven: a look at the newest page is enough where the
 * older ones are held. Readers of different pages share it. Where an answer speaks of the whole series, all of it is brought
 * if it is not too long, else the asked window and the ends of the series. What no walk proves is not walked again.
 */
export function createWindowWalk(walk: WalkPages, asks: ServiceAsks, mostRows: number) {
  const unproven = new Set<string>();

  /** Does `work` of a name until it is proven, and never again where it proved nothing. */
  async function once(name: string, isProven: () => Promise<boolean>, work: () => Promise<void>) {
    if (unproven.has(name)) return undefined;
    const { cached } = await asks.once(name, async () => {
      await work();
      if (await isProven()) return;
      if (unproven.size >= MAX_NAMES) unproven.clear();
      unproven.add(name);
    });
    return cached;
  }

  function bring(whole: Question, context: AskContext, read: ReadProven): Promise<CacheOutcome | undefined> {
    const isProven = async () => (await read(whole)) !== undefined;
    return once(`window ${nameOfQuestion(whole)}`, isProven, async () => {
      for await (const page of walk(whole, context)) {
        await asks.refuseOtherKind(page.reply);
        if ((await isProven()) || (page.total ?? 0) > mostRows) break;
      }
    });
  }

  /** One row of each end of a series whose window is proven already. */
  function bringEdges(question: Question, context: AskContext, read: ReadProven): Promise<CacheOutcome | undefined> {
    const series = seriesOf(firstPageOf(question), context.now);
    const oneAt = async (offset: number) => {
      for await (const page of walk({ ...series, args: { ...series.args, limit: 1, offset } }, context)) {
        await asks.refuseOtherKind(page.reply);
        return page.total ?? 0;
      }
      return 0;
    };
    const isProven = async () => isWhole(question, await read(question));
    return once(`edges ${nameOfQuestion(series)}`, isProven, async () => {
      const total = await oneAt(0);
      if (tellsBeginning(question) && total > 1) await oneAt(total - 1);
    });
  }

  return async (question: Question, context: AskContext, read: ReadProven): Promise<CacheOutcome | undefined> => {
    if (!isPageOfWindow(question)) return undefined;
    const window = firstPageOf(question);
    let cached: CacheOutcome | undefined;
    for (const candidate of tellsBeginning(question) ? [seriesOf(window, context.now), window] : [window]) {
      if ((await read(window)) !== undefined) break;
      cached = (await bring(candidate, context, read)) ?? cached;
    }
    // The page of a window that was asked for as it stands says more than the others.
    const proven = await read(question);
    if (!proven || isWhole(question, proven)) return cached;
    return (await bringEdges(question, context, read)) ?? cached;
  };
}

function isWhole(question: Question, proven: Pick<Reply, 'status' | 'body'> | undefined): boolean {
  return proven !== undefined && !lacksEdges(question, proven);
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
