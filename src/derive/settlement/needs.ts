import type { Lack, LoadedSeries } from '../../contract/hooks.ts';
import { addDays, BEGINNING } from '../../contract/time/time.ts';
import { earlier, lackOfAll, lacksOfSeriesList } from '../lacks.ts';
import { RANGE_BOUNDS, type RecordOptions } from './record.ts';
import { historiesOf, type SettlementRelease } from './release.ts';
import { isPolicy, publishedTemplates, ROWS_OF_PRECISION } from './templates.ts';

/** What a record is looked for in. */
export interface Search {
  readonly options: RecordOptions & { readonly period: string };
  readonly histories: readonly LoadedSeries[];
  readonly loaded: readonly LoadedSeries[];
  readonly today: string;
  /** Nothing before it is shown to this caller. */
  readonly visibleFrom: string;
}

/** What is not known of the place where the release of a period would stand: of the newest one, behind the one found. */
export function lacksOfSearch(
  { options, histories, today, visibleFrom }: Search,
  release: SettlementRelease | undefined,
): readonly Lack[] {
  const { currency, indicator, period } = options;
  if (histories.length === 0) return [lackOfAll('announcements', { currency, indicator })];
  if (period !== 'latest')
    return release || period < visibleFrom ? [] : lacksOfSeriesList(histories, { from: period, to: period });
  return lacksOfSeriesList(histories, { from: release ? addDays(release.print.date, 1) : visibleFrom, to: today });
}

/** What the computed record of a release rests on and is not covered. */
export function lacksOfRecord(search: Search, release: SettlementRelease): readonly Lack[] {
  const { options, loaded, today } = search;
  const { print, series } = release;
  const rest = restOfRows(search, release);
  return [
    ...lacksOfSearch(search, release),
    ...lacksOfSeriesList([series], { from: rest, to: earlier(hasTemplate(search) ? print.date : today, today) }),
    ...(decides(search, release) ? boundLacks(options, loaded, print.date) : []),
  ];
}

/** The oldest row that the record looks at: of a decision the one before it, of printed decimals those of the newest rows. */
function restOfRows(search: Search, release: SettlementRelease): string {
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
function hasTemplate({ options, loaded }: Search): boolean {
  return publishedTemplates(loaded).some(({ contractId }) => contractId === options.template?.contractId);
}

function decides({ options }: Search, { series }: SettlementRelease): boolean {
  return options.contract ? options.contract.type === 'decision' : isPolicy(options.indicator, series.envelope);
}

/** The bounds in force on a date, of those that are stored. */
function boundLacks({ currency }: RecordOptions, loaded: readonly LoadedSeries[], date: string): readonly Lack[] {
  return Object.values(RANGE_BOUNDS).flatMap((indicator) => {
    const histories = historiesOf(loaded, { currency, indicator });
    const dates = histories.flatMap(({ rows }) => rows.map(({ columns }) => String(columns.date)));
    const newest = dates
      .filter((one) => one <= date)
      .sort()
      .at(-1);
    return lacksOfSeriesList(histories, { from: newest ?? BEGINNING, to: date });
  });
}
