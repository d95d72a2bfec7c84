// Estimates steps whose cost only the first page shows: from the catalogue, from like series, else from typical sizes.
import { isJsonObject, parseJson } from '../../contract/json/json.ts';
import type { Extent, SyncStrategy } from '../../contract/mapping.ts';
import { addDays, dateOf, daysBetween } from '../../contract/time/time.ts';
import catalogue from '../../endpoints/catalogue/catalogue.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { KeyValue } from '../../mirror/api/series.ts';
import type { SyncTarget } from '../series/select.ts';
import { type Asker, readStates } from '../series/states.ts';
import type { PlannedRequest, SeriesState } from './step.ts';

interface EstimateOptions {
  readonly mirror: Mirror | undefined;
  readonly asker: Asker;
  /** Milliseconds. */
  readonly now: number;
}

const YEAR_DAYS = 365.25;

/** By the frequency that a catalogue names. */
const BY_FREQUENCY: Readonly<Record<string, Extent>> = {
  daily: { from: '2023-01-01', rowsPerYear: 260 },
  weekly: { from: '2016-01-01', rowsPerYear: 52 },
  monthly: { from: '2016-01-01', rowsPerYear: 12 },
  quarterly: { from: '2016-01-01', rowsPerYear: 4 },
  annual: { from: '2016-01-01', rowsPerYear: 1 },
};

/** Indicators that are not monthly, by their names; a catalogue knows better. */
const FREQUENCY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^gov_bond|^risk_free|trade_weighted|breakeven|inflation_linked/, 'daily'],
  [/claims|cb_assets|inventories|storage|sight_deposits/, 'weekly'],
  [/^gdp|account|income_balance|international_|government_debt|wage_price|nairu/, 'quarterly'],
];

/** The estimated number of requests of a step, never less than the certain ones. Sends no request. */
export async function estimateStep(step: PlannedRequest, options: EstimateOptions): Promise<number> {
  if (!step.open) return step.requests;
  const [state] = await readStates(options.mirror, options.asker, [step.target]);
  return state ? Math.max(step.requests, await guess(step, state, options)) : step.requests;
}

async function guess(step: PlannedRequest, state: SeriesState, options: EstimateOptions): Promise<number> {
  const { endpoint } = step.target;
  const sync = endpoint.mirror?.sync;
  if (sync?.kind === 'cursor' || sync?.kind === 'sequence')
    return state.id === undefined ? (sync.firstRequests ?? 1) : 1;
  const extent = await extentFor(step.target, state, options);
  if (!extent) return step.requests;
  const today = dateOf(options.now);
  if (sync?.kind === 'spans') return spansFor(step, sync, extent, today);
  const { paging } = endpoint;
  if (paging.kind === 'none') return step.requests;
  const rows =
    step.resumes && state.walk?.total !== undefined
      ? state.walk.total - state.walk.seen
      : rowsIn(step.window, extent, today);
  const pages = Math.max(1, Math.ceil(rows / paging.max));
  // If the newest page of a history is asked for first, the backfill is the rest.
  const isRest = step.reason === 'backfill' && step.requests === 0;
  return isRest ? pages - 1 : pages;
}

/** The extent by the catalogue, else by like series, else a typical one. */
async function extentFor(
  target: SyncTarget,
  state: SeriesState,
  options: EstimateOptions,
): Promise<Extent | undefined> {
  const typical = typicalExtent(target);
  const { mirror } = options;
  if (!mirror) return typical;
  return (await fromCatalogue(target, mirror)) ?? (await fromLikeSeries(target, state, options)) ?? typical;
}

async function fromCatalogue({ endpoint, args }: SyncTarget, mirror: Mirror): Promise<Extent | undefined> {
  if (endpoint.mirror?.extent !== 'catalogued') return undefined;
  const [stored] = await mirror.find({ endpoint: catalogue.id, scope: { currency: String(args.currency) } });
  const rows = stored ? await mirror.rows(stored, {}) : [];
  const found = rows.find(({ key }) => key[0] === args.indicator);
  const entry = found && parseJson(found.text);
  if (!isJsonObject(entry)) return undefined;
  const { frequency, source_history_start: start, coverage } = entry;
  const from = typeof start === 'string' ? start : undefined;
  const facts = isJsonObject(coverage) ? coverage : {};
  const { row_count: count, earliest_available_date: first, latest_available_date: last } = facts;
  if (typeof count === 'number' && typeof first === 'string' && typeof last === 'string')
    return { from: first, rowsPerYear: count / Math.max(daysBetween(first, last) / YEAR_DAYS, 1 / 12) };
  return typeof frequency === 'string' ? extentOf(frequency, from) : undefined;
}

/** The stored series of the endpoint with most rows: the others may not be stored as a whole. */
async function fromLikeSeries(
  { endpoint }: SyncTarget,
  state: SeriesState,
  { mirror, now }: EstimateOptions,
): Promise<Extent | undefined> {
  // Indicators have all kinds of frequency: one says nothing of another.
  if (!mirror || endpoint.mirror?.extent === 'catalogued' || !endpoint.mirror?.window) return undefined;
  let most = { rows: 0, from: '' };
  for (const series of await mirror.find({ endpoint: endpoint.id, scope: {} })) {
    if (series.id === state.id) continue;
    const rows = await mirror.count(series, {});
    const edges = await Promise.all([0, rows - 1].map((offset) => mirror.rows(series, {}, { limit: 1, offset })));
    const [from] = edges.flatMap(([row]) => dateText(row?.key[0]) ?? []).sort();
    if (rows > most.rows && from !== undefined) most = { rows, from };
  }
  // A few rows say nothing about how many there are.
  if (most.rows < 10) return undefined;
  return {
    from: most.from,
    rowsPerYear: most.rows / Math.max(daysBetween(most.from, dateOf(now)) / YEAR_DAYS, 1 / 12),
  };
}

function dateText(value: KeyValue | undefined): string | undefined {
  return typeof value === 'number' ? dateOf(value * 1000) : value?.slice(0, 10);
}

function rowsIn(window: PlannedRequest['window'], { from, rowsPerYear }: Extent, today: string): number {
  const begin = dateText(window?.from) ?? from;
  const end = dateText(window?.to) ?? today;
  const days = daysBetween(begin > from ? begin : from, end < today ? end : today);
  return Math.max(0, ((days + 1) / YEAR_DAYS) * rowsPerYear);
}

/** Spans back to the first row, and on until nothing came for long enough. */
function spansFor(
  { window }: PlannedRequest,
  { days, quietDays }: Extract<SyncStrategy, { kind: 'spans' }>,
  { from }: Extent,
  today: string,
): number {
  const end = dateText(window?.to) ?? today;
  return Math.max(1, Math.ceil((daysBetween(addDays(from, -quietDays), end) + 1) / days));
}

/** The typical extent of a series of an endpoint; undefined where one page is all. */
function typicalExtent({ endpoint, args }: SyncTarget): Extent | undefined {
  const extent = endpoint.mirror?.extent;
  if (extent !== 'catalogued') return extent;
  const indicator = String(args.indicator ?? '');
  return BY_FREQUENCY[FREQUENCY_WORDS.find(([pattern]) => pattern.test(indicator))?.[1] ?? 'monthly'];
}

/** The extent of a history with a frequency and a beginning. */
function extentOf(frequency: string, from: string | undefined): Extent | undefined {
  const typical = BY_FREQUENCY[frequency.toLowerCase()];
  return typical && { ...typical, ...(from !== undefined && { from }) };
}

/** Indicators in a catalogue that is not stored yet, and requests that a series of them takes. */
const LONG_CATALOGUES: Readonly<Record<string, number>> = { USD: 94, EUR: 32, GBP: 32, JPY: 32 };
const SHORT_CATALOGUE = 12;
const REQUESTS_BY_INDICATOR = 3.5;

/** Requests that the indicators of a currency take whose catalogue is not stored. */
export function typicalIndicatorRequests(currency: string): number {
  return Math.round((LONG_CATALOGUES[currency.toUpperCase()] ?? SHORT_CATALOGUE) * REQUESTS_BY_INDICATOR);
}
