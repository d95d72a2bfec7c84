import type { Compose, Composed, HookContext, LoadedSeries } from '../../../contract/hooks.ts';
import type { JsonObject } from '../../../contract/json/json.ts';
import { FIRST_DATE } from '../../../contract/time/coverage.ts';
import { addDays, dateOf, parseInstant } from '../../../contract/time/time.ts';
import { earlier } from '../../lacks.ts';
import { pairText } from '../pairs/paths.ts';
import { rateNotes } from './notes.ts';
import { INTRADAY, REFERENCE } from './observations.ts';
import { byNaturalKey, derivedRates, publishedRates, type Rate } from './rates.ts';
import { intradayRow } from './rows.ts';
import { around, ownAmong } from './series.ts';
import { lacksAround, undecidedBy } from './undecided.ts';

/** The arguments of the intraday route; times are ISO date-times in UTC. */
export interface IntradayArgs {
  readonly base: string;
  readonly quote: string;
  readonly start_time: string;
  readonly end_time: string;
}

/**
 * Observations of a pair by the time at which they were made. Walk: what the service said here; where that does not cover
 * a moment, rates that follow from timed observations of the reference rates. Bulk files take no part: they state no times.
 */
export const composeIntraday: Compose<IntradayArgs> = {
  version: 2,
  ...around(INTRADAY, [REFERENCE]),
  // The reference date can lie before the day of the observation.
  rowsNeeded: ({ start_time: start }) => ({ since: daysBefore(start.slice(0, 10)) }),
  build: buildIntraday,
};

const SLACK_DAYS = 7;

/** No date before the first one that can be spelled: it would stand in the answer as what is missing. */
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
    rows: rates.map((rate) => rate.text ?? intradayRow(rate)),
    total: rates.length,
    lacks: own ? lacksAround(own, loaded, past) : lacksAround(own, loaded, daysAround(past)),
    notes: rateNotes(args, rates),
  };
}

/** Reference dates that observations between two moments can have. */
function daysAround({ from, to }: { readonly from: number; readonly to: number }) {
  return { from: daysBefore(dateOf(from * 1000)), to: dateOf(to * 1000) };
}

const ALL_DATES = { from: '', to: '9999-12-31' };

const momentName = ({ at, sourceId, type, date }: Rate) => `${at} ${type} ${sourceId} ${date}`;
