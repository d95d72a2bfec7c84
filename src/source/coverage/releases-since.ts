import { DELAY_SECONDS, DELAY_STEP_SECONDS, readableAt } from '../../contract/access.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { AccessTag, StoredSeries } from '../../mirror/api/series.ts';

/** Seconds for which a release may be late: an answer that soon after its time may not have it yet. */
const LATE = 600;

/** An older proof is fresh by no measure, so that nothing is looked for. */
const A_DAY = 86_400;

/** Endpoints whose rows are releases, of the indicator in their scope or of all of a currency. */
const RELEASED: ReadonlySet<string> = new Set(['announcements', 'announcements_latest']);

/** A series, and when it was last proven to be whole, in milliseconds. */
export interface CoveredSeries {
  readonly series: StoredSeries;
  readonly provenAt: number;
}

/**
 * When the newest release came out that a held calendar announced and that one of the series may lack, because it was
 * proven before, or too soon after; milliseconds, undefined when there is none. What is announced is fresh until the next
 * event: see docs/interface.md#announcements.
 */
export async function releaseSince(
  reader: MirrorReader,
  proven: readonly CoveredSeries[],
  moment: { readonly now: number; readonly access: AccessTag },
): Promise<number | undefined> {
  const released = proven.filter(({ series, provenAt }) => isReleased(series) && provenAt > moment.now - A_DAY * 1000);
  const found = await Promise.all(released.map((one) => releasesSince(reader, one, moment)));
  const all = found.flat();
  return all.length === 0 ? undefined : Math.max(...all) * 1000;
}

function isReleased({ endpoint }: StoredSeries): boolean {
  return RELEASED.has(endpoint);
}

/** Unix seconds at which they could be read. */
async function releasesSince(
  reader: MirrorReader,
  { series, provenAt }: CoveredSeries,
  { now, access }: { readonly now: number; readonly access: AccessTag },
): Promise<readonly number[]> {
  const { currency = '', indicator } = series.scope;
  const [proven, to] = [provenAt / 1000, Math.floor(now / 1000)];
  const from = Math.floor(proven) - LATE - DELAY_SECONDS - DELAY_STEP_SECONDS;
  const calendars = await reader.find({ endpoint: 'calendar', scope: { currency } });
  const rows = await Promise.all(calendars.map((calendar) => reader.rows(calendar, { from, to })));
  return rows.flat().flatMap(({ columns: { release, announcement_datetime: at } }) => {
    if (typeof at !== 'number' || (indicator !== undefined && release !== indicator)) return [];
    const out = access === 'keyless' ? readableAt(at) : at;
    return out <= to && proven < out + LATE ? [out] : [];
  });
}
