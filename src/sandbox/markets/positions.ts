import type { JsonObject } from '../../contract/json/json.ts';
import { COT_CURRENCIES } from '../../contract/words/words.ts';
import { roundHalfEven } from '../../derive/decimal.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import { nextBusinessDay, weekdayOn } from '../schedule.ts';
import { randomWalk, type Stream, streamOf } from '../walks.ts';
import type { World } from '../world.ts';
import { isoLocal, localInstant } from '../zones.ts';

type Counts = Readonly<Record<string, number>>;

/** Typical shares of the open interest by group of traders: long, short and spread. */
const SHARES = {
  noncommercial: [0.3, 0.25, 0.08],
  nonreportable: [0.12, 0.14],
  asset_manager: [0.22, 0.15, 0.03],
  leveraged_funds: [0.15, 0.2, 0.06],
  other_reportable: [0.06, 0.05, 0.01],
  dealer: [undefined, undefined, 0.02],
} as const;
const SIDES = ['long', 'short', 'spread'] as const;

const TUESDAY = 2;
const NEW_YORK = 'America/New_York';
const RELEASED_AT = 15 * 60 + 30;
/** Reports that a z-score looks back on, the newest included. */
const LOOKBACK = 52;

const CONTRACTS: Readonly<Record<string, string>> = { USD: 'DOLLAR INDEX', XAU: 'GOLD' };

/** Weekly positions of every contract, in both breakdowns of the same open interest. */
export function* generatePositions(world: World): Iterable<GeneratedSeries> {
  const weeks = reportsOf(world);
  for (const currency of COT_CURRENCIES) {
    const counts = countsOf(world, currency, weeks.length);
    for (const report of ['legacy_futures', 'tff_futures'] as const) {
      const one = counts.map(report === 'legacy_futures' ? legacy : financial);
      const rows = weeks.flatMap((week, i) =>
        week.date < world.since.daily ? [] : [rowOf('cot', positionRow(week, one, i))],
      );
      yield {
        endpoint: 'cot',
        scope: { currency, report },
        envelope: envelopeOf(currency, report),
        rows: rows.reverse(),
      };
    }
  }
}

interface Week {
  readonly date: string;
  /** Unix seconds. */
  readonly release: number;
  /** The normal Friday is a holiday. */
  readonly moved: boolean;
}

/** Reports of every Tuesday that are published before the horizon, oldest first. */
function reportsOf(world: World): readonly Week[] {
  const weeks: Week[] = [];
  for (let index = 0; ; index += 1) {
    const date = weekdayOn(index, TUESDAY);
    const friday = weekdayOn(index, 5);
    const day = nextBusinessDay(friday);
    const release = localInstant(NEW_YORK, day, RELEASED_AT);
    if (release >= world.horizon) return weeks;
    weeks.push({ date, release, moved: day !== friday });
  }
}

/** Counts of all groups on every report: shares walk around their typical ones, the last groups take the rest. */
function countsOf({ seed }: World, currency: string, count: number): readonly Counts[] {
  const stream = (name: string): Stream => streamOf(seed, `cot/${currency}/${name}`);
  const interest = randomWalk(
    { kind: 'around', mean: 420_000, swing: 9000, pull: 0.03, floor: 150_000 },
    stream('open_interest'),
    count,
  ).values;
  const shares = Object.entries(SHARES).flatMap(([group, usual]) =>
    usual.flatMap((mean, side) => {
      const name = `${group}_${SIDES[side]}`;
      if (mean === undefined) return [];
      const model = { kind: 'around', mean, swing: mean / 25, pull: 0.06, floor: mean / 4 } as const;
      return [{ name, values: randomWalk(model, stream(name), count).values }];
    }),
  );
  return interest.map((value, i) => {
    const open_interest = Math.round(value);
    const stored = shares.map(({ name, values }) => [name, Math.round(open_interest * (values[i] ?? 0))] as const);
    return { open_interest, ...Object.fromEntries(stored) };
  });
}

const sum = (counts: Counts, names: readonly string[]): number =>
  names.reduce((total, name) => total + (counts[name] ?? 0), 0);

function legacy(all: Counts): Counts {
  const open = all.open_interest ?? 0;
  const own = pick(all, ['noncommercial_long', 'noncommercial_short', 'noncommercial_spread']);
  const small = pick(all, ['nonreportable_long', 'nonreportable_short']);
  const spread = own.noncommercial_spread ?? 0;
  const reported = { long: open - (small.nonreportable_long ?? 0), short: open - (small.nonreportable_short ?? 0) };
  const commercial_long = reported.long - spread - (own.noncommercial_long ?? 0);
  const commercial_short = reported.short - spread - (own.noncommercial_short ?? 0);
  return {
    open_interest: open,
    ...own,
    noncommercial_net: (own.noncommercial_long ?? 0) - (own.noncommercial_short ?? 0),
    commercial_long,
    commercial_short,
    commercial_net: commercial_long - commercial_short,
    total_reportable_long: reported.long,
    total_reportable_short: reported.short,
    ...small,
  };
}

const REPORTING = ['asset_manager', 'leveraged_funds', 'other_reportable'] as const;

function financial(all: Counts): Counts {
  const open = all.open_interest ?? 0;
  const spreads = sum(
    all,
    ['dealer', ...REPORTING].map((group) => `${group}_spread`),
  );
  const rest = (side: 'long' | 'short') =>
    open -
    spreads -
    sum(
      all,
      ['nonreportable', ...REPORTING].map((group) => `${group}_${side}`),
    );
  const dealer = { dealer_long: rest('long'), dealer_short: rest('short'), dealer_spread: all.dealer_spread ?? 0 };
  const groups = REPORTING.map((group) =>
    withNet(
      group,
      pick(
        all,
        SIDES.map((side) => `${group}_${side}`),
      ),
    ),
  );
  return Object.assign(
    { open_interest: open },
    withNet('dealer', dealer),
    ...groups,
    pick(all, ['nonreportable_long', 'nonreportable_short']),
  );
}

function withNet(group: string, counts: Counts): Counts {
  return { ...counts, [`${group}_net`]: (counts[`${group}_long`] ?? 0) - (counts[`${group}_short`] ?? 0) };
}

function pick(counts: Counts, names: readonly string[]): Counts {
  return Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]));
}

function positionRow({ date, release, moved }: Week, reports: readonly Counts[], at: number): JsonObject {
  const counts = reports[at] ?? {};
  const recent = reports.slice(Math.max(0, at + 1 - LOOKBACK), at + 1);
  const scores = Object.keys(counts).map((name) => [`${name}_zscore`, zscore(recent.map((one) => one[name] ?? 0))]);
  return {
    date,
    announcement_datetime: release,
    release_datetime: isoLocal(release, NEW_YORK),
    release_time_assumed: false,
    holiday_adjusted_release: moved,
    ...counts,
    ...Object.fromEntries(scores),
  };
}

/** Distance of the last value from the mean of all, in sample deviations. */
function zscore(values: readonly number[]): number {
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  const squares = values.reduce((total, value) => total + (value - mean) * (value - mean), 0);
  const deviation = Math.sqrt(squares / (values.length - 1));
  return deviation === 0 ? 0 : roundHalfEven(((values.at(-1) ?? 0) - mean) / deviation, 4);
}

function envelopeOf(currency: string, report: 'legacy_futures' | 'tff_futures'): JsonObject {
  return {
    currency,
    instrument: CONTRACTS[currency] ?? `${currency} FUTURES`,
    report,
    report_name: report === 'legacy_futures' ? 'Legacy report, synthetic' : 'Traders in financial futures, synthetic',
    report_dataset_id: `sandbox_${report}`,
    available_reports: ['legacy_futures', 'tff_futures'],
    source: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}cot/${currency.toLowerCase()}`,
    data_quality: { is_official: false, source_name: SANDBOX_LABEL, source_type: 'synthetic' },
  };
}
