import type { Lack } from '../../contract/hooks.ts';
import { zonedInstants } from '../../contract/time/instants.ts';
import { addDays, dateToMs } from '../../contract/time/time.ts';
import { fxPublisherOf, publicationLag } from '../../contract/words/fx-publishers.ts';
import { lackOfUnseen } from '../../derive/lacks.ts';
import { isBusinessDay } from '../../derive/sessions/windows.ts';
import type { CoverageInterval, MirrorReader, StoredSeries } from '../../mirror/api/mirror.ts';
import { GENERATED_ACCESS } from '../../mirror/ledger/certain.ts';
import type { MirrorQuestion } from '../answer/answer.ts';

const DAY = 86_400_000;

type Asked = Pick<MirrorQuestion, 'question' | 'visible' | 'present' | 'now' | 'asOf'>;

/**
 * What became known of the picked series between the mirror's last look at them and the moment of the question. What is
 * asked as of now or later lacks nothing by this: that answer is as old as the mirror is. What the mirror itself held at a
 * moment is known exactly.
 */
export async function lacksOfUnseen(ask: Asked, picked: readonly StoredSeries[]): Promise<readonly Lack[]> {
  const moment = momentOfKnowledge(ask);
  if (moment === undefined || moment >= Math.floor(ask.now / 1000) * 1000) return [];
  // A keyless caller is shown nothing later than this, looked at or not.
  const until = Math.min(moment, (ask.visible.cutoff ?? Number.POSITIVE_INFINITY) * 1000);
  const origins = Map.groupBy(picked, ({ endpoint, scope }) => JSON.stringify([endpoint, scope]));
  const found = await Promise.all(
    [...origins.values()].map((same) => unseenUntil(same, { until, proofs: ask.present.proofs })),
  );
  return found.flat();
}

interface UnseenSince {
  /** Milliseconds, as are the two that follow. */
  readonly since: number;
  readonly moment: number;
  readonly now: number;
  readonly proofs: MirrorReader['proofs'];
}

/**
 * The same of one series, from whatever origins, for whoever reads the mirror at this machine and asks what happened since a
 * moment. Where nobody looked since then, nothing is known of that time, even if it goes on until now.
 */
export async function lacksOfUnseenSince(
  same: readonly StoredSeries[],
  { since, moment, now, proofs }: UnseenSince,
): Promise<readonly Lack[]> {
  if (moment < Math.floor(now / 1000) * 1000) return unseenUntil(same, { until: moment, proofs });
  return (await isUnseenSince(same, { since, proofs })) ? unseenUntil(same, { until: moment, proofs }) : [];
}

/**
 * Whether nobody looked at any of some series since a moment (milliseconds). A file is not read again before its publisher
 * has something new.
 */
export async function isUnseenSince(
  same: readonly StoredSeries[],
  { since, proofs }: Pick<UnseenSince, 'since' | 'proofs'>,
): Promise<boolean> {
  const ends = await Promise.all(
    same.map(async (series) => {
      const { origin, checkedAt } = series;
      const last = origin.startsWith('import:') ? lastDayOf(await proofs(series, 'keyless')) : undefined;
      return last === undefined ? Math.max(checkedAt, await lastLookAt(series, proofs)) : nextDue(series, last);
    }),
  );
  return ends.every((end) => end <= since);
}

/** When somebody last looked at one of some series, in milliseconds. */
export async function lookedAtAny(same: readonly StoredSeries[], proofs: MirrorReader['proofs']): Promise<number> {
  return Math.max(...(await Promise.all(same.map((series) => lastLookAt(series, proofs)))));
}

async function unseenUntil(
  same: readonly StoredSeries[],
  { until, proofs }: Pick<UnseenSince, 'proofs'> & { readonly until: number },
): Promise<readonly Lack[]> {
  const [first] = same;
  const lookedAt = await lookedAtAny(same, proofs);
  return first && lookedAt < until ? [lackOfUnseen(first, { lookedAt, until })] : [];
}

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

/** The moment (milliseconds) whose knowledge counts, be it that of the reading or one by which the endpoint chooses rows. */
function momentOfKnowledge({ question: { endpoint, args }, asOf }: Asked): number | undefined {
  if (asOf) return asOf.by === 'mirrored' ? undefined : asOf.at;
  // A list that is kept for each moment apart is that of its moment, whenever it was asked for.
  const isKeptApart = endpoint.mirror?.scope?.includes('as_of') === true;
  return typeof args.as_of === 'number' && !isKeptApart ? args.as_of * 1000 : undefined;
}
