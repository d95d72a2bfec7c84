import type { LoadedSeries } from '../../../contract/hooks.ts';
import { isCovered } from '../../../contract/time/coverage.ts';
import { addDays, dateOf, LAST_DATE } from '../../../contract/time/time.ts';
import { earlier, later } from '../../lacks.ts';
import { isOfPair, type Pair } from '../pairs/paths.ts';
import { type Close, closesBetween } from './closes.ts';
import { INTRADAY, nativeOf } from './observations.ts';
import type { PublishedRate } from './published-rate.ts';
import { type Dates, directRates, type Rate, rowRates } from './rates.ts';
import { undecidedBy } from './undecided.ts';

/** Older than this before its close an observation says nothing of it. See docs/interface.md#session-rates. */
export const MAX_STALENESS_MINUTES = 10_080;

/** The rate of one session: an observation and how old it was at the close. */
export interface SessionRate {
  readonly date: string;
  /** Unix seconds of the observation. */
  readonly at: number;
  /** Unix seconds of the session's close. */
  readonly close: number;
  /** Whole minutes. */
  readonly staleness: number;
  readonly rate: Rate;
}

export interface SessionQuestion {
  readonly pair: Pair;
  readonly session: string;
  readonly dates: Dates;
  /** Unix seconds. */
  readonly now: number;
}

/** The earliest date and time of the observations at some closes: what came before says nothing of any of these. */
export type FirstObservation = Omit<Wait, 'close'>;

export interface SessionRates {
  /** One for each date that has one, oldest first. */
  readonly rates: readonly SessionRate[];
  /** Of all closes; undefined where the first one has no observation, also where that one is in doubt. */
  readonly first?: FirstObservation | undefined;
}

/** What the service said of a date is preferred to what is found here. */
export function sessionRates(
  question: SessionQuestion,
  own: LoadedSeries | undefined,
  loaded: readonly LoadedSeries[],
): SessionRates {
  const { dates } = question;
  const published = own ? toldSessions(question, own) : [];
  const undecided = undecidedBy(own, dates);
  if (!undecided) return { rates: published };
  const known = new Set(published.map(({ date }) => date));
  const { rates, first } = foundSessions(
    question,
    loaded.filter((series) => series !== own),
  );
  return { rates: [...published, ...rates.filter(({ date }) => !known.has(date) && undecided(date))], first };
}

function toldSessions({ pair, dates }: SessionQuestion, own: LoadedSeries): readonly SessionRate[] {
  const rateOfRow = rowRates(pair, own);
  return own.rows.flatMap((row) => {
    const rate = rateOfRow(row);
    const { staleness_minutes: staleness, session_close_utc: close } = row.columns;
    if (!rate || rate.date < dates.from || rate.date > dates.to) return [];
    if (typeof staleness !== 'number' || typeof close !== 'number') return [];
    return [{ date: rate.date, at: rate.at, close, staleness, rate }];
  });
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
  const closes = closesBetween(session, { ...dates, from }, now);
  const found = atCloses(pair, closes, observations);
  if (found.length === 0) return { rates: [] };
  const longest = longestWait(found);
  const doubtful = direct.filter((series) => !isKnownUntilClose(series, longest));
  const rates = found.filter(({ at, close, rate: { date } }) =>
    doubtful.every((series) => isKnownUntilClose(series, { at, close, date })),
  );
  // A later close never has an older observation: none lacks one where the first close has one.
  const hasFirst = from === dates.from && found[0]?.close === closes[0]?.at;
  return { rates, first: hasFirst ? firstOf(longest) : undefined };
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

/**
 * Both lists run from old to new, so that one pass over them is enough. Of one moment the newest date counts, and of
 * that the first source.
 */
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
