import type { LoadedSeries } from '../../contract/hooks.ts';
import { type JsonObject, type JsonText, objectIn, parseObject } from '../../contract/json/json.ts';
import { instantOf } from '../../contract/time/time.ts';
import type { SettlementRelease, Sight } from './release.ts';

/** A record as a service sent it. */
export interface ReceivedRecord {
  readonly text: JsonText;
  readonly row: JsonObject;
  readonly period: string;
  /** When the mirror first saw it with these values, in milliseconds. */
  readonly seenAt: number;
}

/** The received records of a question that a caller may see, and the release times of those that the delay hides. */
export interface ReceivedRecords {
  readonly best: ReceivedRecord | undefined;
  readonly withheld: readonly number[];
  /** The service named the best one as its newest. */
  readonly isNewest: boolean;
  /** Some record of the asked period is stored, visible or not. */
  readonly isAsked: boolean;
  /** Some record is stored, visible or not. */
  readonly any: boolean;
}

/** Picks the record of a period, or of the newest one. Of several for one period the last that was seen speaks. */
export function findReceived(own: readonly LoadedSeries[], period: string, sight: Sight): ReceivedRecords {
  const all = own.flatMap(({ rows }) => rows.map(({ text, seenAt = 0 }) => readRecord(text, seenAt)));
  const newest = own
    .filter(({ ref }) => ref.scope.period === 'latest')
    .flatMap(({ rows }) => rows.map(({ text }) => text));
  const matching = all.filter((record) => period === 'latest' || record.period === period);
  const inWindow = matching.filter((record) => sight.cutoffDate === undefined || record.period >= sight.cutoffDate);
  const withheld = inWindow.flatMap((record) => hiddenRelease(record, sight) ?? []);
  const [best] = inWindow
    .filter((record) => hiddenRelease(record, sight) === undefined && !mayTellTooMuch(record, sight))
    .sort((a, b) => (a.period === b.period ? b.seenAt - a.seenAt : a.period < b.period ? 1 : -1));
  return {
    best,
    withheld,
    isNewest: best !== undefined && newest.includes(best.text),
    isAsked: matching.length > 0,
    any: all.length > 0,
  };
}

function readRecord(text: JsonText, seenAt: number): ReceivedRecord {
  const row = parseObject(text);
  return { text, row, period: String(row.period), seenAt };
}

function hiddenRelease({ row }: ReceivedRecord, { cutoff }: Sight): number | undefined {
  const first = objectIn(row.first_print);
  const release = instantOf(first.announcement_datetime);
  return cutoff !== undefined && release !== undefined && release > cutoff ? release : undefined;
}

/** A revision inside of the delay: what came in after the cutoff and differs from the first print may be one. */
function mayTellTooMuch({ row, seenAt }: ReceivedRecord, { cutoff }: Sight): boolean {
  return cutoff !== undefined && seenAt > cutoff * 1000 && row.revised !== false;
}

/**
 * True when the service's record is still the word on its period: no newer one is asked for and stored, and no value of it
 * that came in later disagrees.
 */
export function speaksFirst(record: ReceivedRecord, release: SettlementRelease | undefined): boolean {
  if (!release || release.print.date !== record.period) return !release || release.print.date < record.period;
  const isLater = release.seenAt !== undefined && release.seenAt > record.seenAt;
  return !isLater || Object.is(release.latest, record.row.latest_value);
}
