import type { JsonObject } from '../../contract/json/json.ts';
import { COMPONENTS, LOOKBACK, rollingScores, scoreOf } from '../../derive/sentiment/score.ts';
import type { Day } from '../calendar/schedule.ts';
import { streamOf } from '../random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL } from '../rows.ts';
import { randomWalk } from '../walks.ts';
import { type World, yesterday } from '../world.ts';
import { dailyPrices, isQuoted } from './commodities.ts';
import { euroRates } from './desks.ts';
import { generateSentimentChanges, type SentimentDay } from './sentiment-changes.ts';

/** Null where a component has no observation that day. */
type Observed = readonly (number | null)[];

/** The composite score on every business day, and how it came to be what it is. */
export function* generateSentiment(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  const scored = sentimentDays(world, days);
  yield {
    endpoint: 'risk_sentiment',
    scope: {},
    envelope: { start_date: world.since.daily, end_date: yesterday(world), component_metadata: metadata() },
    rows: scored.map(({ row }) => rowOf('risk_sentiment', row)).reverse(),
  };
  yield generateSentimentChanges(world, scored);
}

/** Scores from the sandbox's own gold and currencies and an invented stress index, oldest first. */
function sentimentDays(world: World, days: readonly Day[]): readonly SentimentDay[] {
  const count = days.length;
  const euro = (currency: string) => euroRates(world, currency, count);
  const [usd, aud, jpy] = [euro('USD'), euro('AUD'), euro('JPY')];
  const stress = { kind: 'around', mean: 0, swing: 0.22, pull: 0.015 } as const;
  const observed: Readonly<Record<string, Observed>> = {
    ofr_fsi: randomWalk(stress, streamOf(world.seed, 'sentiment/ofr_fsi'), count).values,
    gold: dailyPrices(world, 'gold', count).map((price, i) => (isQuoted('gold', days[i]?.date ?? '') ? price : null)),
    aud_usd: usd.map((rate, i) => rate / (aud[i] ?? 1)),
    usd_jpy: usd.map((rate, i) => (jpy[i] ?? 1) / rate),
  };
  // Far enough back that every component has its whole look-back on the first day written.
  const first = days.findIndex(({ date }) => date >= world.since.daily);
  const from = Math.max(0, first - 2 * LOOKBACK);
  const scores = COMPONENTS.map(({ name }) => scoresOf((observed[name] ?? []).slice(from)).slice(first - from));
  return days.slice(first).flatMap(({ date }, i) => {
    const row = sentimentRow(
      date,
      scores.map((one) => one[i] ?? null),
    );
    return row ? [{ index: first + i, row }] : [];
  });
}

function metadata(): JsonObject {
  return Object.fromEntries(
    COMPONENTS.map(({ name, weight, sign }) => [name, { weight, sign, source: SANDBOX_LABEL }]),
  );
}

/** Scores of the observations at their places; a day without an observation has none and is no part of a look-back. */
function scoresOf(observed: Observed): Observed {
  const scores = rollingScores(observed.filter((value) => value !== null)).values();
  return observed.map((value) => (value === null ? null : (scores.next().value ?? null)));
}

function sentimentRow(date: string, scores: readonly (number | null)[]): JsonObject | undefined {
  const score = scoreOf(scores);
  if (!score) return undefined;
  const { val, regime, components } = score;
  const parts = Object.entries(components);
  return {
    date,
    val,
    score: val,
    regime,
    risk_regime: regime,
    sentiment: regime,
    components,
    component_coverage: Object.fromEntries(parts.map(([name, part]) => [name, part !== null])),
    stored_component_count: parts.filter(([, part]) => part !== null).length,
  };
}
