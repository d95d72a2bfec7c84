import { addDays, dateOf } from '../../contract/time/time.ts';
import type { CoverageInterval } from '../../mirror/api/mirror.ts';
import { covers } from '../../source/coverage/coverage.ts';
import { isFresh, newestInterval, type PlanTime, type SeriesState } from './state.ts';
import type { Step } from './step.ts';
import { certainEnd, type DateWindow, firstOf, headOf, planHistory, uncovered } from './windows.ts';

const DAY = 86_400_000;

/**
 * Steps of a history. Walk: the head, unless its feed or its freshness says that nothing is to be had; then what is proven
 * by nothing and asked for by no head: a gap, or the backfill when nothing older is proven.
 */
export async function planHistorySteps(state: SeriesState, time: PlanTime): Promise<readonly Step[]> {
  const { target, access, proofs } = state;
  const history = { endpoint: target.endpoint, access, proofs, today: later(dateOf(time.now), time.today ?? '') };
  const walk = state.walk && { from: String(state.walk.from), to: String(state.walk.to) };
  if (proofs.length === 0 && !walk) return planFirst(state, planHistory(history));
  const head = headOf(history);
  const step = await headStep(state, time, head);
  const first = firstOf(history);
  const end = step ? addDays(String(step.window?.from), -1) : head.to;
  const underway = walk ? [{ ...walk, rows: 0, provenAt: 0 }] : [];
  const behind = uncovered([...proofs, ...underway], { from: first, to: earlier(end, newestDate(proofs)) });
  const why = 'goes on where an earlier run stopped';
  return [
    ...(step ? [step] : []),
    ...(walk ? [{ target, reason: 'backfill', window: walk, resumes: true, why } as const] : []),
    ...behind.map((window): Step => {
      const reason = window.from === first ? 'backfill' : 'gap';
      const why = reason === 'gap' ? 'not proven, between what is' : 'history that is not proven yet';
      return { target, reason, window, why };
    }),
  ];
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

function newestDate(proofs: readonly CoverageInterval[]): string {
  return proofs.map(({ to }) => String(to)).reduce((a, b) => (a > b ? a : b), '');
}

/**
 * A series of which nothing is proven. Where a row has a date of its own, the newest page of everything proves what it
 * reaches, so that head and history together cost no page more than they have; elsewhere the head is a window.
 */
function planFirst({ target }: SeriesState, windows: readonly DateWindow[]): readonly Step[] {
  const { mirror } = target.endpoint;
  const [head, ...rest] = windows;
  if (!head) return [];
  const feeds = mirror?.sync.kind === 'history' && mirror.sync.feed !== undefined;
  const follows = feeds ? { follows: { checked: true } } : {};
  const whole = { from: windows.at(-1)?.from ?? head.from, to: head.to };
  const pageProves = mirror?.key.length === 1 && mirror.order === 'newest';
  const why = 'nothing is held yet';
  if (!pageProves)
    return [
      { target, reason: 'head', window: head, ...follows, why },
      ...rest.map((window): Step => ({ target, reason: 'backfill', window, why: 'history before it' })),
    ];
  return [
    { target, reason: 'head', window: whole, firstPage: true, ...follows, why },
    { target, reason: 'backfill', window: whole, why: 'what the first page leaves' },
  ];
}

async function headStep(state: SeriesState, time: PlanTime, head: DateWindow): Promise<Step | undefined> {
  const { target, follow, proofs } = state;
  const sync = target.endpoint.mirror?.sync;
  if (sync?.kind !== 'history') return undefined;
  const { feed } = sync;
  if (!feed) {
    const recent = { from: addDays(dateOf(time.now), -sync.revisionDays), to: dateOf(time.now), isOpen: true };
    const provenAt = newestInterval(proofs.filter((proof) => covers([proof], recent)));
    if (provenAt !== undefined && isFresh(state, time, provenAt)) return undefined;
    return { target, reason: 'head', window: head, why: 'newest rows, and what may still be corrected' };
  }
  const age = follow ? time.now - follow.checkedAt : 0;
  if (follow && (time.check || age >= feed.checkDays * DAY || age < 0))
    return {
      ...{ target, reason: 'check', window: reaching(head, follow.due), follows: { checked: true } },
      why: 'corrections that no feed named',
    };
  if (!follow)
    return { target, reason: 'head', window: head, follows: { checked: true }, why: 'not followed by its feed' };
  if (follow.due === undefined) return undefined;
  const why = 'named by its feed';
  const from = await narrowed(state, head, follow.due);
  const window = { from, to: reaching(head, follow.due).to };
  return { target, reason: 'head', window, follows: { checked: from <= head.from }, why };
}

/** A window that has the day that a feed named: it may lie ahead of ours, or before all that is usually corrected. */
function reaching({ from, to }: DateWindow, due = ''): DateWindow {
  return due === '' ? { from, to } : { from: earlier(from, due), to: later(to, due) };
}

/**
 * Where the head of a named series begins: with everything that may be corrected while that is one page, else with the
 * earliest date that was named, and never behind what is proven.
 */
async function narrowed({ target, count, proofs }: SeriesState, head: DateWindow, due: string): Promise<string> {
  const { paging } = target.endpoint;
  const spare = paging.kind === 'none' ? 0 : paging.max - (await count(head));
  if (due === '' || spare > 1) return due !== '' && due < head.from ? due : head.from;
  return earlier(due, certainEnd(proofs) ?? newestDate(proofs));
}
