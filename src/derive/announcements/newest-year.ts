// The newest year of a history: its members in an answer, and how many rows they need.

import type { HeadOfRows, LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  floatText,
  type JsonObject,
  type JsonText,
  objectIn,
  objectText,
  toJsonText,
} from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { isCovered, runEnds } from '../../contract/time/coverage.ts';
import { BEGINNING, dateOf } from '../../contract/time/time.ts';
import {
  type Cadence,
  cadenceOf,
  monthsBefore,
  newestUpTo,
  percentChange,
  RHYTHMS,
  SAMPLE,
  standsForMonths,
} from '../cadence.ts';
import { madeOf } from '../places.ts';
import { comparedWith } from './change-members.ts';
import { type Print, readKept, readPrint } from './print.ts';
import { latestShown, missingOfHistory } from './series.ts';

export interface NewestYear {
  readonly envelope: JsonObject;
  /** Undefined where the caller may see no print. */
  readonly shown: ShownPrints | undefined;
  /** Release time of the newest print that the caller may not see yet. */
  readonly hidden: number | undefined;
  readonly cadence: Cadence | undefined;
  /** Older prints may exist that the newest one is compared with: a missing range lies before the last of these. */
  readonly isCut: boolean;
  /** The entry of the indicator, where nobody sent one. */
  text(): JsonText | undefined;
  /** More of the series that it takes to know all this; undefined where it is known. */
  readonly needs: HeadOfRows | undefined;
}

/** Prints as the caller may see them. */
export interface ShownPrints {
  readonly latest: Print;
  readonly previous: Print | undefined;
  /** Values that the newest one is compared with; undefined where there is none. */
  readonly before: Readonly<Record<'month' | 'quarter' | 'year', number | null | undefined>>;
}

/** The first read of a history: enough to tell the cadence, and all needed rows if periods are months or longer. */
export const FIRST_HEAD: HeadOfRows = { head: 2 * SAMPLE };

/** True where nothing newer than the newest row existed when the mirror last looked: only then is it the latest. */
export function isKnownToEnd({ rows, coverage }: LoadedSeries, now: number): boolean {
  const newest = rows[0]?.columns.date;
  return typeof newest === 'string' && isCovered(coverage, { from: newest, to: dateOf(now * 1000) });
}

/** Missing part behind the newest row of a history: something newer may exist there. */
export function missingOfEnd({ ref, rows, coverage }: LoadedSeries, now: number): readonly MissingPart[] {
  return missingOfHistory(ref, coverage, { from: String(rows[0]?.columns.date), to: dateOf(now * 1000) });
}

export function moreForNewestYears(
  histories: Iterable<LoadedSeries>,
  cutoff: number | undefined,
  now: number,
): ReadonlyMap<LoadedSeries, HeadOfRows> {
  const more = new Map<LoadedSeries, HeadOfRows>();
  for (const history of histories) {
    const { needs } = history.isHead ? readNewestYear(history, cutoff, now) : {};
    if (needs) more.set(history, needs);
  }
  return more;
}

/** The newest year of a history, without what the delay hides. Where nothing is hidden, it follows from the series alone. */
export function readNewestYear(series: LoadedSeries, cutoff: number | undefined, now: number): NewestYear {
  const name = `tail ${JSON.stringify(series.coverage)}`;
  return cutoff === undefined
    ? madeOf(series, name, () => tailOf(series, undefined, now))
    : tailOf(series, cutoff, now);
}

function tailOf(series: LoadedSeries, cutoff: number | undefined, now: number): NewestYear {
  const { envelope, rows, kept, coverage, isHead } = series;
  const dates = rows.map(({ columns }) => String(columns.date));
  const [end = 0] = runEnds(coverage, dates);
  const cadence = cadenceOf(dates.slice(0, end));
  const perYear = cadence ? RHYTHMS[cadence].rowsPerYear : 2;
  const shown: Period[] = [];
  let hidden: number | undefined;
  for (let place = 0; place < end && shown.length <= perYear; place += 1) {
    const text = rows[place]?.text ?? asJsonText('');
    const print = () => readKept(readPrint(text), kept);
    const release = cutoff === undefined ? undefined : print().release;
    if (cutoff !== undefined && release !== undefined && release > cutoff) hidden ??= release;
    else shown.push({ date: dates[place] ?? '', print: () => latestShown(print(), cutoff, now) });
  }
  const isRead = shown.length > perYear || end < rows.length || !isHead;
  const isCut = shown.length <= perYear && !isCovered(coverage, { from: BEGINNING, to: dates[end - 1] ?? '' });
  const told = { envelope, cadence };
  const prints = isRead ? shownPrints(shown, cadence) : undefined;
  let text: JsonText | undefined;
  return {
    ...{ ...told, hidden, isCut, shown: prints },
    text() {
      text ??= prints && entryText(describedBy(series.ref.scope.indicator ?? '', told), prints);
      return text;
    },
    needs: isRead ? undefined : { head: perYear + 1 + end - shown.length },
  };
}

interface Period {
  readonly date: string;
  print(): Print;
}

function shownPrints([latest, ...older]: readonly Period[], cadence: Cadence | undefined): ShownPrints | undefined {
  if (!latest) return undefined;
  const { monthAgo, yearAgo } = comparedWith(latest, older, cadence);
  const quarterAgo =
    cadence === 'quarterly'
      ? newestUpTo(older, monthsBefore(latest.date, 3, standsForMonths(cadence)), RHYTHMS.quarterly.tolerance)
      : undefined;
  return {
    latest: latest.print(),
    previous: older[0]?.print(),
    before: { month: monthAgo?.print().val, quarter: quarterAgo?.print().val, year: yearAgo?.print().val },
  };
}

/** One value of an entry: `latest` or `previous`. */
export interface Value {
  readonly date: string;
  readonly val: number | null;
  readonly release: number | undefined;
  readonly text: JsonText;
}

/** Members that are null when the newest print is withheld. */
export const CHANGES = ['pct_diff_prev', 'pct_change_mom', 'pct_change_qoq', 'pct_change_yoy'] as const;

/** The entry of an indicator: its newest prints behind the members that describe it. */
export function entryText(identity: JsonText, { latest, previous, before }: ShownPrints): JsonText {
  const against = (val: number | null | undefined) => {
    const change = percentChange(latest.val, val);
    return change === undefined ? undefined : asJsonText(floatText(change));
  };
  return patchRow(identity, {
    latest: valueOfPrint(latest).text,
    previous: previous && valueOfPrint(previous).text,
    pct_diff_prev: against(previous?.val),
    pct_change_mom: against(before.month),
    pct_change_qoq: against(before.quarter),
    pct_change_yoy: against(before.year),
  });
}

export function valueOfPrint(print: Print): Value {
  const names = ['announcement_datetime', 'source', 'source_url'];
  const texts = memberTexts(print.text, names);
  const { date, val, release, valText } = print;
  const members = [
    ['date', toJsonText(date)],
    ['val', valText],
    ...names.map((name, i) => [name, texts[i]] as const),
  ] as const;
  return { date, val, release, text: objectText(members) };
}

/** Members of an entry that describe the indicator, as its history tells them. */
export function describedBy(indicator: string, tail: Pick<NewestYear, 'envelope' | 'cadence'> | undefined): JsonText {
  const { envelope = {}, cadence } = tail ?? {};
  const { name, unit, frequency, source, source_url, seasonal_adjustment, has_official_forecast } = envelope;
  return toJsonText({
    ...{ indicator, name },
    unit: unit ?? objectIn(envelope.value_metadata).source_unit,
    frequency: typeof frequency === 'string' ? frequency : cadence && RHYTHMS[cadence].label,
    ...{ source, source_url, seasonal_adjustment, has_official_forecast },
  });
}
