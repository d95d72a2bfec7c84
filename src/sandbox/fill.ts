import type { JsonObject } from '../contract/json/json.ts';
import { addDays } from '../contract/time/time.ts';
import {
  CALENDAR_CURRENCIES,
  CURVE_CURRENCIES,
  FACTOR_CURRENCIES,
  MAIN_CURRENCIES,
  PRESS_CURRENCIES,
} from '../contract/words/words.ts';
import { roundHalfEven } from '../derive/decimal.ts';
import { maturityOfLabel, slugOfMaturity } from '../derive/rates/rates.ts';
import { ENDPOINTS } from '../endpoints/index.ts';
import type { Mirror, MirrorReader } from '../mirror/api/mirror.ts';
import { type Announcements, generateAnnouncements } from './announced/announcements.ts';
import { seriesId } from './announced/announcements-envelope.ts';
import { generateCatalogue } from './announced/catalogue.ts';
import { generateEvents } from './announced/events.ts';
import { indicatorOf, indicatorsOf } from './announced/indicator-table.ts';
import { generateCalendar } from './calendar.ts';
import { generateCalendarArchive } from './calendar-archive.ts';
import { generateFactor } from './factors.ts';
import { generateOfficialForecasts, officialForecasts } from './forecasters.ts';
import { generateFromContract } from './from-contract.ts';
import { generateCommodities, generatePrices } from './markets/commodities.ts';
import { RATE_DESKS, type RateDesk } from './markets/fixings.ts';
import { generateFx } from './markets/fx.ts';
import { generatePositions } from './markets/positions.ts';
import { generateSentiment } from './markets/sentiment.ts';
import { type ForecastCoverage, generateCoverage, generateCoverageList, generatePredictions } from './predictions.ts';
import { economyOf, publisherOf } from './publishers.ts';
import { printed, randomWalk, streamOf } from './random-walks.ts';
import {
  commitOfSeries,
  filledText,
  type GeneratedSeries,
  generatedSeries,
  SANDBOX_LABEL,
  SANDBOX_ORIGIN,
  SANDBOX_URL,
} from './rows.ts';
import { businessDays, type Day, type SchedulePeriod, type Series, scheduleOf } from './schedule.ts';
import { createWorld, type SandboxSize, type World } from './world.ts';
import { localInstant } from './zones.ts';

export interface SandboxOptions {
  readonly mirror: Mirror;
  readonly seed: number;
  /** Milliseconds. */
  readonly now: number;
  /** `small`: a tenth or so of the data set, with every group, for tests. */
  readonly size?: SandboxSize;
  /** Called after each series. */
  readonly onProgress?: (report: SandboxReport) => void;
  /** Endpoints that are left as they are. */
  readonly besides?: ReadonlySet<string>;
  /** Waited for before each series. */
  readonly onSeries?: () => Promise<void>;
}

/** The result of the write. */
export interface SandboxReport {
  readonly series: number;
  readonly rows: number;
  /** Rows that are new in the mirror, or changed. */
  readonly changed: number;
}

/** Its series says that all others are there. */
const LAST = 'fx_sources';

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

/** Fills a mirror with the data set of a seed and a UTC day. Stored rows that are still the same stay as they are. */
export async function fillSandbox(options: SandboxOptions): Promise<SandboxReport> {
  const world = worldOf(options);
  let filled: SandboxReport = { series: 0, rows: 0, changed: 0 };
  for (const generated of generate(world)) {
    await options.onSeries?.();
    if (options.besides?.has(generated.endpoint)) continue;
    const { added, revised, vanished } = await options.mirror.commitPage(commitOfSeries(world, generated));
    filled = {
      series: filled.series + 1,
      rows: filled.rows + generated.rows.length,
      changed: filled.changed + added + revised + vanished,
    };
    options.onProgress?.(filled);
  }
  return filled;
}

/**
 * True when the mirror has all of this seed and day (the last series names both) and nothing released later than now.
 */
export async function isFilled(options: Omit<SandboxOptions, 'mirror'> & { mirror: MirrorReader }): Promise<boolean> {
  const { mirror, now } = options;
  const [last] = await mirror.find({ endpoint: 'fx_sources', scope: {} });
  if (last?.origin !== SANDBOX_ORIGIN || last.envelope?.inputs !== filledText(worldOf(options))) return false;
  const [events] = await mirror.find({ endpoint: 'announcements_changes', scope: {} });
  const [newest] = events ? await mirror.rows(events, {}, { limit: 1, offset: 0, reverse: true }) : [];
  return newest === undefined || Number(newest.key[0]) * 1000 <= now;
}

function worldOf({ seed, now, size = 'full' }: Pick<SandboxOptions, 'seed' | 'now' | 'size'>): World {
  return createWorld({ seed, now, size });
}

/** Every series, one in memory at a time. Publishers come last: a mirror with today's is filled whole. */
export function* generate(world: World): Iterable<GeneratedSeries> {
  const written = new Set<string>();
  for (const series of generateWritten(world)) {
    written.add(series.endpoint);
    yield series;
  }
  for (const endpoint of ENDPOINTS)
    if (!written.has(endpoint.id) && endpoint.id !== LAST) yield* generateFromContract(world, endpoint);
  yield generateSources();
}

/** Series that a generator of their own makes, since they have to agree with each other. */
function* generateWritten(world: World): Iterable<GeneratedSeries> {
  const days = businessDays(world);
  yield* generateFx(world, days);
  const recent: Announcements[] = [];
  const coverages: ForecastCoverage[] = [];
  for (const currency of MAIN_CURRENCIES) {
    const stored: Announcements[] = [];
    for (const indicator of indicatorsOf(currency, world.size)) {
      const one = generateAnnouncements(world, { currency, indicator });
      yield one.generated;
      stored.push({ ...one, generated: { ...one.generated, rows: [] } });
    }
    yield generateCatalogue(world, currency, stored);
    if (FACTOR_CURRENCIES.includes(currency)) yield generateFactor(world, currency, { announcements: stored, days });
    yield generatePrices(world, currency, stored);
    const official = officialForecasts(world, currency);
    yield* generateOfficialForecasts(currency, official);
    for (const one of stored) yield* generatePredictions(world, one, official);
    const coverage = generateCoverage(world, currency, stored);
    yield coverage.generated;
    coverages.push(coverage);
    recent.push(...stored);
  }
  yield generateCoverageList(coverages);
  yield generateEvents(world, recent);
  yield generateContracts(recent.map(({ series }) => series));
  for (const currency of CALENDAR_CURRENCIES) yield generateCalendar(world, currency);
  for (const currency of CALENDAR_CURRENCIES) yield* generateCalendarArchive(world, currency);
  yield* generateCurves(world, days);
  yield* generatePositions(world);
  yield* generateCommodities(world, days);
  yield* generateSentiment(world, days);
  yield* generatePress(world, days);
}

/** One contract template for each series: a decision for the policy rate, a threshold for everything else. */
function generateContracts(all: readonly Series[]): GeneratedSeries {
  const templates = all.map(templateOf).sort((a, b) => (a.contract_id < b.contract_id ? -1 : 1));
  return generatedSeries('settlement_contracts', {}, { count: templates.length }, templates);
}

function templateOf(series: Series): JsonObject & { readonly contract_id: string } {
  const { currency, indicator } = series;
  const decides = indicator.slug === 'policy_rate';
  const type = decides ? 'decision' : 'threshold';
  const code = currency.toLowerCase();
  return {
    contract_id: `${code}_${indicator.slug}_${type}`,
    title: `${currency} ${indicator.name} ${decides ? 'decision' : 'above strike'}, synthetic`,
    currency,
    indicator: indicator.slug,
    series_id: seriesId(series),
    unit: indicator.unit,
    publisher: SANDBOX_LABEL,
    source_url: `${SANDBOX_URL}${code}/${indicator.slug}`,
    precision: indicator.decimals,
    outcome_rule: decides
      ? { type, outcomes: ['hike', 'hold', 'cut'] }
      : { type, comparison: 'gt', outcomes: ['yes', 'no'] },
    settles_on: 'first_print',
  };
}

/** The publications of the invented central banks. */
function* generatePress(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const currency of PRESS_CURRENCIES) {
    const rows = publicationsOf(world, currency, days).map((one) => pressRow(world, currency, one));
    const url = `${SANDBOX_URL}${currency.toLowerCase()}/press`;
    yield generatedSeries('press_releases', { currency }, { currency, source: SANDBOX_LABEL, source_url: url }, rows);
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

/** The publishers of the reference rates, with the pairs that they fix and the pairs that follow from them. */
function generateSources(): GeneratedSeries {
  const desks = [...RATE_DESKS].sort((a, b) => (a.id < b.id ? -1 : 1));
  const source_policy = {
    public_data_policy: 'Everything here is synthetic: made by a seeded generator, published by nobody.',
    request_time_upstream_fetches: false,
    value_field: 'price',
    legacy_daily_forex_value_field: 'val',
  };
  const rows = desks.map((desk, i) => sourceOf(desk, i + 1));
  return generatedSeries(LAST, {}, { source_policy }, rows);
}

function sourceOf(desk: RateDesk, tier: number) {
  const native = desk.quotes.map((quote) => `${desk.anchor}/${quote}`);
  const served = servedPairs(desk);
  return {
    id: desk.id,
    name: desk.name,
    authority_type: 'synthetic',
    country_or_area: 'Nowhere',
    url: SANDBOX_URL,
    attribution_text: SANDBOX_LABEL,
    tier,
    is_official: false,
    is_aggregator: false,
    default_timezone: 'UTC',
    native_pairs: native,
    publication_frequency: 'daily',
    native_pair_count: native.length,
    source_universe_endpoint: `/v1/fx/source-universe?source=${desk.id}`,
    served_pairs: served,
    served_pair_count: served.length,
    coverage_note: 'Synthetic business days; no value was ever traded or published.',
  };
}

/** Both directions of every pair among the currencies of a desk: direct, inverse and crosses through its anchor. */
function servedPairs(desk: RateDesk): readonly string[] {
  const known = MAIN_CURRENCIES.filter((code) => code === desk.anchor || desk.quotes.includes(code));
  return known.flatMap((base) => known.filter((quote) => quote !== base).map((quote) => `${base}/${quote}`));
}

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
const CURVE_DAYS = { full: 65, small: 5 } as const;

/** Curves of currencies without yields: one level for all maturities, and a little of each one's own. */
function* generateCurves(world: World, days: readonly Day[]): Iterable<GeneratedSeries> {
  for (const currency of CURVE_CURRENCIES) {
    if (MAIN_CURRENCIES.includes(currency)) continue;
    const scope = { currency, curve_family: 'government_nominal', metric: 'spot' };
    const envelope = {
      currency,
      curve_family: scope.curve_family,
      view: 'nodes',
      metric: scope.metric,
      sources: [SANDBOX_LABEL],
      data_quality: { is_official: false, is_proxy: false, source_type: 'synthetic', source_name: SANDBOX_LABEL },
    };
    yield generatedSeries('curves', scope, envelope, nodesOf(world, currency, days));
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
    .slice(-CURVE_DAYS[world.size])
    .reverse()
    .filter(({ release }) => release < world.horizon)
    .flatMap(({ date, release, i }) =>
      own.map(({ label, values }) => nodeOf(label, printed((level[i] ?? 0) + (values[i] ?? 0), 3), { date, release })),
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
