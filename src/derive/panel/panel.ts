import type { Compose, Composed, HookContext, LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import { asJsonText, type JsonText, toJsonText } from '../../contract/json/json.ts';
import { namedSeries, type SeriesWord } from '../../contract/params/params.ts';
import { isKnownAt, isPresent } from '../../contract/time/moments.ts';
import { addDays, BEGINNING, dateOf, dateToMs, isoSeconds } from '../../contract/time/time.ts';
import { earlier, later, missingOfUncheckedTimes } from '../../coverage/missing-parts.ts';
import { byReach, nameOfSources } from '../announcements/newest-source.ts';
import { madeOf } from '../places.ts';
import { BACK } from './body.ts';
import {
  type Known,
  knownBefore,
  type PanelMissing,
  type PanelPeriod,
  type PeriodWindow,
  panelMissing,
  periodsOf,
  type Timeline,
  timelineOf,
} from './timeline.ts';

/** Decisions at which the state of a series is unknown: changes before them may be missing. */
interface MissingDecisions {
  /** Unix seconds. */
  has(decision: number): boolean;
  /** Notes it where it is one of them. */
  meet(decision: number): void;
  /** All that was met. */
  missingParts(): readonly MissingPart[];
}

/** When a panel is made. Both in Unix seconds. */
type Moment = Pick<HookContext<unknown>, 'now' | 'presentAt'>;

/** Is a decision (Unix seconds) in the real present? Today's knowledge counts for it, however old the last check is. */
function isOfNow(decision: number, { now, presentAt = now }: Moment): boolean {
  return isPresent(decision * 1000, presentAt * 1000);
}

/** The missing decisions of a series. A decision may use values that were known before its own second. */
function missingDecisions(series: LoadedSeries | undefined, at: Moment): MissingDecisions {
  const spans = series?.knownSpans;
  /** Milliseconds. */
  const met: number[] = [];
  const momentOf = (decision: number) => (decision - 1) * 1000;
  const has = (decision: number) =>
    spans !== undefined && !isKnownAt(spans, momentOf(decision)) && !isOfNow(decision, at);
  return {
    has,
    meet(decision) {
      if (has(decision)) met.push(momentOf(decision));
    },
    missingParts: () => (series && spans ? missingOfUncheckedTimes(series.ref, spans, met) : []),
  };
}

const NANO_PER_MS = 1_000_000n;

/** The most days that a period was known before its date: a survey may be, a count never is. */
function leadOf(periods: readonly PanelPeriod[]): number {
  let lead = 0;
  for (const { date, said } of periods) {
    const ms = dateToMs(date);
    for (const { known } of said) {
      const at = known.public ?? known.captured;
      if (at !== undefined) lead = Math.max(lead, Math.ceil((ms - Number(at / NANO_PER_MS)) / DAY));
    }
  }
  return lead;
}

export interface PanelArgs extends PeriodWindow {
  /** Items as `namedSeries` reads them. */
  readonly series: readonly string[];
  /** ISO instants. */
  readonly decision_times: readonly string[];
  readonly availability: string;
}

/** One asked series, ready to be asked about any number of decisions. */
interface Column {
  readonly word: SeriesWord;
  /** The members that are the same in each of its values. */
  readonly head: string;
  /** That of the service alone, or of each file in the order of `byReach`; one without anything where nothing is stored. */
  readonly origins: readonly [Origin, ...Origin[]];
}

/** One source of a series, and the ranges that it does not cover. */
interface Origin extends History {
  /** One for all sources of a series. */
  readonly name: string | undefined;
  readonly missingRanges: PanelMissing;
  readonly unchecked: MissingDecisions;
}

/** The part that does not depend on the decisions. */
interface History {
  readonly timeline: Timeline;
  readonly isEmpty: boolean;
  /** How many days before its date a period was known. */
  readonly lead: number;
  readonly shown: Map<Known, Shown>;
}

const DAY = 86_400_000;

/** The values known strictly before each decision, by one replay of each history. See docs/interface-endpoints.md#panel. */
export const composePanel: Compose<PanelArgs> = {
  version: 3,
  reads: ({ series }) =>
    series.map((item) => {
      const { currency, indicator } = namedSeries(item);
      return { endpoint: 'announcements', scope: { currency, indicator }, exact: true };
    }),
  needs: 'all',
  // Each decision has an end of its own.
  judgesEnds: true,
  vouches: (args, picked) => ({ series: picked, window: provableWindow(args) }),
  rowsNeeded: ({ start_date }) => ({ since: start_date, kept: true, columns: ['date'] }),
  // A decision that is not one of now may lie behind the last check of a series.
  dependsOn: ({ decision_times }, at) =>
    decision_times.flatMap((time) => (isOfNow(Date.parse(time) / 1000, at) ? [time] : [])),
  build: buildPanel,
};

/** The window that makes a panel fresh: no future days, and without a start only periods near a decision. */
function provableWindow({ start_date, end_date, decision_times }: PanelArgs): PeriodWindow {
  const { first, last } = decisionDays(decision_times);
  const start = start_date === BEGINNING ? later(start_date, addDays(first, -BACK)) : start_date;
  return { start_date: start, end_date: earlier(later(last, start), end_date) };
}

function decisionDays(times: PanelArgs['decision_times']): { readonly first: string; readonly last: string } {
  let [first = ''] = times;
  let last = first;
  for (const time of times) {
    first = earlier(first, time);
    last = later(last, time);
  }
  return { first: first.slice(0, 10), last: last.slice(0, 10) };
}

function buildPanel(loaded: readonly LoadedSeries[], context: HookContext<PanelArgs>): Composed {
  const { args } = context;
  const histories = [...loaded].sort(byReach);
  const columns = args.series.map((item) => askedColumn(namedSeries(item), histories, context));
  const rows = args.decision_times.map((time) => rowOf(time, columns));
  const missing = rows.reduce((sum, row) => sum + row.missing, 0);
  return {
    envelope: {
      availability: args.availability,
      start_date: args.start_date,
      end_date: args.end_date,
      series: columns.map(({ word }) => ({
        currency: word.currency,
        indicator: word.indicator,
        max_age_days: word.maxAgeDays ?? null,
      })),
      count: rows.length,
      missing_count: missing,
    },
    rows: rows.map(({ text }) => text),
    total: rows.length,
    missingParts: columns.flatMap(({ origins }) =>
      origins.flatMap(({ missingRanges, unchecked }) => [...missingRanges.missingParts(), ...unchecked.missingParts()]),
    ),
  };
}

function askedColumn(word: SeriesWord, histories: readonly LoadedSeries[], context: HookContext<PanelArgs>): Column {
  const { currency, indicator } = word;
  const [first, ...others] = histories.filter(
    ({ ref }) => ref.scope.currency === currency && ref.scope.indicator === indicator,
  );
  const files = first?.ref.origin.startsWith('import:') ? others : [];
  return {
    word,
    head: `"currency":${JSON.stringify(currency)},"indicator":${JSON.stringify(indicator)}`,
    origins: [originOf(first, context), ...files.map((series) => originOf(series, context))],
  };
}

function originOf(series: LoadedSeries | undefined, context: HookContext<PanelArgs>): Origin {
  const { args, now } = context;
  const { start_date, end_date, availability } = args;
  const name = [start_date, end_date, availability].join(' ');
  const history = series
    ? madeOf(series, `panel ${name}`, () => replayed(periodsOf(series, args), args))
    : replayed([], args);
  return {
    name: series && nameOfSources(series),
    missingRanges: panelMissing(series, { window: args, lead: history.lead, today: dateOf(now * 1000) }),
    unchecked: missingDecisions(series, context),
    ...history,
  };
}

function replayed(periods: readonly PanelPeriod[], { availability }: PanelArgs): History {
  return {
    timeline: timelineOf(periods, availability === 'captured' ? availability : 'public'),
    isEmpty: periods.length === 0,
    lead: leadOf(periods),
    shown: new Map(),
  };
}

function rowOf(time: string, columns: readonly Column[]): { readonly text: JsonText; readonly missing: number } {
  const ms = Date.parse(time);
  const day = Math.floor(ms / DAY) * DAY;
  const at = { decision: ms / 1000, day, date: dateOf(day) };
  let list = '';
  let missing = 0;
  // Appended texts are copied only once, when the thousands of rows become one text.
  for (const column of columns) {
    const { text, isMissing } = valueAt(column, at);
    list += list === '' ? text : `,${text}`;
    if (isMissing) missing += 1;
  }
  return { text: asJsonText(`{"decision_time":${JSON.stringify(time)},"values":[${list}]}`), missing };
}

interface Value {
  readonly text: string;
  readonly isMissing: boolean;
}

/** Why there is no value. See docs/interface-endpoints.md#panel. */
type Reason = 'no_data' | 'not_known_yet' | 'not_known_then' | 'too_old' | 'ambiguous';

interface Decision {
  /** Unix seconds. */
  readonly decision: number;
  /** Milliseconds of its UTC midnight. */
  readonly day: number;
  readonly date: string;
}

function valueAt(column: Column, at: Decision): Value {
  const { origin, known, isCovered } = bestAt(column, at);
  if (!isCovered) {
    // Nothing is known of a moment without a check, whatever earlier periods are stored.
    if (origin.unchecked.has(at.decision)) origin.unchecked.meet(at.decision);
    else origin.missingRanges.meet(known?.period.date, at.date);
    return withoutValue(column, 'not_known_then', '');
  }
  if (!known) return withoutValue(column, origin.isEmpty ? 'no_data' : 'not_known_yet', '');
  const shown = shownOf(origin, known);
  const age = Math.round((at.day - shown.day) / DAY);
  const about = `${shown.about}${age}${shown.id}`;
  const { maxAgeDays } = column.word;
  if (shown.valText === undefined) return withoutValue(column, 'ambiguous', about);
  if (maxAgeDays !== undefined && age > maxAgeDays) return withoutValue(column, 'too_old', about);
  // The publisher printed the period without a value.
  if (shown.valText === 'null') return withoutValue(column, 'no_data', about);
  return { text: `{${column.head},"val":${shown.valText}${about}}`, isMissing: false };
}

interface OriginAtDecision {
  readonly origin: Origin;
  readonly known: Known | undefined;
  /** False where something that is not stored may have been known. */
  readonly isCovered: boolean;
}

/** The best source at a decision: the file with the newest period; of one series, the newest vintage. */
function bestAt({ origins: [first, ...others] }: Column, at: Decision): OriginAtDecision {
  let best = originAt(first, at);
  for (const other of others) {
    const next = originAt(other, at);
    const further = weightOf(next) - weightOf(best);
    if (further > 0 || (further === 0 && isNewer(next, best))) best = next;
  }
  return best;
}

/** That a file begins later says nothing of a decision that another one has rows around. */
function weightOf({ origin, known, isCovered }: OriginAtDecision): number {
  if (isCovered) return known ? 3 : 1;
  return origin.isEmpty ? 0 : 2;
}

function isNewer(next: OriginAtDecision, best: OriginAtDecision): boolean {
  if (dateIn(next) !== dateIn(best)) return dateIn(next) > dateIn(best);
  const isUndated = next.known?.value?.isUnlisted === true && best.known?.value?.isUnlisted === true;
  if (isUndated || next.origin.name !== best.origin.name) return false;
  const isOther = next.known?.value?.value !== best.known?.value?.value;
  return isOther && (next.known?.knownAt ?? 0) > (best.known?.knownAt ?? 0);
}

const dateIn = ({ known }: OriginAtDecision): string => known?.period.date ?? '';

function originAt(origin: Origin, at: Decision): OriginAtDecision {
  const known = knownBefore(origin.timeline, at.decision);
  const isCovered = !origin.missingRanges.mayHide(known?.period.date, at.date) && !origin.unchecked.has(at.decision);
  return { origin, known, isCovered };
}

function withoutValue({ head }: Column, reason: Reason, about: string): Value {
  return { text: `{${head},"val":null${about},"reason":"${reason}"}`, isMissing: true };
}

/** The parts of a value that are equal for all of its decisions: many of these fall between two releases. */
interface Shown {
  readonly valText: JsonText | undefined;
  /** Milliseconds of the period's date. */
  readonly day: number;
  /** Members up to the age, and those behind it. */
  readonly about: string;
  readonly id: string;
}

function shownOf({ shown }: History, known: Known): Shown {
  const before = shown.get(known);
  if (before) return before;
  const { period, value, knownAt } = known;
  const { release, observationId } = period.about();
  const about = toJsonText({ date: period.date, announcement_datetime: release, known_at: isoSeconds(knownAt) });
  const made: Shown = {
    valText: value?.valText(),
    day: dateToMs(period.date),
    about: `,${about.slice(1, -1)},"age_days":`,
    id: `,"observation_id":${JSON.stringify(observationId)}`,
  };
  shown.set(known, made);
  return made;
}
