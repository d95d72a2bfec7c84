import type { MissingRange } from '../../contract/hooks.ts';
import {
  asJsonText,
  floatText,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonText,
  toJsonText,
} from '../../contract/json/json.ts';
import { type Coverage, isCovered } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING } from '../../contract/time/time.ts';
import { type Cadence, monthsBefore, newestUpTo, percentChange, RHYTHMS, standsForMonths } from '../cadence.ts';
import { type Patch, type Print, patched } from './print.ts';

/** Percent-type series compare with the period before; level series with a month and a year before. Section 9.19. */
export type SeriesKind = 'percent' | 'level';

export interface ChangeRules {
  readonly kind: SeriesKind;
  readonly cadence: Cadence | undefined;
  /** First date that a keyless caller may see: an older previous print is not shown. */
  readonly visibleFrom: string | undefined;
  /** The rows are the stored ones, so that what one says of a neighbour that is not stored may be believed. */
  readonly asReceived: boolean;
  readonly commitOf?: ((print: ComparedPrint) => number | undefined) | undefined;
  /** The covered dates of the series: no comparison runs over dates where another print may be missing. */
  readonly coverage: Coverage;
  /** Called with an uncovered range, and the member that compares over it. */
  readonly onMissing?: (range: MissingRange) => void;
}

/** Members of a row that compare it with earlier ones. `val_mom` is the publisher's and never computed. */
const CHANGE_MEMBERS: Readonly<Record<SeriesKind, readonly string[]>> = {
  percent: [
    'previous_value',
    'previous_date',
    'previous_announcement_datetime',
    'change_from_previous',
    'pct_change_from_previous',
  ],
  level: ['change', 'pct_change_mom', 'pct_change_yoy'],
};

/** Is a series measured in per cent? By its unit, else its transformation, else the members of its rows. */
export function kindOf(stored: JsonObject, rows: () => readonly JsonObject[]): SeriesKind {
  const { unit, selected_series: selected, value_metadata: metadata } = stored;
  const sourceUnit = isJsonObject(metadata) ? metadata.source_unit : undefined;
  const known = [unit, sourceUnit].find((text) => typeof text === 'string');
  if (typeof known === 'string' && known.startsWith('%')) return 'percent';
  const frequency = isJsonObject(selected) ? selected.frequency : undefined;
  if (typeof frequency === 'string') return ['yoy', 'mom', 'qoq'].includes(frequency) ? 'percent' : 'level';
  if (known !== undefined) return 'level';
  return rows().some((row) => row.change_from_previous !== undefined || row.previous_date !== undefined)
    ? 'percent'
    : 'level';
}

/** A print that another one is compared with, or its value alone. */
export type ComparedPrint = Pick<Print, 'date' | 'val' | 'altered' | 'place'>;

/** A print with its changes: stored ones while their inputs are visible, else computed again or removed. */
export function withChange(
  print: Print,
  { before, older }: { readonly before: Print | undefined; readonly older: readonly ComparedPrint[] },
  rules: ChangeRules,
): Print {
  return patched(
    print,
    rules.kind === 'percent' ? percentPatch(print, before, rules) : levelPatch(print, older, rules),
  );
}

/** The facts of a row about the print before it. */
interface ChangeFacts {
  readonly date: string;
  readonly val: number | null;
}

function percentPatch(print: Print, before: Print | undefined, rules: ChangeRules): Patch {
  const stated = toldBy(print.row);
  const from = before?.date ?? rules.visibleFrom ?? BEGINNING;
  const isKnown = isCovered(rules.coverage, { from, to: print.date });
  const stored = isKnown ? before : undefined;
  // The service's own word about the row is as good as the row; without it nobody knows the print before.
  if (!isKnown && (!stated || !rules.asReceived || print.altered))
    rules.onMissing?.({ from, to: print.date, for: 'previous_value' });
  const isVisible = (date: string) => rules.visibleFrom === undefined || date >= rules.visibleFrom;
  // The print that the service compared with may not be stored; then the row itself is the best evidence.
  if (rules.asReceived && stated && (!stored || stored.date < stated.date)) {
    if (!isVisible(stated.date)) return cleared(print);
    return print.altered ? differences(print, stated, rules) : {};
  }
  if (!stored && rules.asReceived && !print.altered) return {};
  if (!stored || !isVisible(stored.date)) return cleared(print);
  const isSame = stated?.date === stored.date && (Object.is(stated.val, stored.val) || isEarlier(stored, print, rules));
  if (isSame && !print.altered && !stored.altered) return {};
  return comparisonWith(print, stored, rules);
}

function comparisonWith(print: Print, before: Print, rules: ChangeRules): Patch {
  return {
    previous_value: before.val === null ? undefined : before.valText,
    previous_date: toJsonText(before.date),
    previous_announcement_datetime: before.releaseText,
    ...differences(print, before, rules),
  };
}

function toldBy({ previous_date: date, previous_value: val }: JsonObject): ChangeFacts | undefined {
  return typeof date === 'string' ? { date, val: typeof val === 'number' ? val : null } : undefined;
}

/** No change spans a period that was never published. */
function differences(print: Print, before: ChangeFacts, { cadence }: ChangeRules): Patch {
  const val = isNextPeriod(print, before, cadence) ? before.val : null;
  return {
    change_from_previous: floatOf(difference(print.val, val)),
    pct_change_from_previous: floatOf(percentChange(print.val, val)),
  };
}

function levelPatch(print: Print, older: readonly ComparedPrint[], rules: ChangeRules): Patch {
  const { monthAgo, yearAgo } = comparedWith(print, older, rules.cadence);
  const before = isNextPeriod(print, older[0], rules.cadence) ? older[0] : undefined;
  const computed = (
    [
      ['change', before, older[0]?.date ?? rules.visibleFrom ?? BEGINNING, difference],
      ['pct_change_mom', monthAgo, farthest(print, 1, rules), percentChange],
      ['pct_change_yoy', yearAgo, farthest(print, 12, rules), percentChange],
    ] as const
  ).map(([name, found, otherwise, compare]) => {
    const range = { from: found?.date ?? otherwise, to: print.date };
    const isKnown = isCovered(rules.coverage, range);
    const input = isKnown ? found : undefined;
    return { name, input, value: compare(print.val, input?.val), range, isKnown };
  });
  const carries = computed.some(({ name }) => print.row[name] !== undefined);
  const patch: Record<string, JsonText | undefined> = {};
  for (const { name, input, value, range, isKnown } of computed) {
    if (!isKnown && (!carries || !rules.asReceived || print.altered)) rules.onMissing?.({ ...range, for: name });
    if (carries && !print.altered && !hasMoved(print, input, { stored: print.row[name], value, rules })) continue;
    if (input || print.row[name] !== undefined) patch[name] = floatOf(value);
  }
  return patch;
}

/** False where a period between two prints was never published. A decision of a central bank stands for no period. */
function isNextPeriod(
  { date }: Pick<Print, 'date'>,
  before: Pick<Print, 'date'> | undefined,
  cadence: Cadence | undefined,
): boolean {
  const months = cadence && PERIOD_MONTHS[cadence];
  if (!before || !cadence || months === undefined || !addDays(date, 1).endsWith('-01')) return true;
  return before.date >= addDays(monthsBefore(date, months, true), -RHYTHMS[cadence].tolerance);
}

const PERIOD_MONTHS: Readonly<Partial<Record<Cadence, number>>> = { monthly: 1, quarterly: 3, annual: 12 };

/** The oldest date that a print of so many months before could have, as far as the caller may see. */
function farthest({ date }: Print, months: number, { cadence, visibleFrom }: ChangeRules): string {
  if (!cadence) return date;
  const first = addDays(monthsBefore(date, months, standsForMonths(cadence)), -RHYTHMS[cadence].tolerance);
  return visibleFrom !== undefined && first < visibleFrom ? visibleFrom : first;
}

/** The prints of a month and of a year before; a month before only where periods are that short. */
export function comparedWith<T extends { readonly date: string }>(
  print: T,
  older: readonly T[],
  cadence: Cadence | undefined,
): { readonly monthAgo: T | undefined; readonly yearAgo: T | undefined } {
  if (!cadence) return { monthAgo: undefined, yearAgo: undefined };
  const { tolerance } = RHYTHMS[cadence];
  const monthEnds = standsForMonths(cadence);
  const before = (months: number) => newestUpTo(older, monthsBefore(print.date, months, monthEnds), tolerance);
  const isLong = cadence === 'quarterly' || cadence === 'annual';
  return { monthAgo: isLong ? undefined : before(1), yearAgo: before(12) };
}

interface Compared {
  readonly stored: Json | undefined;
  readonly value: number | undefined;
  readonly rules: ChangeRules;
}

/** True when an input is not what the service had when it sent the row. */
function hasMoved(print: Print, input: ComparedPrint | undefined, { stored, value, rules }: Compared): boolean {
  // When a moment is replayed, an input that is missing was not known then.
  if (!input) return !rules.asReceived;
  if (input.altered) return true;
  if (rules.commitOf === undefined || isEarlier(input, print, rules)) return false;
  // It came later, with another page of the same walk or as a revision: the result decides.
  return typeof stored === 'number' && typeof value === 'number' && Math.abs(stored - value) > Math.abs(value) * 1e-9;
}

/** True when a print is known to have been received no later than another one. */
function isEarlier(print: ComparedPrint, than: Print, rules: ChangeRules): boolean {
  const its = rules.commitOf?.(print);
  const own = rules.commitOf?.(than);
  return its !== undefined && own !== undefined && its <= own;
}

function difference(value: number | null, before: number | null | undefined): number | undefined {
  return typeof value === 'number' && typeof before === 'number' ? value - before : undefined;
}

function cleared({ row }: Print): Patch {
  const present = CHANGE_MEMBERS.percent.filter((name) => row[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, undefined]));
}

function floatOf(value: number | undefined): JsonText | undefined {
  return value === undefined ? undefined : asJsonText(floatText(value));
}
