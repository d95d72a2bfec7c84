import type { WindowArgs } from '../../contract/endpoint.ts';
import type {
  Compose,
  Composed,
  Derived,
  HookContext,
  LoadedSeries,
  MissingPart,
  PageView,
  SeriesRef,
  StoredRef,
} from '../../contract/hooks.ts';
import {
  float,
  isJsonObject,
  type JsonObject,
  type JsonText,
  parseObject,
  toJsonText,
} from '../../contract/json/json.ts';
import { type Coverage, isCovered, NO_COVERAGE, type Range, runEnds } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import { earlier, missingAll, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { byOrigin } from '../announcements/series.ts';
import { cadenceOf } from '../cadence.ts';
import { decimalOf } from '../decimal.ts';
import { pairRatesOf, pointsOf } from '../fx/legs.ts';
import { coverageOfPath, coverageOfPaths, missingOfPaths, ratesBy } from '../fx/path-rates.ts';
import { candidatePairs, type Pair, pathsOf, selectPathSeries, seriesOfPair } from '../fx/paths.ts';
import { datesOf, dayRangeWithin, textsOf } from '../places.ts';
import { COMPONENTS, LOOKBACK, regimeOf, rollingScores, type Score, scoreOf } from './score.ts';

export interface SentimentArgs extends WindowArgs {}

const OWN = 'risk_sentiment';

/** Scores of risk appetite as the service sent them, else computed and marked. See docs/interface-endpoints.md#risk-sentiment. */
export const composeSentiment: Compose<SentimentArgs> = {
  version: 1,
  reads: () => [{ endpoint: OWN, scope: {} }, ...inputRefs()],
  selectSeries: (_, stored) => {
    const own = stored.filter(({ endpoint }) => endpoint === OWN);
    return own.length > 0 ? own : pickInputs(stored);
  },
  required: true,
  rowsNeeded: (_, { endpoint }) => (endpoint === OWN ? { columns: ['date'] } : undefined),
  vouches: (_, picked) => (picked.every(({ endpoint }) => endpoint === OWN) ? { series: picked } : undefined),
  build: (loaded, context) => {
    const [own] = loaded.filter(({ ref }) => ref.endpoint === OWN).sort(byOrigin);
    return own ? servedScores(own, context) : computedScores(loaded, context);
  },
};

/** The part of a row that does not follow from the row itself. */
type Doubt = 'score' | 'regime';

/** Slack for the doubles of the check itself, far below any published digit. */
const NOISE = 1e-12;

interface ScoredDay extends Score {
  readonly date: string;
}

/** A day's value of a component. */
interface SentimentInput {
  readonly date: string;
  readonly val: number;
}

/** Where the mirror keeps what a component is made of: a series of its own, or the rates that a pair follows from. */
type Source = { readonly series: SeriesRef } | { readonly pair: Pair };

/** The stress index is a daily series of nobody's currency; a service or a file that has it files it under the dollar. */
const SOURCES: Readonly<Record<string, Source>> = {
  ofr_fsi: { series: { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'ofr_fsi' }, exact: true } },
  gold: { series: { endpoint: 'commodities', scope: { indicator: 'gold' } } },
  aud_usd: { pair: { base: 'AUD', quote: 'USD' } },
  usd_jpy: { pair: { base: 'USD', quote: 'JPY' } },
};

const sources: readonly Source[] = Object.values(SOURCES);

interface SentimentChangesArgs {
  readonly after_sequence?: number | undefined;
  readonly limit: number;
}

function servedScores(own: LoadedSeries, { args, caller }: HookContext<SentimentArgs>): Composed {
  const { start_date: from, end_date: to, limit, offset } = args;
  const [dates, text] = [datesOf(own), textsOf(own)];
  const window = dayRangeWithin(dates, from, to);
  const total = window.end - window.start;
  const first = window.start + offset;
  const page = dates
    .slice(first, Math.min(first + limit, window.end))
    .map((date, i) => ({ date, text: text(first + i) }));
  return {
    envelope: { ...own.envelope, start_date: from, end_date: to },
    rows: page.map(({ text }) => text),
    total,
    notes: caller.kind === 'owner' ? doubtNotes(page) : [],
  };
}

/** Notes about contradictory rows of the page, for a person who would otherwise rely on them. */
function doubtNotes(page: readonly { readonly date: string; readonly text: JsonText }[]): readonly string[] {
  const doubts = page.map(({ date, text }) => ({ date, doubt: doubtOf(parseObject(text)) }));
  const tell = (dates: readonly string[], what: string) =>
    dates.length === 0 ? [] : [`${what} on ${dates.length} of ${page.length} days, ${dates[0]} among them.`];
  const on = (kind: string) => doubts.filter(({ doubt }) => doubt === kind).map(({ date }) => date);
  return [
    ...tell(on('score'), 'The score is not the tanh of the sum of its components'),
    ...tell(on('regime'), 'The regime is not that of the score'),
  ];
}

function computedScores(
  loaded: readonly LoadedSeries[],
  { args, labels, now }: HookContext<SentimentArgs>,
): Composed | undefined {
  const { start_date: from, end_date: to, limit, offset } = args;
  const observed = observedComponents(loaded);
  const days = scoredDays(observed);
  const missingParts = missingOfScores(observed, { from, to: earlier(to, dateOf(now * 1000)) });
  if (days.length === 0 && missingParts.length === 0) return undefined;
  // The service's own scores rest on every component.
  const isShort = observed.some(({ isHeld }) => !isHeld);
  const window = within(days, from, to);
  const isHeld = (_: unknown, i: number) => (observed[i]?.observations.length ?? 0) >= LOOKBACK;
  const stored = COMPONENTS.filter(isHeld).map(({ name }) => name);
  const missing = COMPONENTS.map(({ name }) => name).filter((name) => !stored.includes(name));
  return {
    envelope: {
      start_date: from,
      end_date: to,
      component_metadata: Object.fromEntries(
        COMPONENTS.map(({ name, weight, sign }, i) => [
          name,
          { weight, sign, observation_count: observed[i]?.observations.length ?? 0, source: labels.storage },
        ]),
      ),
      data_quality: { is_derived: true, reason: 'computed_from_components', row_count: window.length },
    },
    rows: window.slice(offset, offset + limit).map(rowText),
    total: window.length,
    missingParts: isShort ? [...missingParts, missingAll(OWN, {})] : missingParts,
    notes: [
      `The service's own scores are not stored: these are computed from ${stored.join(', ')}.`,
      ...missing.map(
        (name) => `${name} is stored for less than ${LOOKBACK} days: its weight is spread over the others.`,
      ),
    ],
  };
}

function rowText({ date, val, regime, components }: ScoredDay): JsonText {
  const parts = Object.entries(components);
  const shown = parts.map(([name, part]) => [name, part === null ? null : float(part)] as const);
  return toJsonText({
    date,
    val: float(val),
    score: float(val),
    regime,
    risk_regime: regime,
    sentiment: regime,
    components: Object.fromEntries(shown),
    component_coverage: Object.fromEntries(parts.map(([name, part]) => [name, part !== null])),
    stored_component_count: parts.filter(([, part]) => part !== null).length,
  });
}

/** Items of a list ordered newest first whose date is inside both bounds. */
function within<T extends { readonly date: string }>(items: readonly T[], from: string, to: string): readonly T[] {
  const start = items.findIndex(({ date }) => date <= to);
  if (start < 0) return [];
  const end = items.findIndex(({ date }) => date < from);
  return items.slice(start, end < 0 ? undefined : end);
}

/** Whether score and regime of a row disagree with its components beyond half a unit of their last decimals. */
export function doubtOf(row: JsonObject): Doubt | undefined {
  const { val } = row;
  if (typeof val !== 'number') return undefined;
  const parts = isJsonObject(row.components) ? Object.values(row.components).filter(isNumber) : [];
  if (parts.length > 0) {
    const sum = parts.reduce((total, part) => total + part, 0);
    // The slope of tanh is at most 1, so an error of the sum is at most the same error of the score.
    const slack = parts.length * halfUnit(parts) + halfUnit([val]) + NOISE;
    if (Math.abs(Math.tanh(sum) - val) > slack) return 'score';
  }
  return regimeFits(row.regime, val) ? undefined : 'regime';
}

function regimeFits(regime: unknown, val: number): boolean {
  if (typeof regime !== 'string') return true;
  const half = halfUnit([val]);
  return [val, val - half, val + half].some((near) => regimeOf(near) === regime);
}

/** Half a unit of the last decimal that any of these numbers shows. */
function halfUnit(values: readonly number[]): number {
  const digits = Math.max(...values.map((value) => decimalOf(value)?.scale ?? 0));
  return 10 ** -digits / 2;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** Days with a score, newest first, without those whose components are not covered far enough. */
function scoredDays(components: readonly Observed[]): readonly ScoredDay[] {
  const scores = components.map(scoresOf);
  const dates = [...new Set(scores.flatMap(({ byDate }) => [...byDate.keys()]))].sort().reverse();
  return dates.flatMap((date) => {
    const parts = scores.map(({ byDate, isSilent }) => (isSilent(date) ? null : byDate.get(date)));
    if (!parts.every((part) => part !== undefined)) return [];
    const score = scoreOf(parts);
    return score ? [{ date, ...score }] : [];
  });
}

/** The scores of a component by date: null where it has none yet, undefined where missing rows may change it. */
function scoresOf({ observations, coverage, isHeld }: Observed) {
  const dates = observations.map(({ date }) => date);
  const scores = rollingScores(observations.map(({ val }) => val));
  const newestFirst = dates.toReversed();
  const ends = runEnds(coverage, newestFirst);
  const isFromStart = dates[0] !== undefined && isCovered(coverage, { from: BEGINNING, to: dates[0] });
  const byDate = new Map<string, number | null | undefined>();
  for (const [i, date] of dates.entries()) {
    const place = dates.length - 1 - i;
    const end = ends[place] ?? place;
    const isKnown = end - place >= LOOKBACK || (end === dates.length && isFromStart);
    byDate.set(date, isKnown ? (scores[i] ?? null) : undefined);
  }
  // A component that is not stored at all counts as one without a score; the notes tell.
  const isSilent = (date: string) => !byDate.has(date) && (!isHeld || isCovered(coverage, { from: date, to: date }));
  return { byDate, isSilent };
}

/** Missing parts of the scores of a range: for each component the range and its look-back. */
function missingOfScores(components: readonly Observed[], { from, to }: Range): readonly MissingPart[] {
  return components.flatMap(({ observations, missingParts }) => {
    const first = observations.findIndex(({ date }) => date >= from);
    const back = observations[(first < 0 ? observations.length : first) - LOOKBACK];
    return missingParts({ from: back === undefined ? BEGINNING : addDays(back.date, 1), to });
  });
}

/** Every series that a component could follow from. */
function inputRefs(): readonly SeriesRef[] {
  return sources.flatMap((source) =>
    'series' in source ? [source.series] : candidatePairs(source.pair).map(seriesOfPair),
  );
}

/** The stored series behind the components. */
function pickInputs<Ref extends StoredRef>(stored: readonly Ref[]): readonly Ref[] {
  const picked = sources.flatMap((source) =>
    'series' in source ? stored.filter((ref) => isOf(ref, source.series)) : selectPathSeries(source.pair, stored),
  );
  return [...new Set(picked)];
}

/** The stored data of a component. */
interface Observed {
  /** A series of it is stored, with or without rows. */
  readonly isHeld: boolean;
  /** Oldest first. */
  readonly observations: readonly SentimentInput[];
  readonly coverage: Coverage;
  missingParts(range: Range): readonly MissingPart[];
}

const UNHELD: Observed = { isHeld: false, observations: [], coverage: NO_COVERAGE, missingParts: () => [] };

/** The observations of each component, in the order of the components; empty unless stored daily. */
function observedComponents(loaded: readonly LoadedSeries[]): readonly Observed[] {
  return COMPONENTS.map(({ name }) => {
    const source = SOURCES[name];
    if (!source) return UNHELD;
    const { observations, ...stored } =
      'series' in source ? valuesOf(loaded, source.series) : ratesOf(loaded, source.pair);
    // The score looks back 252 observations, which must be a year of days.
    const isDaily = cadenceOf(observations.map(({ date }) => date)) === 'daily';
    return { ...stored, observations: isDaily ? observations.toReversed() : [] };
  });
}

/** Newest first: of several origins the service's own rows. */
function valuesOf(loaded: readonly LoadedSeries[], target: SeriesRef): Observed {
  const [best] = loaded.filter(({ ref }) => isOf(ref, target)).sort(byOrigin);
  if (!best) return UNHELD;
  const observations = best.rows.flatMap(({ columns: { date, val } }) =>
    typeof date === 'string' && typeof val === 'number' ? [{ date, val }] : [],
  );
  return {
    isHeld: true,
    observations,
    coverage: best.coverage,
    missingParts: (range) => missingOfSeriesList([best], range),
  };
}

/** Newest first: the pair itself, its reverse or a cross, whichever the route of rates would show. */
function ratesOf(loaded: readonly LoadedSeries[], pair: Pair): Observed {
  const refs = loaded.map(({ ref }) => ref);
  const [path] = pathsOf(pair, refs);
  if (!path) return UNHELD;
  const legRates = path.legs.map((leg) => pairRatesOf(leg.pair, loaded));
  const candidate = { path, legRates, points: pointsOf(legRates, false) };
  const { dates, vals } = ratesBy([candidate]);
  const observations = dates.flatMap((date, i) => {
    const val = vals[i] ?? Number.NaN;
    return Number.isNaN(val) ? [] : [{ date, val }];
  });
  return {
    isHeld: true,
    observations,
    coverage: coverageOfPath(candidate),
    missingParts: (range) => missingOfPaths([candidate], coverageOfPaths([candidate]), range),
  };
}

function isOf(ref: StoredRef, target: SeriesRef): boolean {
  if (ref.endpoint !== target.endpoint) return false;
  const names = Object.keys(target.exact ? { ...ref.scope, ...target.scope } : target.scope);
  return names.every((name) => ref.scope[name] === target.scope[name]);
}

/** The changes behind a sequence, oldest first, and whether some may be missing. Section 9.17. */
export function deriveSentimentChanges({ args, rows, coverage }: PageView<SentimentChangesArgs>): Derived {
  const { after_sequence: after = 0, limit } = args;
  const sequences = rows.map(({ key }) => Number(key[0]));
  const first = sequences.findIndex((sequence) => sequence > after);
  const start = first < 0 ? rows.length : first;
  const page = rows.slice(start, start + limit);
  const last = sequences[start + page.length - 1] ?? after;
  const reached = page.length > 0 ? last : after;
  const known = knownUntil(coverage, after);
  const isHeld = reached <= known;
  return {
    envelope: {
      pagination: {
        limit,
        after_sequence: after,
        returned_count: page.length,
        has_more: start + page.length < rows.length,
        next_after_sequence: reached,
      },
      ...(!isHeld && { gap: true }),
    },
    rows: page.map(({ text }) => text),
    total: rows.length - start,
    ...(!isHeld && { missingParts: [{ from: '', to: '' }] }),
  };
}

/** Up to which sequence all changes behind another one are stored; less than that one where none are known. */
function knownUntil({ ranges }: Coverage, after: number): number {
  const range = ranges.find(({ from, to }) => Number(from) <= after + 1 && Number(to) >= after);
  return range ? Number(range.to) : -1;
}
