import type { JsonObject } from '../contract/json/json.ts';
import { isoSeconds } from '../contract/time/time.ts';
import { roundHalfEven } from '../derive/decimal.ts';
import type { Announcements } from './announced/announcements.ts';
import type { GeneratedObservation } from './announced/vintages.ts';
import { economyOf } from './publishers.ts';
import { type GeneratedSeries, generatedSeries, SANDBOX_LABEL } from './rows.ts';
import type { Day } from './schedule.ts';
import type { World } from './world.ts';

/** Parts of the score: what each is made of and how much it counts. */
const PARTS = [
  { name: 'level', weight: 0.3, indicator: 'policy_rate' },
  { name: 'impulse', weight: 0.3, indicator: 'policy_rate' },
  { name: 'rate_repricing', weight: 0.2, indicator: 'gov_bond_2y' },
  { name: 'macro_pressure', weight: 0.2, indicator: 'inflation' },
] as const;

const DAY = 86_400;
/** Scores are made late in the evening, UTC. */
const MADE_AT = 22 * 3600;
const IMPULSE_DAYS = 180;
const REPRICING_DAYS = 60;

/** How tight a central bank is, from the sandbox's own policy rate, two-year yield and inflation as known that evening. */
export function generateFactor(
  world: World,
  currency: string,
  inputs: { announcements: readonly Announcements[]; days: readonly Day[] },
): GeneratedSeries {
  const known = new Map(inputs.announcements.map((one) => [one.series.indicator.slug, one.observations]));
  const rows = inputs.days
    .filter(({ date }) => date >= world.since.brief)
    .map((day) => snapshot(currency, known, day))
    .filter((row) => row !== undefined);
  const name = { currency, factor: 'monetary_stance' };
  const envelope = {
    ...name,
    methodology: 'Synthetic: level, impulse, repricing and pressure, weighted 30, 30, 20, 20.',
    data_quality: { is_official: false, is_derived: true, source_name: SANDBOX_LABEL, source_type: 'synthetic' },
  };
  const scope = { ...name, include_components: 'true', include_sources: 'true' };
  return generatedSeries('factors', scope, envelope, rows.reverse());
}

interface Known {
  readonly observation: GeneratedObservation;
  readonly val: number;
}

type Histories = ReadonlyMap<string, readonly GeneratedObservation[]>;

/** The newest value that was public at a moment, with the vintage of that moment. */
function knownAt(histories: Histories, indicator: string, moment: number): Known | undefined {
  const observation = histories.get(indicator)?.findLast(({ release }) => release <= moment);
  const print = observation?.prints.findLast(({ epoch }) => epoch <= moment);
  return observation && print && { observation, val: print.val };
}

function snapshot(currency: string, histories: Histories, { date, midnight }: Day): JsonObject | undefined {
  const moment = midnight + MADE_AT;
  const now = (indicator: string) => knownAt(histories, indicator, moment);
  const change = (indicator: string, days: number) => {
    const [new_, old] = [now(indicator), knownAt(histories, indicator, moment - days * DAY)];
    return new_ && old ? new_.val - old.val : undefined;
  };
  const economy = economyOf(currency);
  const [rate, prices] = [now('policy_rate'), now('inflation')];
  const raw = {
    level: rate && (rate.val - economy.rate) / 2,
    impulse: change('policy_rate', IMPULSE_DAYS),
    rate_repricing: change('gov_bond_2y', REPRICING_DAYS),
    macro_pressure: prices && (prices.val - economy.target) / 2,
  };
  const parts = PARTS.flatMap((part) => {
    const value = raw[part.name];
    return value === undefined ? [] : [{ ...part, score: roundHalfEven(Math.tanh(value), 4) }];
  });
  return parts.length === 0 ? undefined : factorRow(currency, { date, moment, parts, now });
}

function factorRow(
  currency: string,
  made: {
    date: string;
    moment: number;
    parts: readonly { name: string; weight: number; indicator: string; score: number }[];
    now: (indicator: string) => Known | undefined;
  },
): JsonObject {
  const { date, moment, parts, now } = made;
  const weight = parts.reduce((sum, part) => sum + part.weight, 0);
  const score = roundHalfEven(parts.reduce((sum, part) => sum + part.weight * part.score, 0) / weight, 4);
  const label = score >= 0.25 ? 'hawkish' : score <= -0.25 ? 'dovish' : 'neutral';
  const indicators = [...new Set(parts.map(({ indicator }) => indicator))];
  return {
    date,
    val: score,
    score,
    ...Object.fromEntries(parts.map((part) => [`${part.name}_score`, part.score])),
    label,
    stance_context: `Synthetic score of ${parts.length} parts.`,
    announcement_datetime: moment,
    coverage_ratio: roundHalfEven(weight, 4),
    component_count: parts.length,
    point_in_time_safe: true,
    release_time_assumed: false,
    components: Object.fromEntries(parts.map((part) => [part.name, part.score])),
    source_observations: indicators.flatMap((indicator) => {
      const known = now(indicator);
      if (!known) return [];
      const { observation, val } = known;
      return [{ indicator, date: observation.date, val, announcement_datetime: isoSeconds(observation.release) }];
    }),
    source_endpoints: indicators.map((indicator) => `/v1/announcements/${currency}/${indicator}`),
  };
}
