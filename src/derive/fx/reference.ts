import type { WindowArgs } from '../../contract/endpoint.ts';
import type { Compose, Composed, Envelope, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import { type Json, type JsonObject, objectIn } from '../../contract/json/json.ts';
import { FIRST_DATE } from '../../contract/time/coverage.ts';
import { addDays, dateOf, LAST_DATE, parseInstant } from '../../contract/time/time.ts';
import { fxPublisherOf } from '../../contract/words/publishers.ts';
import { marksOf } from '../../coverage/data-quality.ts';
import { earlier } from '../../coverage/missing-parts.ts';
import { around, DAILY, INTRADAY, ownAmong, plainType, RATE_COLUMNS, REFERENCE, sortedRates } from './observations.ts';
import type { Pair } from './paths.ts';
import { pairText } from './paths.ts';
import {
  byNaturalKey,
  type Dates,
  datesOfWindow,
  derivedRates,
  intradayRow,
  mergedRates,
  momentName,
  publishedRates,
  type Rate,
  referenceRow,
  storedText,
} from './published-rates.ts';
import {
  absentNotes,
  missingAround,
  missingOfPublishers,
  rateNotes,
  sourcesOf,
  undecidedBy,
  unknownSourceNotes,
} from './publisher-coverage.ts';
import { SOURCE_POLICY } from './sources.ts';

/** The arguments of the reference-rates route. */
export interface ReferenceArgs extends Pair, WindowArgs {
  readonly date: string | undefined;
  readonly source: string | undefined;
  readonly timestamp_type: string | undefined;
  readonly native_only: boolean;
  readonly include_source_legs: boolean;
  readonly order: string;
}

/** Days after which daily rates count as stale. See docs/interface.md#data-quality. */
const STALE_AFTER_DAYS = 7;

/** Observations of a pair: the service's own, else rates that follow from others; then filters, order and page. */
export const composeReference: Compose<ReferenceArgs> = {
  version: 2,
  ...around(REFERENCE, [DAILY]),
  rowsNeeded: (args) => ({ since: datesOfWindow(args).from, columns: RATE_COLUMNS }),
  build: buildReference,
};

function buildReference(loaded: readonly LoadedSeries[], context: HookContext<ReferenceArgs>): Composed | undefined {
  const { args } = context;
  const dates = datesOfWindow(args);
  const own = ownAmong(loaded, REFERENCE, args);
  const published = own ? publishedRates(args, own) : [];
  const undecided = undecidedBy(own, { ...dates, to: LAST_DATE });
  const others = undecided ? derivedRates(args, loaded, { ...dates, to: LAST_DATE }) : [];
  const everything = mergedRates(
    published,
    others.filter(({ date }) => undecided?.(date)),
  );
  const rates = sortedRates(everything.filter(matching(args, dates)), args.order, byNaturalKey);
  const page = rates.slice(args.offset, args.offset + args.limit);
  const today = dateOf(context.now * 1000);
  const newest = everything.reduce<string | undefined>(
    (a, { date }) => (a !== undefined && a > date ? a : date),
    undefined,
  );
  const missingUpTo = (to: string, from = dates.from) => missingAround(own, loaded, { from, to: earlier(to, today) });
  const latest = missingUpTo(today, newest).length === 0 ? newest : undefined;
  const range = { from: dates.from, to: earlier(dates.to, today) };
  const known = new Set([
    ...everything.map(({ sourceId }) => sourceId),
    ...loaded.flatMap(({ ref }) => fxPublisherOf(ref.origin)?.id ?? []),
  ]);
  const { base, quote, source } = args;
  const { missingParts, absent } = missingOfPublishers(own, loaded, { range, source, known, pair: { base, quote } });
  const envelope = envelopeOf(args, { dates, rates, own, latest, today, isWhole: missingUpTo(dates.to).length === 0 });
  const textOf = (rate: Rate) => referenceRow(rate, args.include_source_legs);
  return {
    envelope,
    rows: page.map(textOf),
    total: rates.length,
    missingParts,
    notes: [
      ...unknownSourceNotes(args.source, { known, what: pairText(args) }),
      ...rateNotes(args, rates),
      ...absentNotes(absent, range),
    ],
  };
}

function matching(args: ReferenceArgs, dates: Dates): (rate: Rate) => boolean {
  const { source, timestamp_type, native_only } = args;
  return ({ date, sourceId, type, isDerived }) =>
    date >= dates.from &&
    date <= dates.to &&
    (source === undefined || sourceId === source) &&
    (timestamp_type === undefined || type === plainType(timestamp_type)) &&
    !(native_only && isDerived);
}

interface Facts {
  readonly dates: Dates;
  /** Those of the whole window. */
  readonly rates: readonly Rate[];
  readonly own: LoadedSeries | undefined;
  /** Undefined without a row, and where a newer one may exist. */
  readonly latest: string | undefined;
  /** Nothing of the window can be missing. */
  readonly isWhole: boolean;
  readonly today: string;
}

/** The members beside the rows, over what the service last said, so that members unknown here survive. */
function envelopeOf(args: ReferenceArgs, facts: Facts): Envelope {
  const { dates, rates, own } = facts;
  const { pagination, dataset_version, data_quality: stated, ...kept }: JsonObject = own?.envelope ?? {};
  const sources = sourcesOf(rates);
  return {
    ...kept,
    base: args.base,
    quote: args.quote,
    pair: pairText(args),
    start_date: dates.from,
    end_date: dates.to,
    source_policy: kept.source_policy ?? SOURCE_POLICY,
    coverage: { sources },
    data_quality: qualityOf(facts, sources, stated),
  };
}

function qualityOf(facts: Facts, sources: ReturnType<typeof sourcesOf>, stated: unknown): Envelope {
  const { rates, latest, today, isWhole } = facts;
  const assumed = rates.filter((rate) => rate.assumed).length;
  return marksOf({
    about: {
      source_type: 'official',
      ...objectIn(stated as Json | undefined), // a member of a stored answer
      source_name: sources.length > 0 ? sources.map(({ name, source }) => name ?? source).join(', ') : undefined,
      datetime_field: 'timestamp_utc',
      datetime_precision: 'second',
    },
    counts: {
      has_assumed_release_times: assumed > 0,
      assumed_release_time_count: assumed,
      row_count: rates.length,
    },
    isDerived: rates.length > 0 && rates.every(({ isDerived }) => isDerived),
    latest,
    today,
    staleAfter: STALE_AFTER_DAYS,
    hasData: rates.length > 0 || isWhole ? rates.length > 0 : undefined,
  });
}

/** The arguments of the intraday route; times are ISO date-times in UTC. */
interface IntradayArgs extends Pair {
  readonly start_time: string;
  readonly end_time: string;
}

/** Observations by their time: the service's own, else from timed reference rates. Files state no times. */
export const composeIntraday: Compose<IntradayArgs> = {
  version: 2,
  ...around(INTRADAY, [REFERENCE]),
  // The reference date can lie before the day of the observation.
  rowsNeeded: ({ start_time: start }) => ({ since: daysBefore(start.slice(0, 10)), columns: RATE_COLUMNS }),
  build: buildIntraday,
};

const SLACK_DAYS = 7;

/** A date some days before, but not before the first valid date: the range may stand in the answer as missing. */
function daysBefore(date: string): string {
  const day = addDays(date, -SLACK_DAYS);
  return day < FIRST_DATE ? FIRST_DATE : day;
}

function buildIntraday(
  loaded: readonly LoadedSeries[],
  { args, now }: HookContext<IntradayArgs>,
): Composed | undefined {
  const from = parseInstant(args.start_time) ?? 0;
  const to = parseInstant(args.end_time) ?? 0;
  const own = ownAmong(loaded, INTRADAY, args);
  const published = own ? publishedRates(args, own) : [];
  const past = { from, to: earlier(to, now) };
  const undecided = undecidedBy(own, past);
  const others = undecided ? derivedRates(args, loaded, ALL_DATES).filter(({ at }) => undecided(at)) : [];
  const moments = new Set(published.map(momentName));
  const rates = [...published, ...others.filter((rate) => !moments.has(momentName(rate)))]
    .filter(({ at }) => at >= from && at <= to)
    .sort(byNaturalKey);
  return {
    envelope: {
      ...(own?.envelope as JsonObject | undefined), // members of a stored answer
      pair: pairText(args),
      start_time: args.start_time,
      end_time: args.end_time,
      count: rates.length,
    },
    rows: rates.map((rate) => storedText(rate) ?? intradayRow(rate)),
    total: rates.length,
    missingParts: own ? missingAround(own, loaded, past) : missingAround(own, loaded, daysAround(past)),
    notes: rateNotes(args, rates),
  };
}

/** Reference dates that observations between two moments can have. */
function daysAround({ from, to }: { readonly from: number; readonly to: number }) {
  return { from: daysBefore(dateOf(from * 1000)), to: dateOf(to * 1000) };
}

const ALL_DATES = { from: '', to: LAST_DATE };
