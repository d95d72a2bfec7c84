import type { JsonObject } from '../../contract/json/json.ts';
import { CURVE_CURRENCIES, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { maturityOfLabel, slugOfMaturity } from '../../derive/rates/rates.ts';
import { economyOf, publisherOf } from '../publishers.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from '../rows.ts';
import type { Day } from '../schedule.ts';
import { printed, randomWalk, streamOf } from '../walks.ts';
import type { World } from '../world.ts';
import { localInstant } from '../zones.ts';

/** Maturities in descending order of their labels, as rows of one date are ordered, each with its typical premium. */
const PREMIUMS: readonly (readonly [label: string, premium: number])[] = [
  ['5Y', 0.5],
  ['3M', 0.05],
  ['30Y', 1.3],
  ['2Y', 0.2],
  ['1Y', 0.1],
  ['10Y', 0.9],
];

/** Business days of nodes: in the whole data set more than a question looks back by default. */
const DAYS = { full: 65, small: 5 } as const;

/** Curves of currencies without yields: one level for all maturities, and a little of each one's own. */
export function* generateCurves(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const currency of CURVE_CURRENCIES) {
    if (MAIN_CURRENCIES.includes(currency)) continue;
    yield {
      endpoint: 'curves',
      scope: { currency, curve_family: 'government_nominal', metric: 'spot' },
      envelope: {
        currency,
        curve_family: 'government_nominal',
        view: 'nodes',
        metric: 'spot',
        sources: [SANDBOX_LABEL],
        data_quality: { is_official: false, is_proxy: false, source_type: 'synthetic', source_name: SANDBOX_LABEL },
      },
      rows: nodesOf(world, currency, days),
    };
  }
}

function nodesOf(world: World, currency: string, days: readonly Day[]) {
  const draw = (name: string, mean: number, swing: number) =>
    randomWalk(
      { kind: 'around', mean, swing, pull: 0.004 },
      streamOf(world.seed, `curves/${currency}/${name}`),
      days.length,
    ).values;
  const level = draw('level', economyOf(currency).rate, 0.04);
  const own = PREMIUMS.map(([label, premium]) => ({ label, values: draw(label, premium, 0.008) }));
  const { zone, times } = publisherOf(currency);
  return days
    .map(({ date }, i) => ({ date, release: localInstant(zone, date, times.market), i }))
    .slice(-DAYS[world.size])
    .reverse()
    .filter(({ release }) => release < world.horizon)
    .flatMap(({ date, release, i }) =>
      own.map(({ label, values }) =>
        rowOf('curves', nodeOf(label, printed((level[i] ?? 0) + (values[i] ?? 0), 3), { date, release })),
      ),
    );
}

function nodeOf(label: string, val: number, at: { date: string; release: number }): JsonObject {
  const maturity = maturityOfLabel(label);
  if (!maturity) throw new RangeError(`${label} is no maturity`);
  return {
    indicator: slugOfMaturity(maturity),
    maturity: label,
    maturity_years: maturity.years,
    val,
    date: at.date,
    announcement_datetime: at.release,
    source: SANDBOX_LABEL,
  };
}
