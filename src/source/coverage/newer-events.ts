// An event is newer than any check before it: what its series said until then is not the newest any more.
import type { Lack } from '../../contract/hooks.ts';
import { isJsonObject, parseObject } from '../../contract/json/json.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { StoredRow, StoredSeries } from '../../mirror/api/series.ts';
import type { MirrorQuestion } from '../answer/answer.ts';
import { EVENT_FEED } from './unwatched.ts';

/** Endpoints whose rows are releases, of the indicator in their scope or of all of a currency. */
const RELEASED: ReadonlySet<string> = new Set(['announcements', 'announcements_latest']);

/** True of a series whose rows release events announce. A file is checked against nothing. */
export function isReleased({ endpoint, origin }: StoredSeries): boolean {
  return RELEASED.has(endpoint) && !origin.startsWith('import:');
}

/** The events of a series that came, and were processed, behind a check of it (milliseconds). */
export async function eventsSince(
  reader: Pick<MirrorReader, 'find' | 'rows'>,
  { scope: { currency = '', indicator } }: StoredSeries,
  checkedAt: number,
): Promise<readonly StoredRow[]> {
  const feeds = await reader.find(EVENT_FEED);
  // Events tell whole seconds: of the second of the check those count that came later.
  const second = Math.floor(checkedAt / 1000);
  const rows = (await Promise.all(feeds.map((feed) => reader.rows(feed, { from: second })))).flat();
  return rows.filter(({ columns, seenAt }) => {
    if (seenAt <= checkedAt) return false;
    const isOfCurrency = String(columns.currency).toLowerCase() === currency.toLowerCase();
    return isOfCurrency && (indicator === undefined || columns.indicator === indicator);
  });
}

/** The dates that a question of now asks for and that events have announced since the picked series were checked. */
export async function missingByEvents(
  { asOf, visible, present }: Pick<MirrorQuestion, 'asOf' | 'visible' | 'present'>,
  picked: readonly StoredSeries[],
): Promise<readonly Lack[]> {
  if (asOf) return [];
  const { start_date: start, end_date: end } = visible.args;
  const isAsked = (date: string) =>
    (typeof start !== 'string' || date >= start) && (typeof end !== 'string' || date <= end);
  const isHidden = ({ columns: { release_timestamp: release } }: StoredRow) =>
    visible.cutoff !== undefined && typeof release === 'number' && release > visible.cutoff;
  const found = picked.filter(isReleased).map(async ({ endpoint, scope, ...series }): Promise<readonly Lack[]> => {
    const events = await eventsSince(present, { endpoint, scope, ...series }, series.checkedAt);
    return events
      .filter((event) => !isHidden(event))
      .flatMap((event) => {
        const date = dateOfEvent(event);
        const named = { series: { endpoint, scope, exact: true } };
        if (date !== undefined) return isAsked(date) ? [{ ...named, range: { from: date, to: date } }] : [];
        const at = isoSeconds(Number(event.key[0]));
        return [{ ...named, range: { from: at, to: at }, isUnseen: true as const }];
      });
  });
  return (await Promise.all(found)).flat();
}

/** The reference date of the release; undefined where the event does not say. */
function dateOfEvent({ text }: StoredRow): string | undefined {
  const event = parseObject(text);
  const latest = isJsonObject(event.latest_announcement) ? event.latest_announcement : event;
  return typeof latest.date === 'string' ? latest.date : undefined;
}
