/** Replaces an importer's assumed release times with the real ones. */
import { patchRow } from '../../contract/json/body.ts';
import {
  asJsonText,
  isJsonObject,
  type JsonObject,
  objectIn,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { memberSpans, memberTexts } from '../../contract/json/scan.ts';
import { dateOf } from '../../contract/time/time.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';

/** The releases of an indicator, as the calendars of a mirror have them. */
export interface ReleaseTimes {
  /** The last release on a UTC day, in Unix seconds. */
  onDay(day: string): number | undefined;
  /** The first release of a reference period, by its end. */
  ofPeriod(end: string): number | undefined;
}

type Reads = Pick<Mirror, 'find' | 'rows'>;

/** The endpoint whose rows are calendars, and the word for the files that bring such rows. */
export const CALENDAR = 'calendar';

/** Gives the releases of a series' indicator. */
export type ReleaseTimesOf = (scope: Readonly<Record<string, string>>) => ReleaseTimes | undefined;

/** Reads the past releases of some currencies that no calendar calls tentative. `now` is in milliseconds. */
export async function readReleaseTimes(
  mirror: Reads,
  currencies: Iterable<string>,
  now: number,
): Promise<ReleaseTimesOf> {
  const found = new Map<string, { readonly days: Map<string, number>; readonly periods: Map<string, number> }>();
  for (const currency of new Set(currencies))
    for (const series of await mirror.find({ endpoint: CALENDAR, scope: { currency } }))
      for (const { columns, text } of await mirror.rows(series, { to: Math.floor(now / 1000) })) {
        const { release, announcement_datetime: at } = columns;
        const { date, release_date_confirmed: isConfirmed } = parseObject(text);
        if (typeof at !== 'number' || isConfirmed === false) continue;
        const name = `${currency} ${release}`;
        const { days, periods } = found.get(name) ?? { days: new Map(), periods: new Map() };
        found.set(name, { days, periods });
        const day = dateOf(at * 1000);
        days.set(day, Math.max(at, days.get(day) ?? at));
        if (typeof date === 'string') periods.set(date, Math.min(at, periods.get(date) ?? at));
      }
  return ({ currency, indicator }) => {
    const one = found.get(`${currency} ${indicator}`);
    return one && { onDay: (day) => one.days.get(day), ofPeriod: (end) => one.periods.get(end) };
  };
}

const CONFIRMED = toJsonText('confirmed');
const ASSUMED = 'assumed_historical';

/**
 * The row with real times; undefined where nothing changes. A vintage known by its day gets the minute of that day's
 * release. A value dated by a rule gets the release time of its period.
 */
export function withRealTimes(row: NewRow, times: ReleaseTimes, isByRule: boolean): NewRow | undefined {
  const { text, value } = row;
  const date = String(value.date);
  const [list] = memberTexts(text, ['revisions']);
  if (list?.startsWith('[')) return withRealVintages(row, times, list);
  const release = times.ofPeriod(date);
  if (!isByRule || release === undefined || value.announcement_datetime !== undefined) return undefined;
  const { assumedRelease: _, ...others } = row;
  return patched(others, { announcement_datetime: toJsonText(release), publication_time_status: CONFIRMED });
}

function withRealVintages(row: NewRow, times: ReleaseTimes, list: string): NewRow | undefined {
  let isChanged = false;
  let before = Number.NEGATIVE_INFINITY;
  const entries = memberSpans(list).map(({ start, end }) => {
    const own = asJsonText(list.slice(start, end));
    const entry = parseObject(own);
    const real = isAssumedDay(entry) ? times.onDay(dateOf(Number(entry.epoch) * 1000)) : undefined;
    // A time that would turn the order of the vintages around belongs to another release.
    const isInOrder = real !== undefined && real > before;
    before = isInOrder ? real : Number(entry.epoch);
    if (!isInOrder) return own;
    isChanged = true;
    return patchRow(own, { epoch: toJsonText(real), publication_time_status: CONFIRMED });
  });
  if (!isChanged) return undefined;
  const first = objectIn(entries[0] === undefined ? undefined : parseObject(entries[0]));
  const isReal = first.publication_time_status === 'confirmed' && row.value.announcement_datetime !== undefined;
  return patched(row, {
    revisions: asJsonText(`[${entries.join(',')}]`),
    ...(isReal && { announcement_datetime: toJsonText(Number(first.epoch)), publication_time_status: CONFIRMED }),
  });
}

const isAssumedDay = ({ epoch, publication_time_status: status, publication_time_precision: precision }: JsonObject) =>
  typeof epoch === 'number' && status === ASSUMED && precision === 'day';

function patched(row: NewRow, patch: Parameters<typeof patchRow>[1]): NewRow {
  const text = patchRow(row.text, patch);
  return { ...row, text, value: parseObject(text) };
}

/** True for members of a series whose times follow from a rule. */
export function areTimedByRule(members: JsonObject): boolean {
  const { data_quality: quality } = members;
  return isJsonObject(quality) && quality.has_assumed_release_times === true;
}
