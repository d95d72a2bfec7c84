import type { JsonObject } from '../contract/json.ts';
import { roundHalfEven } from '../derive/round.ts';
import { dailyPrices, isQuoted } from './commodities.ts';
import { euroRates } from './fx.ts';
import { streamOf } from './random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from './rows.ts';
import type { Day } from './schedule.ts';
import { walk } from './walks.ts';
import { WALK_START, type World, yesterday } from './world.ts';

/** The construction that the specification gives: weights, and the sign by which a component counts for appetite. */
const PARTS = [
  { name: 'ofr_fsi', weight: 0.4, sign: -1 },
  { name: 'gold', weight: 0.2, sign: -1 },
  { name: 'aud_usd', weight: 0.2, sign: 1 },
  { name: 'usd_jpy', weight: 0.2, sign: 1 },
] as const;

/** Observations that a z-score looks back on, the newest included. */
const LOOKBACK = 252;

/** Null where a component has no observation that day. */
type Scores = readonly (number | null)[];

/** The composite score on every business day, from the sandbox's own gold and currencies and an invented stress index. */
export function generateSentiment(world: World, days: readonly Day[]): GeneratedSeries {
  const count = days.length;
  const euro = (currency: string) => euroRates(world, currency, count);
  const [usd, aud, jpy] = [euro('USD'), euro('AUD'), euro('JPY')];
  const stress = { kind: 'around', mean: 0, swing: 0.22, pull: 0.015 } as const;
  const observed = {
    ofr_fsi: walk(stress, streamOf(world.seed, 'sentiment/ofr_fsi'), count).values,
    gold: dailyPrices(world, 'gold', count).map((price, i) => (isQuoted('gold', days[i]?.date ?? '') ? price : null)),
    aud_usd: usd.map((rate, i) => rate / (aud[i] ?? 1)),
    usd_jpy: usd.map((rate, i) => (jpy[i] ?? 1) / rate),
  };
  // Far enough back that every component has its whole look-back on the first day written.
  const first = days.findIndex(({ date }) => date >= world.since.daily);
  const from = Math.max(0, first - 2 * LOOKBACK);
  const scores = PARTS.map(({ name }) => rollingScores(observed[name].slice(from)).slice(first - from));
  const rows = days.slice(first).flatMap(({ date }, i) => {
    const row = sentimentRow(
      date,
      scores.map((one) => one[i] ?? null),
    );
    return row ? [rowOf(row)] : [];
  });
  return {
    endpoint: 'risk_sentiment',
    scope: {},
    envelope: { start_date: world.since.daily, end_date: yesterday(world), component_metadata: metadata() },
    rows: rows.reverse(),
    window: { from: WALK_START, to: world.today },
  };
}

function metadata(): JsonObject {
  return Object.fromEntries(PARTS.map(({ name, weight, sign }) => [name, { weight, sign, source: SANDBOX_LABEL }]));
}

/** Distance of each observation from the mean of the last ones, in sample deviations. */
function rollingScores(observed: Scores): Scores {
  const recent: number[] = [];
  return observed.map((value) => {
    if (value === null) return null;
    recent.push(value);
    if (recent.length > LOOKBACK) recent.shift();
    if (recent.length < LOOKBACK) return null;
    const mean = recent.reduce((sum, one) => sum + one, 0) / LOOKBACK;
    const squares = recent.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
    const deviation = Math.sqrt(squares / (LOOKBACK - 1));
    return deviation === 0 ? 0 : (value - mean) / deviation;
  });
}

/** The weight of a missing component is spread over the others. Wire facts, section 9.16. */
function sentimentRow(date: string, scores: Scores): JsonObject | undefined {
  const present = PARTS.filter((_, i) => scores[i] !== null).reduce((sum, { weight }) => sum + weight, 0);
  if (present === 0) return undefined;
  const parts = PARTS.map(({ name, weight, sign }, i) => {
    const score = scores[i] ?? null;
    return [name, score === null ? null : roundHalfEven((weight / present) * sign * score, 4)] as const;
  });
  const components = Object.fromEntries(parts);
  const held = parts.filter(([, part]) => part !== null);
  const val = roundHalfEven(Math.tanh(held.reduce((sum, [, part]) => sum + (part ?? 0), 0)), 4);
  const regime = val >= 0.25 ? 'risk_on' : val <= -0.25 ? 'risk_off' : 'neutral';
  return {
    date,
    val,
    score: val,
    regime,
    risk_regime: regime,
    sentiment: regime,
    components,
    component_coverage: Object.fromEntries(parts.map(([name, part]) => [name, part !== null])),
    stored_component_count: held.length,
  };
}
