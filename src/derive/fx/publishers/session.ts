import type { PageArgs } from '../../../contract/endpoint.ts';
import type { Compose, Composed, Envelope, HookContext, LoadedSeries, StoredRef } from '../../../contract/hooks.ts';
import { type JsonObject, type JsonText, toJsonText } from '../../../contract/json/json.ts';
import type { Range } from '../../../contract/time/coverage.ts';
import { addDays, dateOf, dateToMs, isoSeconds } from '../../../contract/time/time.ts';
import { FX_PUBLISHERS, type FxPublisher, fxPublisherOf, longestLag } from '../../../contract/words/fx-publishers.ts';
import { earlier, lacksOfSeriesList } from '../../lacks.ts';
import { pagesOfOneEnvelope } from '../../page-rows.ts';
import { choosePath, isOfPair, pairText } from '../pairs/paths.ts';
import { closingOf, lastClose, nextClose } from './closes.ts';
import { sourcesOf } from './coverage.ts';
import { assumedTimes } from './notes.ts';
import { DAILY, INTRADAY, REFERENCE } from './observations.ts';
import { sortedRates } from './order.ts';
import { bytesHeldBy, type Dates } from './rates.ts';
import { originOfRate, ratePrices } from './rows.ts';
import { seriesAround, timed } from './series.ts';
import { type FirstObservation, MAX_STALENESS_MINUTES, type SessionRate, sessionRates } from './session-rates.ts';
import { lacksAround } from './undecided.ts';

export const SESSION = 'fx_session_rates';

/** The arguments of the session-rates route. */
export interface SessionArgs extends PageArgs {
  readonly base: string;
  readonly quote: string;
  readonly session: string;
  readonly date: string | undefined;
  readonly start_date: string;
  readonly end_date: string;
  readonly order: string;
}

/**
 * The last direct observation at or before each close of a session. Walk: the closes of the window that are over; for each
 * what the service said, else, where its word is not proven to be all, the last observation of the pair before it. A pair
 * that is only derived has no observations of its own: its answer is empty.
 */
export const composeSession: Compose<SessionArgs> = {
  version: 2,
  reads: (args) => [ownRef(args), ...seriesAround(args, [REFERENCE, INTRADAY, DAILY])],
  selectSeries: pickSession,
  vouches(args, picked) {
    const series = picked.filter((ref) => isOwn(ref, args));
    return series.length > 0 ? { series } : undefined;
  },
  rowsNeeded: (args, ref) => ({ since: addDays(datesOf(args).from, -slackOf(ref)) }),
  dependsOn: (args, { now }) => [lastClose(args.session, now)],
  build: buildSession,
};

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
  return choosePath(args, usable) ? usable.slice(0, 1) : [];
}

function datesOf({ date, start_date, end_date }: SessionArgs): Dates {
  return { from: date ?? start_date, to: date ?? end_date };
}

function buildSession(loaded: readonly LoadedSeries[], { args, now }: HookContext<SessionArgs>): Composed {
  const dates = datesOf(args);
  const past = { ...dates, to: earlier(dates.to, dateOf(now * 1000)) };
  const own = loaded.find(({ ref }) => isOwn(ref, args));
  const { rates, first } = sessionRates({ pair: args, session: args.session, dates, now }, own, loaded);
  const rows = sortedRates(rates, args.order, () => 0);
  const page = rows.slice(args.offset, args.offset + args.limit);
  const isDirect = loaded.some(({ ref }) => isOfPair(ref, args));
  const envelope = envelopeOf(args, { dates, rows, own });
  const textOf = (row: SessionRate) => row.rate.text ?? rowText(args, row);
  return {
    envelope,
    rows: page.map(textOf),
    total: rows.length,
    lacks: own
      ? lacksAround(own, loaded, past)
      : loaded.flatMap((series) => lacksOfSeriesList([series], neededOf(series, past, first))),
    notes: [
      ...(isDirect
        ? []
        : [`No source publishes ${pairText(args)} itself: session rates are direct observations only.`]),
      ...assumedTimes(rows.map(({ rate }) => rate)),
    ],
    pages: {
      ...pagesOfOneEnvelope(envelope, rows, textOf),
      until: nextClose(args.session, now),
      heldBytes: bytesHeldBy(rows.map(({ rate }) => rate)),
    },
  };
}

/**
 * What counts of a series where the service's own rates do not decide: from the first observation at a close on, or from
 * what lies before the first close, where that has none. An older date may have been published since, where a file does
 * not bring each on its day.
 */
function neededOf(series: LoadedSeries, { from, to }: Dates, first: FirstObservation | undefined): Range {
  const { ref } = series;
  const begin = first && !hasLateDates(series) ? earlier(from, first.date) : addDays(from, -slackOf(ref));
  if (ref.endpoint !== INTRADAY) return { from: begin, to };
  const second = (date: string) => dateToMs(date) / 1000;
  return { from: first ? earlier(second(from), first.at) : second(begin), to: second(to) + 86_399 };
}

/** Are rates of a week in it that are published together? */
function hasLateDates({ ref, rows }: LoadedSeries): boolean {
  return longestLag(fxPublisherOf(ref.origin) ?? {}) > 0 || rows.some(({ columns }) => WEEKLY.has(columns.source_id));
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
