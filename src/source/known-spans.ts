import type { MissingPart } from '../contract/hooks.ts';
import { type JsonText, parseObject } from '../contract/json/json.ts';
import {
  type AsOf,
  isKnownAt,
  isPresent,
  type KnownSpan,
  knownUntil,
  zonedInstants,
} from '../contract/time/moments.ts';
import { addDays, dateToMs } from '../contract/time/time.ts';
import { isNextRelease, type VintageState } from '../contract/time/vintages.ts';
import { fxPublisherOf, publicationLag } from '../contract/words/publishers.ts';
import { isTimedByRule } from '../coverage/data-quality.ts';
import { missingOfUncheckedTimes } from '../coverage/missing-parts.ts';
import { fileVintages, type VintageTimes, vintageStates } from '../derive/announcements/vintages.ts';
import { isBusinessDay } from '../derive/sessions.ts';
import { LOADED_MAPPINGS } from '../endpoints/find.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import type { StoredCoverage, StoredSeries, Vintage } from '../mirror/api/series.ts';
import { GENERATED_ACCESS } from '../mirror/rules/coverage.ts';
import type { MirrorQuestion } from './answer/answer.ts';
import { missingByEvents } from './newer-events.ts';

const DAY = 86_400_000;

type Asked = Pick<MirrorQuestion, 'question' | 'visible' | 'present' | 'presentAt' | 'asOf' | 'caller'>;

export type PeriodReader = Pick<MirrorReader, 'coveredRanges' | 'rows' | 'texts' | 'vintages'>;

/** Times have a fraction where an import tells them. */
interface KnownPeriods extends VintageTimes {
  /** Those of the moments at which somebody looked at the publisher: the release came at any time before. */
  readonly looks: ReadonlySet<number>;
}

/** Endpoints whose files may show a state with one date for all of its values. */
const STATISTICS: ReadonlySet<string> = new Set(['announcements', 'commodities']);

/** Times at which the mirror knows a series: up to the last check; of files, between states that follow each other. */
export async function knownSpansOf(series: StoredSeries, reader: PeriodReader): Promise<readonly KnownSpan[]> {
  const periods = await periodsOfFiles(series, reader);
  return periods ? spansOf(periods) : knownUntil(await lastCheckAt(series, reader));
}

/** True when the mirror knows the state of a series at a moment, even if it had no value then. */
export async function tellsOf(
  series: StoredSeries,
  asOf: AsOf,
  reader: PeriodReader & Pick<MirrorReader, 'knowledge'>,
): Promise<boolean> {
  return (await reader.knowledge(series, asOf)).tells && asOf.at >= (await tellsFrom(series, asOf, reader));
}

/** The same, and no release that the files leave out can have come before the moment. */
export async function knowsStateOf(
  series: StoredSeries,
  asOf: AsOf,
  reader: PeriodReader & Pick<MirrorReader, 'knowledge'>,
): Promise<boolean> {
  const spans = await spansOfFiles(series, asOf, reader);
  return (await reader.knowledge(series, asOf)).tells && (spans === undefined || isKnownAt(spans, asOf.at));
}

/** The moment (milliseconds) of the first state, for a series of files alone; -Infinity for others. */
export async function tellsFrom(series: StoredSeries, asOf: AsOf, reader: PeriodReader): Promise<number> {
  const [first] = (await spansOfFiles(series, asOf, reader)) ?? [];
  return first?.from ?? Number.NEGATIVE_INFINITY;
}

async function spansOfFiles(series: StoredSeries, { by }: AsOf, reader: PeriodReader) {
  // Rates and positions are published by a rule, and there are many of them.
  if (by !== 'public' || !STATISTICS.has(series.endpoint)) return undefined;
  const periods = await periodsOfFiles(series, reader);
  return periods && spansOf(periods);
}

/** A span begins with a state that something unknown came before, and lasts until the last state that follows. */
function spansOf(periods: KnownPeriods): readonly KnownSpan[] {
  const { states, rhythm } = vintageStates(periods);
  const spans: KnownSpan[] = [];
  let before: VintageState | undefined;
  for (const state of states) {
    const at = Math.round(state.at * 1000);
    const last = spans.at(-1);
    const follows = before && !periods.looks.has(state.at) && isNextRelease(before, state, rhythm);
    if (last && follows) spans[spans.length - 1] = { from: last.from, to: at };
    else spans.push({ from: at, to: at });
    before = state;
  }
  return spans;
}

/** Until when (milliseconds) knowledge reaches: the last check, or a file's first missing row or newest release. */
export async function lastCheckAt(series: StoredSeries, reader: PeriodReader): Promise<number> {
  if ((await reader.coveredRanges(series, GENERATED_ACCESS)).length > 0) return Number.POSITIVE_INFINITY;
  if (!series.origin.startsWith('import:')) return series.checkedAt;
  const last = lastDayOf(await reader.coveredRanges(series, 'keyless'));
  if (last === undefined) return 0;
  const newest = STATISTICS.has(series.endpoint) ? await firstOf(series, reader, 'newest') : undefined;
  const released = Number((newest?.times.known.public ?? 0n) / 1_000_000n);
  return Math.min(series.checkedAt, Math.max(nextDue(series, last), released));
}

function lastDayOf(coveredRanges: readonly StoredCoverage[]): string | undefined {
  return coveredRanges
    .map(({ to }) => String(to))
    .reduce<string | undefined>((a, b) => (a !== undefined && a > b ? a : b), undefined);
}

/** The moment from which a row of a file is missing: the next business day of its publisher, else the next day. */
function nextDue({ origin, endpoint }: StoredSeries, last: string): number {
  const publisher = endpoint === 'forex' ? fxPublisherOf(origin) : undefined;
  let day = dateToMs(addDays(last, 1));
  if (!publisher) return day;
  while (!isBusinessDay(day)) day += DAY;
  return zonedInstants(publisher.zone, publisher.hour)(day + publicationLag(publisher, day) * DAY) * 1000;
}

/** Changes up to the moment that nothing has covered; at the present, announced events alone. */
export async function missingOfUnchecked(ask: Asked, picked: readonly StoredSeries[]): Promise<readonly MissingPart[]> {
  const moment = momentOfKnowledge(ask);
  if (moment === undefined || isPresent(moment, ask.presentAt)) return missingByEvents(ask, picked);
  // A keyless caller is shown nothing later than this, looked at or not.
  const until = Math.min(moment, (ask.visible.cutoff ?? Number.POSITIVE_INFINITY) * 1000);
  const { compose } = ask.question.endpoint;
  const sets = compose?.vouches?.(ask.visible.args, picked)?.anyOf ?? [picked];
  const found = await Promise.all(
    sets.map(async (refs) => {
      const set = picked.filter((series) => refs.includes(series));
      const origins = Map.groupBy(set, ({ endpoint, scope }) => JSON.stringify([endpoint, scope]));
      return (await Promise.all([...origins.values()].map((same) => uncheckedAt(same, [until], ask.present)))).flat();
    }),
  );
  return found.find((missingParts) => missingParts.length === 0) ?? found[0] ?? [];
}

/** The missing parts of a series at some moments: a moment is covered if one of its origins was checked. */
async function uncheckedAt(
  same: readonly StoredSeries[],
  moments: readonly number[],
  reader: PeriodReader,
): Promise<readonly MissingPart[]> {
  const [first] = same;
  if (!first) return [];
  return missingOfUncheckedTimes(
    first,
    (await Promise.all(same.map((series) => knownSpansOf(series, reader)))).flat(),
    moments,
  );
}

/** The same of one stored series at some moments (milliseconds), for whoever reads the mirror at this machine. */
export async function missingUncheckedAt(
  series: StoredSeries,
  {
    moments,
    now,
    reader,
  }: { readonly moments: readonly number[]; readonly now: number; readonly reader: PeriodReader },
): Promise<readonly MissingPart[]> {
  return uncheckedAt(
    [series],
    moments.filter((moment) => !isPresent(moment, now)),
    reader,
  );
}

/** The moment (milliseconds) whose knowledge counts, be it that of the reading or one by which the endpoint chooses rows. */
function momentOfKnowledge({ question: { endpoint, args }, asOf }: Asked): number | undefined {
  if (asOf) return asOf.by === 'mirrored' ? undefined : asOf.at;
  // A list that is stored for each moment separately belongs to its moment, whenever it was requested.
  const isKeptApart = endpoint.mirror?.scope?.includes('as_of') === true;
  return typeof args.as_of === 'number' && !isKeptApart ? args.as_of * 1000 : undefined;
}

/** The known periods of a series whose states files show; undefined for any other. */
async function periodsOfFiles(series: StoredSeries, reader: PeriodReader): Promise<KnownPeriods | undefined> {
  if (!series.origin.startsWith('import:')) return undefined;
  if ((await reader.coveredRanges(series, GENERATED_ACCESS)).length > 0) return undefined;
  // A rule says of each value when it was published, and a calendar may know of some when they were in truth.
  if (series.envelope && isTimedByRule(parseObject(series.envelope.text))) return undefined;
  const first = await firstOf(series, reader, 'oldest');
  // The texts of rows that list their vintages tell as much, and are read in a fraction of the time.
  if (first && !first.times.isUnlisted)
    return (LOOKED_AT.get(series.origin) ?? readTexts)(await reader.texts(series, {}));
  return first?.assumed && !STATISTICS.has(series.endpoint)
    ? undefined
    : periodsOfVintages(await reader.vintages(series, []));
}

/** The first value of the oldest or the newest row. */
async function firstOf(
  series: StoredSeries,
  reader: PeriodReader,
  end: 'oldest' | 'newest',
): Promise<Vintage | undefined> {
  const reverse = LOADED_MAPPINGS[series.endpoint]?.order !== end;
  const [found] = await reader.rows(series, {}, { limit: 1, offset: 0, reverse });
  return found && (await reader.vintages(series, found.key))[0];
}

function lookingAt(isLook: (epoch: number, texts: readonly JsonText[]) => boolean) {
  return (texts: readonly JsonText[]): KnownPeriods => {
    const times = fileVintages(texts);
    return { ...times, looks: new Set([...times.moments].filter((at) => isLook(at, texts))) };
  };
}

const isNoon = (epoch: number) => ((epoch % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS === DAY_SECONDS / 2;

/** A calendar of releases has this moment. */
function isConfirmed(texts: readonly JsonText[], epoch: number): boolean {
  const entry = new RegExp(`"epoch":${epoch},[^{}]*"publication_time_status":"confirmed"`);
  return texts.some((text) => entry.test(text));
}

const DAY_SECONDS = 86_400;

/** Publishers whose vintages may be days on which somebody looked at them: a release came at any time before. */
const LOOKED_AT: ReadonlyMap<string, (texts: readonly JsonText[]) => KnownPeriods> = new Map([
  // A day of download counts from noon of the next day, and a release from 08:30 in New York.
  ['import:ALFRED', lookingAt((epoch, texts) => isNoon(epoch) && !isConfirmed(texts, epoch))],
  // A file has the time of its data set, and each month has two releases.
  ['import:Eurostat', lookingAt(() => true)],
]);

const readTexts = lookingAt(() => false);

function periodsOfVintages(vintages: readonly Vintage[]): KnownPeriods {
  const begins = new Map<string, number>();
  const moments = new Set<number>();
  const looks = new Set<number>();
  for (const { key, assumed, epoch, times } of vintages) {
    const { public: known } = times.known;
    if (known === undefined) continue;
    const at = Number(known / 1_000_000n) / 1000;
    const date = String(key[0]);
    begins.set(date, Math.min(at, begins.get(date) ?? at));
    moments.add(at);
    if (times.isUnlisted && !assumed && epoch === undefined) looks.add(at);
  }
  return { begins, moments, looks };
}
