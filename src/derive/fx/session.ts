import type { WindowArgs } from '../../contract/endpoint.ts';
import type { Compose, Composed, Envelope, HookContext, LoadedSeries, StoredRef } from '../../contract/hooks.ts';
import { type JsonObject, type JsonText, toJsonText } from '../../contract/json/json.ts';
import { isCovered, type Range } from '../../contract/time/coverage.ts';
import { zonedInstants } from '../../contract/time/moments.ts';
import { addDays, dateOf, dateToMs, isCalendarDate, isoSeconds, LAST_DATE } from '../../contract/time/time.ts';
import { FX_PUBLISHERS, type FxPublisher, fxPublisherOf, longestLag } from '../../contract/words/publishers.ts';
import { earlier, later, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { placesOf, valuesOf } from '../places.ts';
import { isBusinessDay, SESSIONS, type SessionName } from '../sessions.ts';
import {
  DAILY,
  INTRADAY,
  isSynthetic,
  nativeOf,
  type PublishedRate,
  RATE_COLUMNS,
  REFERENCE,
  seriesAround,
  sortedRates,
  timed,
} from './observations.ts';
import { isOfPair, type Pair, pairText, pathsOf } from './paths.ts';
import {
  type Dates,
  datesOfWindow,
  directRates,
  originOfRate,
  type Rate,
  ratePrices,
  rowRates,
  storedText,
} from './published-rates.ts';
import { assumedTimes, missingAround, sourcesOf, undecidedBy } from './publisher-coverage.ts';

export const SESSION = 'fx_session_rates';

/** The words of the `session` parameter. */
export const SESSION_NAMES: readonly SessionName[] = SESSIONS.map(({ name }) => name);

/** The arguments of the session-rates route. */
export interface SessionArgs extends Pair, WindowArgs {
  readonly session: string;
  readonly date: string | undefined;
  readonly order: string;
}

/** The last direct observation before each close of a session, the service's own first. Derived pairs have none. */
export const composeSession: Compose<SessionArgs> = {
  version: 2,
  reads: (args) => [ownRef(args), ...seriesAround(args, [REFERENCE, INTRADAY, DAILY])],
  selectSeries: pickSession,
  vouches(args, picked) {
    const series = picked.filter((ref) => isOwn(ref, args));
    return series.length > 0 ? { series } : undefined;
  },
  rowsNeeded: (args, ref) => ({
    since: addDays(datesOfWindow(args).from, -slackOf(ref)),
    columns: [...RATE_COLUMNS, 'staleness_minutes', 'session_close_utc'],
  }),
  dependsOn: (args, { now }) => [lastClose(args.session, now)],
  build: buildSession,
};

/** Older than this before its close an observation says nothing of it. See docs/interface-endpoints.md#session-rates. */
const MAX_STALENESS_MINUTES = 10_080;

/** An observation may be so much older than its close, and the close lies up to a day from its date in UTC. */
const SLACK_DAYS = MAX_STALENESS_MINUTES / 1440 + 2;

/** Days before the first close that the date of its observation may lie: rates of a week come together in the next one. */
function slackOf({ origin }: StoredRef): number {
  return SLACK_DAYS + longestLag(fxPublisherOf(origin) ?? {});
}

const ownRef = ({ base, quote, session }: SessionArgs) => ({ endpoint: SESSION, scope: { base, quote, session } });

const isOwn = (ref: StoredRef, { session }: SessionArgs) => ref.endpoint === SESSION && ref.scope.session === session;

function pickSession(args: SessionArgs, stored: readonly StoredRef[]): readonly StoredRef[] {
  const usable = timed(stored).filter((ref) => ref.endpoint !== SESSION || isOwn(ref, args));
  const direct = usable.filter((ref) => isOfPair(ref, args));
  if (direct.length > 0) return direct;
  // The pair is known and nobody publishes it: one series is enough to say so.
  return pathsOf(args, usable).length > 0 ? usable.slice(0, 1) : [];
}

function buildSession(loaded: readonly LoadedSeries[], { args, now }: HookContext<SessionArgs>): Composed {
  const dates = datesOfWindow(args);
  const past = { ...dates, to: earlier(dates.to, dateOf(now * 1000)) };
  const own = loaded.find(({ ref }) => isOwn(ref, args));
  const { rates, first, beyond } = sessionRates({ pair: args, session: args.session, dates, now }, own, loaded);
  const rows = sortedRates(rates, args.order, () => 0);
  const page = rows.slice(args.offset, args.offset + args.limit);
  const isDirect = loaded.some(({ ref }) => isOfPair(ref, args));
  const envelope = envelopeOf(args, { dates, rows, own });
  const textOf = (row: SessionRate) => storedText(row.rate) ?? rowText(args, row);
  return {
    envelope,
    rows: page.map(textOf),
    total: rows.length,
    missingParts: own
      ? missingAround(own, loaded, past)
      : [
          ...loaded.flatMap((series) => missingOfSeriesList([series], neededOf(series, past, first))),
          ...(beyond ? [{ series: beyond.series, range: { from: beyond.from, to: past.to } }] : []),
        ],
    notes: [
      ...(isDirect
        ? []
        : [`No source publishes ${pairText(args)} itself: session rates are direct observations only.`]),
      ...assumedTimes(rows.map(({ rate }) => rate)),
    ],
  };
}

/** The needed dates of a series where the service does not decide, from the first close's observation on. */
function neededOf(series: LoadedSeries, { from, to }: Dates, first: FirstObservation | undefined): Range {
  const { ref } = series;
  const begin = first && !hasLateDates(series) ? earlier(from, first.date) : addDays(from, -slackOf(ref));
  if (ref.endpoint !== INTRADAY) return { from: begin, to };
  const second = (date: string) => dateToMs(date) / 1000;
  return { from: first ? earlier(second(from), first.at) : second(begin), to: second(to) + 86_399 };
}

/** Are rates of a week in it that are published together? */
function hasLateDates(series: LoadedSeries): boolean {
  const { start, end } = placesOf(series);
  if (longestLag(fxPublisherOf(series.ref.origin) ?? {}) > 0) return true;
  return valuesOf(series, 'source_id')
    .slice(start, end)
    .some((source) => WEEKLY.has(source));
}

const WEEKLY: ReadonlySet<unknown> = new Set(
  Object.values<FxPublisher>(FX_PUBLISHERS).flatMap((one) => (longestLag(one) > 0 ? [one.id] : [])),
);

function envelopeOf(
  args: SessionArgs,
  { dates, rows, own }: { dates: Dates; rows: readonly SessionRate[]; own: LoadedSeries | undefined },
): Envelope {
  const { pagination, dataset_version, ...kept }: JsonObject = own?.envelope ?? {};
  const { zone, local } = closingOf(args.session);
  return {
    ...kept,
    base: args.base,
    quote: args.quote,
    pair: pairText(args),
    session: args.session,
    session_timezone: zone,
    session_close_local: local,
    start_date: dates.from,
    end_date: dates.to,
    coverage: {
      staleness_minutes: spreadOf(rows.map(({ staleness }) => staleness)),
      sources: sourcesOf(rows.map(({ date, rate }) => ({ ...rate, date }))),
    },
  };
}

/** Nothing of an empty window. */
function spreadOf(values: readonly number[]): Envelope {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) return {};
  return { min: sorted[0], median: (low + high) / 2, max: sorted.at(-1) };
}

function rowText({ session }: SessionArgs, { date, at, close, staleness, rate }: SessionRate): JsonText {
  return toJsonText({
    date,
    session,
    session_close_utc: isoSeconds(close),
    timestamp_utc: isoSeconds(at),
    timestamp_type: rate.type,
    ...(rate.assumed && { timestamp_assumed: true }),
    ...ratePrices(rate),
    staleness_minutes: staleness,
    ...originOfRate(rate),
  });
}

/** The rate of one session: an observation and how old it was at the close. */
interface SessionRate {
  readonly date: string;
  /** Unix seconds of the observation. */
  readonly at: number;
  /** Unix seconds of the session's close. */
  readonly close: number;
  /** Whole minutes. */
  readonly staleness: number;
  readonly rate: Rate;
}

interface SessionQuestion {
  readonly pair: Pair;
  readonly session: string;
  readonly dates: Dates;
  /** Unix seconds. */
  readonly now: number;
}

/** The earliest date and time of the observations at some closes: what came before says nothing of any of these. */
type FirstObservation = Omit<Wait, 'close'>;

interface SessionRates {
  /** One for each date that has one, oldest first. */
  readonly rates: readonly SessionRate[];
  /** The first observation of all closes; undefined if the first close has none, or if it is in doubt. */
  readonly first?: FirstObservation | undefined;
  /** Closes after the last check, from a date on: rates published before them have not been fetched. */
  readonly beyond?: { readonly series: StoredRef; readonly from: string } | undefined;
}

/** Rates of sessions: the service's own rate of a date comes before a rate found here. */
function sessionRates(
  question: SessionQuestion,
  own: LoadedSeries | undefined,
  loaded: readonly LoadedSeries[],
): SessionRates {
  const { dates } = question;
  const published = own ? toldSessions(question, own) : [];
  const undecided = undecidedBy(own, dates);
  if (!undecided) return { rates: published };
  const known = new Set(published.map(({ date }) => date));
  const { rates, ...others } = foundSessions(
    question,
    loaded.filter((series) => series !== own),
  );
  return { rates: [...published, ...rates.filter(({ date }) => !known.has(date) && undecided(date))], ...others };
}

function toldSessions({ pair, dates }: SessionQuestion, own: LoadedSeries): readonly SessionRate[] {
  const rates = rowRates(pair, own);
  const [waits, closes] = [valuesOf(own, 'staleness_minutes'), valuesOf(own, 'session_close_utc')];
  const told: SessionRate[] = [];
  for (let { start: place, end } = placesOf(own); place < end; place += 1) {
    const [rate, staleness, close] = [rates[place], waits[place], closes[place]];
    if (!rate || rate.date < dates.from || rate.date > dates.to) continue;
    if (typeof staleness !== 'number' || typeof close !== 'number') continue;
    told.push({ date: rate.date, at: rate.at, close, staleness, rate });
  }
  return told;
}

function foundSessions(question: SessionQuestion, loaded: readonly LoadedSeries[]): SessionRates {
  const { pair, session, dates, now } = question;
  const direct = loaded.filter(({ ref }) => isOfPair(ref, pair));
  const observations = nativeOf(pair, direct).filter(({ val }) => val > 0);
  const [oldest] = observations;
  if (!oldest) return { rates: [] };
  // No close before the first observation has a rate; its date can be that of the day before, west of Greenwich.
  const earliest = addDays(dateOf(oldest.at * 1000), -1);
  const from = later(dates.from, earliest);
  const reach = Math.max(...direct.map(checkedUntil));
  const over = closesBetween(session, { ...dates, from }, now);
  const closes = over.filter(({ at }) => at <= reach);
  const [unchecked] = over.slice(closes.length);
  const [series] = direct;
  const beyond = unchecked && series && { series: series.ref, from: unchecked.date };
  const found = atCloses(pair, closes, observations);
  if (found.length === 0) return { rates: [], beyond };
  const longest = longestWait(found);
  const doubtful = direct.filter((series) => !isKnownUntilClose(series, longest));
  const rates = found.filter(({ at, close, rate: { date } }) =>
    doubtful.every((series) => isKnownUntilClose(series, { at, close, date })),
  );
  // A later close never has an older observation: none misses one where the first close has one.
  const hasFirst = from === dates.from && found[0]?.close === closes[0]?.at;
  return { rates, first: hasFirst ? firstOf(longest) : undefined, beyond };
}

/** Until when (Unix seconds) all observations are known: the last day of a file, the moment of a check. */
function checkedUntil(series: LoadedSeries): number {
  const { ref, coverage } = series;
  const end = coverage.ranges.at(-1)?.to;
  if (end === undefined || !coverage.isOpen || isSynthetic(series)) return Number.POSITIVE_INFINITY;
  if (!ref.origin.startsWith('import:')) return (ref.checkedAt ?? Number.POSITIVE_INFINITY) / 1000;
  return typeof end === 'string' && isCalendarDate(end) ? dateToMs(end) / 1000 + 86_399 : Number.POSITIVE_INFINITY;
}

function firstOf({ at, date }: Wait): FirstObservation {
  return { at, date: earlier(date, dateOf(at * 1000)) };
}

/** From an observation, by its date and its time, to a close. */
interface Wait extends Pick<SessionRate, 'at' | 'close'> {
  readonly date: string;
}

/** All waits of some rates and whatever lies between them: most series cover that, and nobody has to ask of each rate. */
function longestWait(found: readonly SessionRate[]): Wait {
  let [at, close, date] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, LAST_DATE];
  for (const one of found) {
    at = Math.min(at, one.at);
    close = Math.max(close, one.close);
    date = earlier(date, one.rate.date);
  }
  return { at, close, date };
}

/** No later observation can be missing: what a series says between the observation and the close is all stored. */
function isKnownUntilClose({ ref, coverage }: LoadedSeries, { at, close, date }: Wait): boolean {
  if (ref.endpoint === INTRADAY) return isCovered(coverage, { from: at, to: close });
  return isCovered(coverage, { from: firstOf({ at, close, date }).date, to: dateOf(close * 1000) });
}

/** Merges two lists from old to new; at one moment the newest date wins, then the first source. */
function atCloses(
  pair: Pair,
  closes: readonly Close[],
  observations: readonly PublishedRate[],
): readonly SessionRate[] {
  const found: SessionRate[] = [];
  const rateOf = directRates(pair);
  let next = 0;
  let last: PublishedRate | undefined;
  for (const close of closes) {
    for (let one = observations[next]; one && one.at <= close.at; one = observations[++next])
      if (!last || one.at > last.at || one.date > last.date) last = one;
    const staleness = last ? Math.floor((close.at - last.at) / 60) : Number.POSITIVE_INFINITY;
    const rate = last && staleness <= MAX_STALENESS_MINUTES ? rateOf(last) : undefined;
    if (last && rate) found.push({ date: close.date, at: last.at, close: close.at, staleness, rate });
  }
  return found;
}

const DAY = 86_400_000;

/** The close of a session on one of its business days. */
interface Close {
  readonly date: string;
  /** Unix seconds. */
  readonly at: number;
}

/** A session's closing hour, as its own wall shows it. */
function closingOf(name: string) {
  const { zone, closes } = sessionOf(name);
  return { zone, local: `${String(closes).padStart(2, '0')}:00` };
}

/** The closes of a session on the weekdays from one date to another that are over at `now` (Unix seconds), oldest first. */
export function closesBetween(name: string, dates: { from: string; to: string }, now: number): readonly Close[] {
  const { zone, closes } = sessionOf(name);
  const closeOn = zonedInstants(zone, closes);
  const found: Close[] = [];
  const last = Math.min(dateToMs(dates.to), now * 1000 + DAY);
  for (let date = dateToMs(dates.from); date <= last; date += DAY) {
    if (!isBusinessDay(date)) continue;
    const at = closeOn(date);
    if (at <= now) found.push({ date: dateOf(date), at });
  }
  return found;
}

/** The date of the last close that is over, whatever its weekday: until the next one no answer changes by itself. */
export function lastClose(name: string, now: number): string {
  const { zone, closes } = sessionOf(name);
  const closeOn = zonedInstants(zone, closes);
  let date = dateToMs(dateOf(now * 1000)) + DAY;
  while (closeOn(date) > now) date -= DAY;
  return dateOf(date);
}

function sessionOf(name: string) {
  const session = SESSIONS.find((one) => one.name === name);
  if (!session) throw new Error(`There is no session '${name}'`);
  return session;
}
