import type { JsonObject } from '../../contract/json/json.ts';
import { dateToMs, isoSeconds } from '../../contract/time/time.ts';
import { roundHalfEven } from '../../derive/decimal.ts';
import { COMPONENTS, LOOKBACK, regimeOf, rollingScores, scoreOf } from '../../derive/sentiment/score.ts';
import { hashOf, randomWalk, streamOf } from '../random-walks.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL } from '../rows.ts';
import type { Day } from '../schedule.ts';
import { type World, yesterday } from '../world.ts';
import { dailyPrices, isQuoted } from './commodities.ts';
import { euroRates } from './fixings.ts';

/** Null where a component has no observation that day. */
type Observed = readonly (number | null)[];

/** Sequences that a business day may use: every one of its changes has a place of its own, so later days only add. */
const PER_DAY = 4;

/** When a score is made and changed: late on its own day (seconds after midnight UTC), because rows of past days stay. */
const MADE_AT = 22 * 3600 + 300;
const STEP = 1800;

/** One in so many first scores is revised on the day after, and one in so many is only described anew. */
const REVISED = 9;
const DESCRIBED = 40;

/** The composite score on every business day, and how it came to be what it is. */
export function* generateSentiment(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  const scored = sentimentDays(world, days);
  const envelope = { start_date: world.since.daily, end_date: yesterday(world), component_metadata: metadata() };
  yield generatedSeries('risk_sentiment', {}, envelope, scored.map(({ row }) => row).reverse());
  // How each score came to be what it is.
  const changes = scored.flatMap((day) => changesOf(world, day));
  yield generatedSeries('risk_sentiment_changes', {}, { source: SANDBOX_LABEL }, changes);
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

/** Scores of the observations at their places; a day without an observation has none and counts in no window. */
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

/** The addition of a score, and now and then a revision or a change of its description. */
function changesOf(world: World, { index, row }: SentimentDay): readonly JsonObject[] {
  const date = String(row.date);
  const hash = hashOf(world.seed, `sentiment/changes/${date}`);
  const before = hash % REVISED === 0 ? firstPrint(world, row) : undefined;
  const change = (place: number, type: string, members: JsonObject): JsonObject => ({
    change_sequence: index * PER_DAY + place,
    change_type: type,
    date,
    changed_at: isoSeconds(dateToMs(date) / 1000 + MADE_AT + place * STEP),
    ...members,
  });
  const { val = null, regime = null, components = null } = row;
  const current = { val, regime, components };
  const changes = [change(0, 'addition', before ?? current)];
  if (before) {
    const { val: previous_val = null, regime: previous_regime = null } = before;
    const changed_fields = previous_regime === regime ? ['val', 'components'] : ['val', 'regime', 'components'];
    changes.push(change(1, 'score_revision', { ...current, previous_val, previous_regime, changed_fields }));
  }
  if (hash % DESCRIBED === 1)
    changes.push(change(2, 'metadata_change', { ...current, changed_fields: ['component_metadata'] }));
  return changes;
}

/** The score before its revision: one component was a little different. */
function firstPrint(world: World, { date, components }: JsonObject): JsonObject {
  const nudge = roundHalfEven(0.05 * streamOf(world.seed, `sentiment/changes/${String(date)}`).normal(), 4);
  const parts = Object.entries(typeof components === 'object' && components !== null ? components : {});
  const [first] = parts.find(([, part]) => typeof part === 'number') ?? [];
  const members = parts.map(([name, part]): [string, number | null] => {
    if (typeof part !== 'number') return [name, null];
    return [name, name === first ? roundHalfEven(part + nudge, 4) : part];
  });
  const sum = members.reduce((total, [, part]) => total + (part ?? 0), 0);
  const val = roundHalfEven(Math.tanh(sum), 4);
  return { val, regime: regimeOf(val), components: Object.fromEntries(members) };
}

/** A day's score with the number of its business day, which no later data set changes. */
interface SentimentDay {
  readonly index: number;
  readonly row: JsonObject;
}
