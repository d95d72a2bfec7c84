// The dates that a record needs and that the mirror does not cover.
import type { LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import { earlier, missingAll, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { RANGE_BOUNDS, type RecordOptions } from './record.ts';
import { historiesOf, type SettlementRelease } from './release.ts';
import { isPolicy, publishedTemplates, ROWS_OF_PRECISION } from './templates.ts';

/** The texts that may contain a record. */
export interface RecordSearch {
  readonly options: RecordOptions & { readonly period: string };
  readonly histories: readonly LoadedSeries[];
  readonly loaded: readonly LoadedSeries[];
  readonly today: string;
  /** Nothing before it is shown to this caller. */
  readonly visibleFrom: string;
}

/** Missing dates at which the release of a period may stand; for the newest release, the dates after the found one. */
export function missingOfSearch(
  { options, histories, today, visibleFrom }: RecordSearch,
  release: SettlementRelease | undefined,
): readonly MissingPart[] {
  const { currency, indicator, period } = options;
  if (histories.length === 0) return [missingAll('announcements', { currency, indicator })];
  if (period !== 'latest')
    return release || period < visibleFrom ? [] : missingOfSeriesList(histories, { from: period, to: period });
  const from = release ? addDays(release.print.date, 1) : visibleFrom;
  return missingOfSeriesList(isBehindCheck(histories, today) ? histories.map(closed) : histories, { from, to: today });
}

/** True where a newer period may have been released before today, behind the last check. A file has no check. */
function isBehindCheck(histories: readonly LoadedSeries[], today: string): boolean {
  const yesterday = addDays(today, -1);
  return histories.every(({ ref, coverage }) => {
    const last = coverage.ranges.at(-1)?.to;
    return !ref.origin.startsWith('import:') && last !== undefined && last < yesterday;
  });
}

function closed(series: LoadedSeries): LoadedSeries {
  return { ...series, coverage: { ...series.coverage, isOpen: false } };
}

/** The newest record, where the service named it before yesterday: it may have a newer one. */
export function missingSinceCheck(own: readonly LoadedSeries[], today: string): readonly MissingPart[] {
  const newest = own.filter(({ ref }) => ref.scope.period === 'latest');
  const checkedAt = Math.max(0, ...newest.map(({ ref }) => ref.checkedAt ?? 0));
  return dateOf(checkedAt) >= addDays(today, -1) ? [] : newest.map(({ ref }) => ({ series: ref }));
}

/** The uncovered inputs of the computed record of a release. */
export function missingOfRecord(search: RecordSearch, release: SettlementRelease): readonly MissingPart[] {
  const { options, loaded, today } = search;
  const { print, series } = release;
  const rest = restOfRows(search, release);
  return [
    ...missingOfSearch(search, release),
    ...missingOfSeriesList([series], { from: rest, to: earlier(hasTemplate(search) ? print.date : today, today) }),
    ...(decides(search, release) ? boundMissing(options, loaded, print.date) : []),
  ];
}

/** The oldest row that the record looks at: of a decision the one before it, of printed decimals those of the newest rows. */
function restOfRows(search: RecordSearch, release: SettlementRelease): string {
  const { print, series } = release;
  const dateAt = (place: number) => {
    const row = series.rows[place];
    return row === undefined ? BEGINNING : String(row.columns.date);
  };
  const place = series.rows.findIndex(({ columns }) => String(columns.date) === print.date);
  const before = decides(search, release) ? dateAt(place + 1) : print.date;
  return hasTemplate(search) ? before : earlier(before, dateAt(ROWS_OF_PRECISION - 1));
}

/** A template that follows from the history rests on the printed decimals of its newest rows. */
function hasTemplate({ options, loaded }: RecordSearch): boolean {
  return publishedTemplates(loaded).some(({ contractId }) => contractId === options.template?.contractId);
}

function decides({ options }: RecordSearch, { series }: SettlementRelease): boolean {
  return options.contract ? options.contract.type === 'decision' : isPolicy(options.indicator, series.envelope);
}

/** The missing parts of the bounds in force on a date, for stored bounds. */
function boundMissing(
  { currency }: RecordOptions,
  loaded: readonly LoadedSeries[],
  date: string,
): readonly MissingPart[] {
  return Object.values(RANGE_BOUNDS).flatMap((indicator) => {
    const histories = historiesOf(loaded, { currency, indicator });
    const dates = histories.flatMap(({ rows }) => rows.map(({ columns }) => String(columns.date)));
    const newest = dates
      .filter((one) => one <= date)
      .sort()
      .at(-1);
    return missingOfSeriesList(histories, { from: newest ?? BEGINNING, to: date });
  });
}
