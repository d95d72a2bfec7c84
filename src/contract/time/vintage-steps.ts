import type { Dispute } from './vintage-times.ts';

/** Whose knowledge can be replayed. */
export type KnownBy = 'public' | 'captured';

/** A value that a period had and since when it was known. Times are Unix nanoseconds; undefined when nobody said. */
export interface TimedValue {
  readonly known: { readonly public: bigint | undefined; readonly captured: bigint | undefined };
  /** The value as comparable text. */
  readonly value: string;
  readonly dispute?: Dispute | undefined;
  /** When the row had this value for the mirror, though it did not follow from what was told until then. */
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
  /** The value that was known. */
  readonly known: T | undefined;
}

/**
 * Why a value is null of which nobody can tell what it was. See docs/interface.md#panel and
 * docs/interface.md#two-vintages-at-one-instant.
 */
export const AMBIGUOUS = 'ambiguous';

/** One thing that becomes known of a period; without a value, that nobody can tell which one it has. */
interface Happening<T> {
  readonly at: bigint;
  readonly value?: T;
  /** The row itself had it. */
  readonly isShown?: boolean;
  readonly isGone?: boolean;
}

/**
 * Replays what was known of one period, oldest first: the newest value counts, and of different values of one moment none.
 * What a row said when the mirror saw it comes after what its list says of that moment, and the end of the row comes last.
 */
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

/** What was known at a moment; undefined before the first step. */
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

/** Captures of one moment are told from each other by when they were published. */
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
