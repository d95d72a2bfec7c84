import type { JsonObject } from '../contract/json/json.ts';
import { addDays } from '../contract/time/time.ts';
import { PRESS_CURRENCIES } from '../contract/words/currencies.ts';
import { roundHalfEven } from '../derive/round.ts';
import { indicatorOf } from './announced/indicators.ts';
import { type Day, type SchedulePeriod, scheduleOf } from './calendar/schedule.ts';
import { streamOf } from './random.ts';
import { type GeneratedSeries, rowOf, SANDBOX_LABEL, SANDBOX_URL } from './rows.ts';
import type { World } from './world.ts';

/** Publications that have nothing to do with a meeting, a week about one each. */
const OCCASIONS = [
  { category: 'speech', title: 'Remarks on the outlook', relevance: 0.6 },
  { category: 'report', title: 'Monthly bulletin', relevance: 0.5 },
  { category: 'other', title: 'Announcement on operations', relevance: 0.2 },
] as const;
type Occasion = { readonly category: string; readonly title: string; readonly relevance: number };

/** Days after a meeting at which its minutes come out. */
const MINUTES_LAG = 21;
const PHRASES = ['balanced', 'vigilant', 'gradual', 'data dependent'] as const;

/** What the invented central banks have published. */
export function* generatePress(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const currency of PRESS_CURRENCIES) {
    const rows = publicationsOf(world, currency, days).map((one) =>
      rowOf('press_releases', pressRow(world, currency, one)),
    );
    yield {
      endpoint: 'press_releases',
      scope: { currency },
      envelope: { currency, source: SANDBOX_LABEL, source_url: `${SANDBOX_URL}${currency.toLowerCase()}/press` },
      rows,
      // Everything that there ever was, as a walk to the end of the list would prove it.
    };
  }
}

interface Publication extends Occasion {
  readonly date: string;
}

/** Decisions, their minutes, and what comes in between; newest first. */
function publicationsOf(world: World, currency: string, days: readonly Day[]): readonly Publication[] {
  const since = world.since.daily;
  const meetings = scheduleOf(
    world,
    { currency, indicator: indicatorOf('policy_rate', currency) },
    { from: addDays(since, -MINUTES_LAG), until: world.horizon },
  );
  const open = new Set(days.map(({ date }) => date));
  const between = days.flatMap(({ date }, i) => (i % 5 === 2 ? [weekly(date, Math.floor(i / 5))] : []));
  return [...meetings.flatMap(aroundMeeting), ...between]
    .filter(({ date }) => date >= since && date < world.today && open.has(date))
    .sort((a, b) => (a.date === b.date ? (a.category > b.category ? -1 : 1) : a.date > b.date ? -1 : 1));
}

function weekly(date: string, week: number): Publication {
  const occasion = OCCASIONS[week % OCCASIONS.length] ?? OCCASIONS[0];
  return { date, ...occasion };
}

function aroundMeeting({ date }: SchedulePeriod): readonly Publication[] {
  return [
    { date, category: 'policy_decision', title: 'Policy decision', relevance: 0.95 },
    { date, category: 'statement', title: 'Introductory statement', relevance: 0.8 },
    { date: addDays(date, MINUTES_LAG), category: 'minutes', title: 'Minutes of the meeting', relevance: 0.75 },
  ];
}

function pressRow(world: World, currency: string, { date, category, title, relevance }: Publication): JsonObject {
  const code = currency.toLowerCase();
  const stream = streamOf(world.seed, `press/${currency}/${date}/${category}`);
  const score = bounded(0.35 * stream.normal());
  const stance = wordOf(score, ['dovish', 'neutral', 'hawkish']);
  const action = wordOf(score, ['cut', 'hold', 'hike']);
  const phrase = PHRASES[Math.floor(stream.uniform() * PHRASES.length)] ?? PHRASES[0];
  const weight = bounded(score / 2);
  return {
    title: `${title} (${date})`,
    url: `${SANDBOX_URL}${code}/press/${date}-${category}`,
    date,
    summary: `Invented text (${category.replace('_', ' ')}) of the central bank of ${currency}.`,
    category,
    relevance,
    sentiment: bounded(score + 0.1 * stream.normal()),
    topics: category === 'other' ? ['operations'] : ['rates', 'inflation'],
    ai_summary: `The tone is ${stance}.`,
    ai_stance: stance,
    ai_stance_score: score,
    ai_next_meeting_action: action,
    ai_next_meeting_probability: roundHalfEven(0.5 + Math.abs(score) / 2, 2),
    ai_rationale: `The text says '${phrase}'.`,
    rate_path: {
      score,
      label: stance,
      bias_action: action,
      confidence: roundHalfEven(0.5 + stream.uniform() / 2, 2),
      raw_score: roundHalfEven(score * 4, 2),
      matches: [{ phrase, weight }],
    },
  };
}

/** Two decimals within -1..1. */
function bounded(value: number): number {
  return roundHalfEven(Math.max(-1, Math.min(1, value)), 2);
}

function wordOf(score: number, [low, middle, high]: readonly [string, string, string]): string {
  if (score >= 0.25) return high;
  return score <= -0.25 ? low : middle;
}
