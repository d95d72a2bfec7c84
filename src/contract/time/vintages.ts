/** How a vintage follows the one before. Files of chosen vintages hide first prints. See docs/publication-times.md */
import { dateToMs } from './time.ts';

/** How often a series gets a new period. */
export type ReleaseRhythm = 'day' | 'week' | 'month' | 'quarter';

/** A series as it was since a moment. */
export interface VintageState {
  /** Unix seconds. */
  readonly at: number;
  /** Periods of which no earlier vintage has a value. */
  readonly begun: number;
}

/** Statistics of months and the three estimates of a quarter are published every month, daily yields on business days. */
const MAX_STEP_DAYS: Readonly<Record<ReleaseRhythm, number>> = { day: 5, week: 10, month: 45, quarter: 45 };

/** A later first print cannot be distinguished from a revision whose first print is missing. */
const MAX_FIRST_PRINT_DAYS: Readonly<Record<ReleaseRhythm, number>> = { day: 5, week: 14, month: 35, quarter: 45 };

const DAY_SECONDS = 86_400;

/** Whose knowledge can be replayed. */
type KnownBy = 'public' | 'captured';

/** A value that a period had and since when it was known. Times are Unix nanoseconds; undefined when nobody said. */
export interface TimedValue {
  readonly known: { readonly public: bigint | undefined; readonly captured: bigint | undefined };
  /** The value as comparable text. */
  readonly value: string;
  readonly dispute?: Dispute | undefined;
  /** When the mirror saw the row with this value, if the vintages known by then did not give it. */
  readonly shown?: readonly { readonly by: KnownBy; readonly at: bigint }[] | undefined;
  /** No list has it: a row had it when the mirror saw the row. */
  readonly isUnlisted: boolean;
  /** When the mirror saw the row vanish that had this value. */
  readonly withdrawnAt?: bigint | undefined;
}

/** From a moment on, and until the next step, this was known of a period. */
export interface KnownStep<T> {
  /** Unix nanoseconds. */
  readonly at: bigint;
  readonly state: 'known' | 'ambiguous' | 'gone';
  readonly known: T | undefined;
}

/** A null value that nobody can tell. See docs/interface-endpoints.md#panel and docs/interface.md#two-vintages-at-one-instant. */
export const AMBIGUOUS = 'ambiguous';

/** One thing that becomes known of a period; without a value, that nobody can tell which one it has. */
interface Happening<T> {
  readonly at: bigint;
  readonly value?: T;
  /** The row itself had it. */
  readonly isShown?: boolean;
  readonly isGone?: boolean;
}
/** When the public knew each vintage, if several claim one time. See docs/interface.md#two-vintages-at-one-instant. */

/** The time of a value. Times are Unix nanoseconds; undefined when nobody said. */
interface VintageClaim {
  /** The publication time that it states. */
  readonly epoch: bigint | undefined;
  readonly captured: bigint | undefined;
  /** When the mirror first saw it. */
  readonly seen?: bigint;
  /** The value as comparable text. */
  readonly value: string;
  /** Confirmed by the publisher or said to be the first release, so that the publication time is its own. */
  readonly owns: boolean;
}

/** Values contradict each other about one publication time. */
export interface Dispute {
  /** Since when nobody can tell which value holds: the publication time, or when the second of two owners turned up. */
  readonly from: bigint;
  /** Until when; undefined where only something later ends it. */
  readonly until: bigint | undefined;
  /** This value is valid from then on. */
  readonly wins: boolean;
}

export interface PublicTime {
  readonly at: bigint | undefined;
  readonly dispute?: Dispute;
}

/** True if no release can lie between two states: one new period at most, within the max step of the rhythm. */
export function isNextRelease(before: VintageState, next: VintageState, rhythm: ReleaseRhythm): boolean {
  return next.begun <= 1 && next.at - before.at <= MAX_STEP_DAYS[rhythm] * DAY_SECONDS;
}

/** True where a state, the first one with a value of a period that ends on `date`, is the release of that period. */
export function isFirstPrint(
  before: VintageState | undefined,
  next: VintageState,
  { date, rhythm }: { readonly date: string; readonly rhythm: ReleaseRhythm },
): boolean {
  if (before === undefined || next.begun !== 1 || !isNextRelease(before, next, rhythm)) return false;
  return next.at - dateToMs(date) / 1000 <= MAX_FIRST_PRINT_DAYS[rhythm] * DAY_SECONDS;
}

/** Days between two neighbouring periods at most. */
const MAX_DAYS_BETWEEN: readonly (readonly [ReleaseRhythm, number])[] = [
  ['day', 4],
  ['week', 20],
  ['month', 45],
];

/** The rhythm of ascending dates by their middle step. A single date does not show it, so the shortest steps count. */
export function rhythmOf(dates: readonly string[]): ReleaseRhythm {
  const steps = dates.slice(1).map((date, i) => (dateToMs(date) - dateToMs(dates[i] ?? date)) / (1000 * DAY_SECONDS));
  const middle = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return MAX_DAYS_BETWEEN.find(([, days]) => middle <= days)?.[0] ?? 'quarter';
}

/** The states of a series by the moments (Unix seconds) since when each of its periods had a value, and all further ones. */
export function statesOf(begins: Iterable<number>, others: Iterable<number>): readonly VintageState[] {
  const begun = new Map<number, number>();
  for (const at of others) begun.set(at, 0);
  for (const at of begins) begun.set(at, (begun.get(at) ?? 0) + 1);
  return [...begun].map(([at, count]) => ({ at, begun: count })).sort((a, b) => a.at - b.at);
}

/** Knowledge of one period, oldest first: the newest value, or none of several; the row's value and end come last. */
export function stepsOf<T extends TimedValue>(values: readonly T[], by: KnownBy): readonly KnownStep<T>[] {
  const happenings = values.flatMap((value) => happeningsOf(value, by));
  if (happenings.length > 1) happenings.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : rankOf(a) - rankOf(b)));
  const steps: KnownStep<T>[] = [];
  for (let i = 0; i < happenings.length; ) {
    const { at = 0n } = happenings[i] ?? {};
    const end = endOf(happenings, i);
    const step = stepAfter(steps.at(-1), { at, happenings: happenings.slice(i, end), values });
    if (step) steps.push(step);
    i = end;
  }
  return steps;
}

/** The state at a moment; undefined before the first step. */
export function stepAt<T>(steps: readonly KnownStep<T>[], moment: bigint): KnownStep<T> | undefined {
  return steps.findLast(({ at }) => at <= moment);
}

/** A step, or undefined where nothing becomes another one. */
function stepAfter<T extends TimedValue>(
  before: KnownStep<T> | undefined,
  { at, happenings, values }: { at: bigint; happenings: readonly Happening<T>[]; values: readonly T[] },
): KnownStep<T> | undefined {
  const listed = happenings.filter((one) => rankOf(one) === 0);
  let step = listed.length === 0 ? undefined : listedStep(at, listed);
  for (const one of happenings) {
    const { value } = one;
    if (one.isGone) step = { at, state: 'gone', known: undefined };
    else if (value && rankOf(one) === 1 && !isToldBy(step ?? before, value, values))
      step = { at, state: 'known', known: value };
  }
  return step;
}

function listedStep<T extends TimedValue>(at: bigint, listed: readonly Happening<T>[]): KnownStep<T> {
  const newest = listed.reduce((best, one) => (isPublishedBefore(one, best) ? best : one));
  const known = newest.value;
  const isClear = listed.every((one) => isPublishedBefore(one, newest) || one.value?.value === known?.value);
  return known && isClear ? { at, state: 'known', known } : { at, state: 'ambiguous', known: undefined };
}

/** Captures of one moment differ by their time of publication. */
function isPublishedBefore<T extends TimedValue>({ value: a }: Happening<T>, { value: b }: Happening<T>): boolean {
  const [left, right] = [a?.known.public, b?.known.public];
  return a !== undefined && right !== undefined && (left === undefined || left < right);
}

/** The value of the row changes nothing where it is the known one already, or one of several that owners contradict. */
function isToldBy<T extends TimedValue>(step: KnownStep<T> | undefined, { value }: T, values: readonly T[]): boolean {
  if (step?.state === 'known') return step.known?.value === value;
  return step?.state === 'ambiguous' && values.some((one) => one.value === value && isContested(one, step.at));
}

/** Contradict owners each other about this moment? */
export function isContested({ dispute }: Pick<TimedValue, 'dispute'>, at: bigint): boolean {
  return dispute !== undefined && dispute.until === undefined && dispute.from === at;
}

function happeningsOf<T extends TimedValue>(value: T, by: KnownBy): readonly Happening<T>[] {
  const { dispute, shown = [], withdrawnAt } = value;
  const at = value.known[by];
  const known = by === 'public' && dispute ? disputed(value, dispute) : at === undefined ? [] : [{ at, value }];
  if (shown.length === 0 && withdrawnAt === undefined) return known;
  const seen = shown.filter((one) => one.by === by).map((one) => ({ at: one.at, value, isShown: true }));
  return [...known, ...seen, ...(withdrawnAt === undefined ? [] : [{ at: withdrawnAt, isGone: true }])];
}

function disputed<T extends TimedValue>(value: T, { from, until, wins }: Dispute): readonly Happening<T>[] {
  const { public: at } = value.known;
  const before = until === undefined && at !== undefined && at < from ? [{ at, value }] : [];
  const unclear = until === undefined || until > from ? [{ at: from }] : [];
  return [...before, ...unclear, ...(wins && until !== undefined ? [{ at: until, value }] : [])];
}

function rankOf<T extends TimedValue>({ value, isShown, isGone }: Happening<T>): number {
  return isGone ? 2 : isShown || value?.isUnlisted ? 1 : 0;
}

function endOf<T>(happenings: readonly Happening<T>[], start: number): number {
  const end = happenings.findIndex(({ at }, i) => i > start && at !== happenings[start]?.at);
  return end < 0 ? happenings.length : end;
}

/** Does an entry of a list own the publication time that it states? */
export function ownsEpoch(entry: {
  readonly publication_time_status?: unknown;
  readonly is_first_release?: unknown;
}): boolean {
  return entry.publication_time_status === 'confirmed' || entry.is_first_release === true;
}

/** Dates values by their own or shared time, else by capture; from a contradiction on, nobody can tell. */
export function publicTimes(claims: readonly VintageClaim[]): readonly PublicTime[] {
  const rivals = rivalsOf(claims);
  return claims.map((claim) => {
    const { epoch, value } = claim;
    const group = epoch === undefined ? undefined : rivals.get(epoch);
    if (epoch === undefined || !group) return { at: epoch ?? capturedAt(claim) };
    const owners = new Set(group.filter(({ owns }) => owns).map((one) => one.value));
    if (owners.size === 0) return unownedTime(claim, epoch, group);
    if (!owners.has(value)) return { at: capturedAt(claim) };
    if (owners.size === 1) return { at: epoch };
    const from = contradictedSince(epoch, group);
    return { at: epoch, dispute: { from, until: undefined, wins: false } };
  });
}

/** Owners that came together contradict each other since their publication time, else since the second one was seen. */
function contradictedSince(epoch: bigint, group: readonly VintageClaim[]): bigint {
  const first = new Map<string, bigint>();
  for (const { value, owns, seen = 0n } of group)
    if (owns && (first.get(value) ?? seen) >= seen) first.set(value, seen);
  const [earliest, second] = [...first.values()].sort((a, b) => (a < b ? -1 : Number(a > b)));
  return second === undefined || second === earliest ? epoch : later(epoch, second);
}

/** Claims by publication time, where those of one time have different values. */
function rivalsOf(claims: readonly VintageClaim[]): ReadonlyMap<bigint, readonly VintageClaim[]> {
  const rivals = new Map<bigint, readonly VintageClaim[]>();
  if (claims.length < 2) return rivals;
  for (const claim of claims) {
    const { epoch } = claim;
    if (epoch !== undefined) rivals.set(epoch, [...(rivals.get(epoch) ?? []), claim]);
  }
  for (const [epoch, group] of rivals) if (group.every(({ value }) => value === group[0]?.value)) rivals.delete(epoch);
  return rivals;
}

function unownedTime(claim: VintageClaim, epoch: bigint, group: readonly VintageClaim[]): PublicTime {
  // An entry without its own capture is older than entries with one.
  const timeOf = group.some(({ captured }) => captured !== undefined)
    ? ({ captured }: VintageClaim) => captured
    : ({ seen }: VintageClaim) => seen;
  const times = group.flatMap((one) => timeOf(one) ?? []);
  const last = times.length === 0 ? undefined : times.reduce(later);
  const at = capturedAt(claim);
  return {
    at: at === undefined ? undefined : later(epoch, at),
    dispute: {
      from: epoch,
      until: last === undefined ? undefined : later(epoch, last),
      wins: last !== undefined && timeOf(claim) === last,
    },
  };
}

function capturedAt({ captured, seen }: VintageClaim): bigint | undefined {
  return captured ?? seen;
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
