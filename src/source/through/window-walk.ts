// Brings the whole window of a question whose page alone would prove nothing of it.
import { objectIn } from '../../contract/json/json.ts';
import { PAGING_NAMES } from '../../contract/paging.ts';
import { BEGINNING, dateOf } from '../../contract/time/time.ts';
import type { livePages } from '../kept/collect.ts';
import { isKept, keepingOf } from '../kept/keeping.ts';
import { type AskContext, type CacheOutcome, type Question, resolveAlias } from '../source.ts';
import { nameOfQuestion, type ServiceAsks } from './service-asks.ts';

/** Gives the pages of a question, each of which is kept before the next one. */
export type WalkPages = (question: Question, context: AskContext) => ReturnType<typeof livePages>;

/** Longer windows are asked for page by page, as their reader does; a sync brings them. */
export const LONGEST_WINDOW = 1000;

/** Windows are forgotten all at once when there are so many. */
const MOST_NAMES = 10_000;

/** True where an answer is a page of a window of base rows. A pinned page belongs to the walk of its reader. */
function isPageOfWindow(asked: Question): boolean {
  const question = resolveAlias(asked);
  if (question.endpoint.paging.kind !== 'offset' || question.args.dataset_version !== undefined) return false;
  return isKept(question) && keepingOf(question).isBase;
}

/**
 * Makes the walk. It goes from the newest row on until the window is proven: a look at the newest page is enough where the
 * older ones are held. Readers of different pages share it. A window that no walk proves is not walked again. Where an
 * answer speaks of the whole series, all of it is brought if it is not too long, else the asked window.
 */
export function createWindowWalk(walk: WalkPages, asks: ServiceAsks, mostRows: number) {
  const unproven = new Set<string>();

  async function bring(whole: Question, context: AskContext, isProven: IsProven): Promise<CacheOutcome | undefined> {
    const name = nameOfQuestion(whole);
    if (unproven.has(name)) return undefined;
    const { cached } = await asks.once(`window ${name}`, async () => {
      for await (const page of walk(whole, context)) {
        await asks.refuseOtherKind(page.reply);
        if (await isProven(whole)) return;
        if ((page.total ?? 0) > mostRows) break;
      }
      if (await isProven(whole)) return;
      if (unproven.size >= MOST_NAMES) unproven.clear();
      unproven.add(name);
    });
    return cached;
  }

  return async (question: Question, context: AskContext, isProven: IsProven): Promise<CacheOutcome | undefined> => {
    if (!isPageOfWindow(question)) return undefined;
    const window = firstPageOf(question);
    let cached: CacheOutcome | undefined;
    for (const wanted of speaksOfSeries(question) ? [seriesOf(window, context.now), window] : [window]) {
      cached = (await bring(wanted, context, isProven)) ?? cached;
      if (await isProven(wanted)) return cached;
    }
    return cached;
  };
}

type IsProven = (question: Question) => Promise<boolean>;

/** The window from its newest row on, in pages as large as they may be. */
function firstPageOf(question: Question): Question {
  const { paging } = question.endpoint;
  const limit = paging.kind === 'offset' ? paging.max : undefined;
  return { ...question, args: { ...withoutPaging(question), limit, offset: 0 } };
}

/** True where the members beside the rows say when the whole series begins. */
function speaksOfSeries(question: Question): boolean {
  const { envelope } = resolveAlias(question).endpoint;
  return objectIn(envelope?.properties).earliest_available_date !== undefined;
}

/** The question about every row that there is. */
function seriesOf(question: Question, now: number): Question {
  const window = resolveAlias(question).endpoint.mirror?.window;
  if (window?.unit !== 'date') return question;
  const asked = question.args[window.to];
  const today = dateOf(now);
  const end = typeof asked === 'string' && asked > today ? asked : today;
  return { ...question, args: { ...question.args, [window.from]: BEGINNING, [window.to]: end } };
}

function withoutPaging({ args }: Question): Question['args'] {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !PAGING_NAMES.has(name)));
}
