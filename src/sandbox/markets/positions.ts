import type { JsonObject } from '../../contract/json/json.ts';
import { COT_CURRENCIES } from '../../contract/words/words.ts';
import { roundHalfEven } from '../../derive/decimal.ts';
import { randomWalk, type Stream, streamOf } from '../random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL, SANDBOX_URL } from '../rows.ts';
import { nextBusinessDay, weekdayOn } from '../schedule.ts';
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
      const rows = weeks.flatMap((week, i) => (week.date < world.since.daily ? [] : [positionRow(week, one, i)]));
      yield generatedSeries('cot', { currency, report }, envelopeOf(currency, report), rows.reverse());
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

const countIn = (counts: Counts, name: string): number => counts[name] ?? 0;

/** Open interest of a side, less the listed groups, their spreads and the nonreportable; a spread is on both sides. */
function restOf(all: Counts, groups: readonly string[], side: 'long' | 'short'): number {
  const others = [...groups.flatMap((group) => [`${group}_spread`, `${group}_${side}`]), `nonreportable_${side}`];
  return others.reduce((rest, name) => rest - countIn(all, name), countIn(all, 'open_interest'));
}

function legacy(all: Counts): Counts {
  const restSides = (group: string, others: readonly string[]) => ({
    [`${group}_long`]: restOf(all, others, 'long'),
    [`${group}_short`]: restOf(all, others, 'short'),
  });
  return {
    open_interest: countIn(all, 'open_interest'),
    ...groupOf(all, 'noncommercial'),
    ...withNet('commercial', restSides('commercial', ['noncommercial'])),
    ...restSides('total_reportable', []),
    ...pick(all, SMALL),
  };
}

const SMALL = ['nonreportable_long', 'nonreportable_short'];
const REPORTING = ['asset_manager', 'leveraged_funds', 'other_reportable'] as const;

function financial(all: Counts): Counts {
  const others = ['dealer', ...REPORTING];
  const [dealer_long, dealer_short] = [restOf(all, others, 'long'), restOf(all, others, 'short')];
  return Object.assign(
    { open_interest: countIn(all, 'open_interest') },
    withNet('dealer', { dealer_long, dealer_short, dealer_spread: countIn(all, 'dealer_spread') }),
    ...REPORTING.map((group) => groupOf(all, group)),
    pick(all, SMALL),
  );
}

function groupOf(all: Counts, group: string): Counts {
  const sides = SIDES.map((side) => `${group}_${side}`);
  return withNet(group, pick(all, sides));
}

function withNet(group: string, counts: Counts): Counts {
  return { ...counts, [`${group}_net`]: countIn(counts, `${group}_long`) - countIn(counts, `${group}_short`) };
}

function pick(counts: Counts, names: readonly string[]): Counts {
  return Object.fromEntries(names.map((name) => [name, countIn(counts, name)]));
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
