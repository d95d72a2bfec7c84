// The releases of several histories in one order.
import type { LoadedColumns, LoadedSeries } from '../../contract/hooks.ts';
import { perObject } from '../memory.ts';

/** A row by its place in the history of its indicator: nothing of it is parsed before it is known to stand on the page. */
export interface Place {
  readonly indicator: string;
  readonly at: number;
  readonly date: string;
  readonly release: number | undefined;
  /** When it may be seen by the keyless rules, where that is not its release. */
  readonly readable: number | undefined;
}

/** The columns that places are made of. */
export const PLACE_COLUMNS = ['date', 'announcement_datetime', 'released', 'val'] as const;

/** Rows of all histories, newest release first, those without a time of release last. */
export interface ReleaseOrder {
  readonly total: number;
  /** Date of the newest period. */
  readonly newest: string | undefined;
  /** The first of them: at least so many, where there are. */
  first(count: number): readonly Place[];
  /** Those of periods from a date on. */
  since(date: string): readonly Place[];
  /** How many have a time of release: the others stand last. */
  timed(): number;
}

interface History {
  readonly indicator: string;
  readonly columns: LoadedColumns;
}

/** By the columns of the first history, for as long as whoever loaded them keeps those very columns. */
const lastOrder = new WeakMap<
  LoadedColumns,
  { readonly parts: readonly (string | LoadedColumns)[]; readonly order: ReleaseOrder }
>();

/** The order of some histories. Worked out once for the same rows. */
export function orderReleases(series: ReadonlyMap<string, LoadedSeries>): ReleaseOrder {
  const histories = [...series].map(([indicator, history]) => ({ indicator, columns: placeColumnsOf(history) }));
  const [first] = histories;
  if (!first) return orderOf([]);
  const parts = histories.flatMap(({ indicator, columns }) => [indicator, columns]);
  const last = lastOrder.get(first.columns);
  if (last && last.parts.length === parts.length && last.parts.every((part, i) => part === parts[i])) return last.order;
  const order = orderOf(histories);
  lastOrder.set(first.columns, { parts, order });
  return order;
}

/** The columns of a history, be they loaded or those of its rows. */
export function placeColumnsOf(history: LoadedSeries): LoadedColumns {
  return history.columns ?? columnsOfRows(history.rows);
}

const columnsOfRows = perObject(
  (rows: LoadedSeries['rows']): LoadedColumns =>
    Object.fromEntries(PLACE_COLUMNS.map((name) => [name, rows.map(({ columns }) => columns[name] ?? null)])),
);

/** Fewer places than this are not worth a look of their own. */
const LEAST_PLACES = 256;

function orderOf(histories: readonly History[]): ReleaseOrder {
  const total = histories.reduce((count, { columns }) => count + (columns.date?.length ?? 0), 0);
  const dates = histories.flatMap(({ columns }) => columns.date?.slice(0, 1) ?? []).map(String);
  let known: readonly Place[] = [];
  let timed: number | undefined;
  return {
    total,
    newest: dates.length === 0 ? undefined : dates.reduce((newest, date) => (date > newest ? date : newest)),
    first(count) {
      if (known.length >= Math.min(count, total)) return known;
      const oldest = nthRelease(histories, { total, count: Math.max(count, 2 * known.length, LEAST_PLACES) });
      known = placesWhere(histories, (_, release) => timeOf(release) >= oldest);
      return known;
    },
    since: (date) => placesWhere(histories, (period) => period >= date),
    timed() {
      timed ??= histories.reduce((count, { columns }) => count + timesIn(columns.announcement_datetime), 0);
      return timed;
    },
  };
}

/** The release time that so many places have or are later than. */
function nthRelease(
  histories: readonly History[],
  { total, count }: { readonly total: number; readonly count: number },
): number {
  if (count >= total) return Number.NEGATIVE_INFINITY;
  const times = new Float64Array(total);
  let at = 0;
  for (const { columns } of histories)
    for (let i = 0; i < (columns.date?.length ?? 0); i += 1) {
      times[at] = timeOf(columns.announcement_datetime?.[i]);
      at += 1;
    }
  return times.sort()[total - count] ?? Number.NEGATIVE_INFINITY;
}

function timesIn(releases: LoadedColumns[string]): number {
  return releases?.reduce<number>((count, release) => count + Number(typeof release === 'number'), 0) ?? 0;
}

function timeOf(release: string | number | null | undefined): number {
  return typeof release === 'number' ? release : Number.NEGATIVE_INFINITY;
}

function placesWhere(
  histories: readonly History[],
  isWanted: (date: string, release: string | number | null | undefined) => boolean,
): readonly Place[] {
  const places: Place[] = [];
  for (const { indicator, columns } of histories) {
    const { date: dates = [], announcement_datetime: releases, released } = columns;
    for (let at = 0; at < dates.length; at += 1) {
      const date = String(dates[at]);
      const release = releases?.[at];
      if (!isWanted(date, release)) continue;
      const readable = released?.[at];
      places.push({
        ...{ indicator, at, date },
        release: typeof release === 'number' ? release : undefined,
        readable: typeof readable === 'number' ? readable : undefined,
      });
    }
  }
  return places.sort(byRelease);
}

/** Newest release first, ties by indicator; of one release of one indicator the newest period first. */
function byRelease(a: Place, b: Place): number {
  const [left, right] = [timeOf(a.release), timeOf(b.release)];
  if (left !== right) return left > right ? -1 : 1;
  if (a.indicator !== b.indicator) return a.indicator < b.indicator ? -1 : 1;
  return a.date > b.date ? -1 : Number(a.date < b.date);
}
