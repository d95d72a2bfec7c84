import { zonedInstants } from '../../contract/time/moments.ts';
import { addDays, dateToMs } from '../../contract/time/time.ts';
import { fxPublisherOf, publicationLag } from '../../contract/words/fx-publishers.ts';
import { isBusinessDay } from '../../derive/sessions.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { CoverageInterval, StoredSeries } from '../../mirror/api/series.ts';
import { GENERATED_ACCESS } from '../../mirror/rules/coverage.ts';

const DAY = 86_400_000;

/**
 * Until when the mirror knows what was known of a series, in milliseconds: when it last asked the service, or the moment
 * from which an official file lacks a row, however late it was read. Generated data is known at any moment.
 */
export async function lastLookAt(series: StoredSeries, proofs: MirrorReader['proofs']): Promise<number> {
  if ((await proofs(series, GENERATED_ACCESS)).length > 0) return Number.POSITIVE_INFINITY;
  if (!series.origin.startsWith('import:')) return series.checkedAt;
  const last = lastDayOf(await proofs(series, 'keyless'));
  return last === undefined ? 0 : Math.min(series.checkedAt, nextDue(series, last));
}

function lastDayOf(proofs: readonly CoverageInterval[]): string | undefined {
  return proofs
    .map(({ to }) => String(to))
    .reduce<string | undefined>((a, b) => (a !== undefined && a > b ? a : b), undefined);
}

/**
 * From when on a file that ends with a date lacks a row: publishers of exchange rates publish on business days, at their
 * hour. A holiday of theirs is not known, so a file is called old a little too soon then. Of another publisher nobody knows
 * its days, so its file is old when its last day is over.
 */
function nextDue({ origin, endpoint }: StoredSeries, last: string): number {
  const publisher = endpoint === 'forex' ? fxPublisherOf(origin) : undefined;
  let day = dateToMs(addDays(last, 1));
  if (!publisher) return day;
  while (!isBusinessDay(day)) day += DAY;
  return zonedInstants(publisher.zone, publisher.hour)(day + publicationLag(publisher, day) * DAY) * 1000;
}
