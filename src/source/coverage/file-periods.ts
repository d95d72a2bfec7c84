import type { JsonText } from '../../contract/json/json.ts';
import { fileVintages, type VintageTimes } from '../../derive/announcements/vintages.ts';
import { LOADED_MAPPINGS } from '../../endpoints/find.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { StoredSeries, Vintage } from '../../mirror/api/series.ts';
import { GENERATED_ACCESS } from '../../mirror/rules/coverage.ts';

export type PeriodReader = Pick<MirrorReader, 'proofs' | 'rows' | 'texts' | 'vintages'>;

/** Times have a fraction where an import tells them. */
export interface KnownPeriods extends VintageTimes {
  /** Those of the moments at which somebody looked at the publisher: the release came at any time before. */
  readonly looks: ReadonlySet<number>;
}

/** Endpoints whose files may show a state with one date for all of its values. */
export const STATISTICS: ReadonlySet<string> = new Set(['announcements', 'commodities']);

/** Of a series that files show states of; undefined for any other. */
export async function periodsOfFiles(series: StoredSeries, reader: PeriodReader): Promise<KnownPeriods | undefined> {
  if (!series.origin.startsWith('import:')) return undefined;
  if ((await reader.proofs(series, GENERATED_ACCESS)).length > 0) return undefined;
  const first = await firstOf(series, reader, 0);
  // The texts of rows that list their vintages tell as much, and are read in a fraction of the time.
  if (first && !first.times.isUnlisted)
    return (LOOKED_AT.get(series.origin) ?? readTexts)(await reader.texts(series, {}));
  return (await isByRule(series, reader, first)) ? undefined : periodsOfVintages(await reader.vintages(series, []));
}

/** Behind so many dates a rule has another time, even one that is the same for all days of a month. */
const FAR_ROWS = 31;

/** True where a rule says of each value when it was published: its oldest values then have times of their own. */
async function isByRule(series: StoredSeries, reader: PeriodReader, first: Vintage | undefined): Promise<boolean> {
  if (!first?.assumed) return false;
  if (!STATISTICS.has(series.endpoint)) return true;
  const others = await Promise.all([1, FAR_ROWS].map((offset) => firstOf(series, reader, offset)));
  return others.some((other) => other && other.times.known.public !== first.times.known.public);
}

/** The first value of a row, counted from the oldest one. */
async function firstOf(series: StoredSeries, reader: PeriodReader, offset: number): Promise<Vintage | undefined> {
  const reverse = LOADED_MAPPINGS[series.endpoint]?.order === 'newest';
  const [found] = await reader.rows(series, {}, { limit: 1, offset, reverse });
  return found && (await reader.vintages(series, found.key))[0];
}

function lookingAt(isLook: (epoch: number) => boolean) {
  return (texts: readonly JsonText[]): KnownPeriods => {
    const times = fileVintages(texts);
    return { ...times, looks: new Set([...times.moments].filter(isLook)) };
  };
}

const DAY = 86_400;

/** Publishers whose vintages may be days on which somebody looked at them: a release came at any time before. */
const LOOKED_AT: ReadonlyMap<string, (texts: readonly JsonText[]) => KnownPeriods> = new Map([
  // A day of download counts from noon of the next day, and a release from 08:30 in New York.
  ['import:ALFRED', lookingAt((epoch) => ((epoch % DAY) + DAY) % DAY === DAY / 2)],
  // A file has the time of its data set, and each month has two releases.
  ['import:Eurostat', lookingAt(() => true)],
]);

const readTexts = lookingAt(() => false);

function periodsOfVintages(vintages: readonly Vintage[]): KnownPeriods {
  const begins = new Map<string, number>();
  const moments = new Set<number>();
  const looks = new Set<number>();
  for (const { key, assumed, times } of vintages) {
    const { public: known } = times.known;
    if (known === undefined) continue;
    const at = Number(known / 1_000_000n) / 1000;
    const date = String(key[0]);
    begins.set(date, Math.min(at, begins.get(date) ?? at));
    moments.add(at);
    if (times.isUnlisted && !assumed) looks.add(at);
  }
  return { begins, moments, looks };
}
