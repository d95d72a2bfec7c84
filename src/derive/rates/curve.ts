import type {
  Compose,
  Composed,
  CoveringSeries,
  Envelope,
  HookContext,
  LoadedSeries,
  SeriesRef,
  StoredRef,
  WantedSeries,
} from '../../contract/hooks.ts';
import { float, type JsonObject, type JsonText, toJsonText } from '../../contract/json/json.ts';
import { addDays, dateOf, isoSeconds } from '../../contract/time/time.ts';
import { keptQuality } from '../../coverage/data-quality.ts';
import { earlier } from '../../coverage/missing-parts.ts';
import { CATALOGUE, catalogueOf, LIST_COLUMNS } from '../announcements/series.ts';
import { datesOf } from '../places.ts';
import { type ChosenNodes, type CurveNode, chooseNodes, coveredLines, nodeText, sourceOfNode } from './nodes.ts';
import {
  basisPoints,
  distinct,
  forwardRate,
  givesNodes,
  MARKET_COLUMNS,
  type Maturity,
  nodeLines,
  type ObservedMoment,
  rateQuality,
  spreadOf,
} from './rates.ts';

/** Members about forwards if the service has stated none. */
export const FORWARD_SUPPORT = {
  source_type: 'derived',
  source_note: 'Forward rates are derived from spot nodes; no official forward curve is stored.',
} as const;

/** The slopes that are emitted where both nodes exist, in this order. See docs/interface-endpoints.md#curves. */
const SLOPES = [
  ['3M', '10Y'],
  ['2Y', '5Y'],
  ['2Y', '10Y'],
  ['5Y', '10Y'],
  ['5Y', '30Y'],
  ['10Y', '30Y'],
] as const;

interface SlopeRow {
  readonly text: JsonText;
  readonly inverted: boolean;
}

export interface CurveArgs {
  readonly currency: string;
  readonly curve_family: string;
  readonly metric: string;
  readonly view: string;
  readonly method: string;
  readonly date: string | undefined;
  readonly as_of: number | undefined;
  readonly availability: string;
  readonly max_staleness_days: number | undefined;
  readonly require_common_date: boolean | undefined;
}

/** How far back a node may lie, when nobody says. See docs/interface-endpoints.md#curves. */
const LOOKBACK = 60;
const LOOKBACK_OF_REPLAYS = 7;

/** A curve from yields (`gov_bond_*`) and listed nodes, each maturity's newest, with slopes and forwards. */
export const composeCurve: Compose<CurveArgs> = {
  version: 1,
  reads: readSeries,
  lists: ({ currency }) => [catalogueOf(currency)],
  selectSeries: (_, stored) => stored.filter(givesNodes),
  lastDayNamed: ({ date, as_of: asOf }) => (asOf === undefined ? date : undefined),
  rowsNeeded: wantedRows,
  vouches: vouchingSeries,
  build: buildCurve,
};

/** The service lists the nodes of the day of the question; those of another moment follow from the yields. */
function readSeries({ currency, date, as_of: asOf }: CurveArgs): readonly SeriesRef[] {
  const listed = { endpoint: 'curves', scope: { currency } };
  const yields = { endpoint: 'announcements', scope: { currency } };
  return isOfAnotherMoment({ date, as_of: asOf }) ? [yields, listed] : [listed, yields];
}

function isOfAnotherMoment({ date, as_of: asOf }: Pick<CurveArgs, 'date' | 'as_of'>): boolean {
  return date !== undefined || asOf !== undefined;
}

/** For another moment only the yields of possible nodes are read: rows of the past cost more than current ones. */
function wantedRows(args: CurveArgs, { endpoint }: StoredRef): WantedSeries | undefined {
  const to = dayOf(args);
  if (endpoint !== 'announcements') return endpoint === CATALOGUE ? LIST_COLUMNS : undefined;
  return to === undefined
    ? { columns: MARKET_COLUMNS }
    : { since: addDays(to, -lookbackOf(args)), columns: MARKET_COLUMNS };
}

function isListed({ ref }: LoadedSeries): boolean {
  return ref.endpoint === 'curves';
}

/** Only the service's own list of nodes tells that there are no others, and it tells so of today. */
function vouchingSeries(args: CurveArgs, picked: readonly StoredRef[]): CoveringSeries | undefined {
  if (!isOfList(args)) return undefined;
  return { series: picked.filter(({ endpoint }) => endpoint === 'curves') };
}

/** True where the service's list of today has every node that a question may show. */
function isOfList(args: CurveArgs): boolean {
  const { max_staleness_days: days = LOOKBACK, require_common_date: common = false } = args;
  return !isOfAnotherMoment(args) && days <= LOOKBACK && !common;
}

function buildCurve(loaded: readonly LoadedSeries[], context: HookContext<CurveArgs>): Composed | undefined {
  if (!loaded.some(({ ref }) => givesNodes(ref))) return undefined;
  const { args } = context;
  const moment = momentOf(context);
  const common = args.require_common_date ?? args.as_of !== undefined;
  const curve = coveredLines(nodeLines(loaded, moment), loaded, {
    ...moment,
    currency: args.currency,
    isOfList: isOfList(args),
    until: earlier(moment.to, dateOf(context.now * 1000)),
  });
  const { lines } = curve;
  const chosen = chooseNodes(curve, common);
  const { nodes } = chosen;
  // Lists of other days do not tell that there was no curve at this moment.
  const areListsAlone = loaded.every((series) => isListed(series) || !givesNodes(series.ref));
  if (lines.every(({ observations }) => observations.length === 0) && areListsAlone && isOfAnotherMoment(args))
    return undefined;
  const shown = viewOf(args.view, chosen, moment.to);
  return {
    envelope: envelopeOf(loaded, { args, chosen, shown, upTo: moment.to }),
    rows: shown.rows,
    total: shown.rows.length,
    missingParts: [...curve.missingParts, ...lines.flatMap(({ missingParts }) => missingParts)],
    notes: notesOf(loaded, nodes, { args, common }),
  };
}

function momentOf({ args, now }: HookContext<CurveArgs>): ObservedMoment {
  const to = dayOf(args) ?? dateOf(now * 1000);
  return { from: addDays(to, -lookbackOf(args)), to, asOf: args.as_of };
}

/** The day that is asked about; undefined for that of the question. `as_of` wins over `date`. */
function dayOf({ date, as_of: asOf }: CurveArgs): string | undefined {
  return asOf === undefined ? date : dateOf(asOf * 1000);
}

function lookbackOf({ as_of: asOf, max_staleness_days: days }: CurveArgs): number {
  return days ?? (asOf === undefined ? LOOKBACK : LOOKBACK_OF_REPLAYS);
}

interface Shown {
  readonly rows: readonly JsonText[];
  /** The counts that belong to the view. */
  readonly counts: Envelope;
}

function viewOf(view: string, chosen: ChosenNodes, upTo: string): Shown {
  const { nodes } = chosen;
  if (view === 'slopes') {
    const slopes = slopesOf(nodes);
    const counts = { slope_count: slopes.length, inverted_count: slopes.filter(({ inverted }) => inverted).length };
    return { rows: slopes.map(({ text }) => text), counts };
  }
  if (view === 'forwards') {
    const rows = forwardsOf(chosen);
    return { rows, counts: { segment_count: rows.length } };
  }
  return { rows: nodes.map((node) => nodeText(node, upTo)), counts: { node_count: nodes.length } };
}

interface CurveFacts {
  readonly args: CurveArgs;
  readonly chosen: ChosenNodes;
  readonly shown: Shown;
  readonly upTo: string;
}

function envelopeOf(loaded: readonly LoadedSeries[], { args, chosen, shown, upTo }: CurveFacts): Envelope {
  const { nodes } = chosen;
  const listed = args.view === 'nodes' && nodes.every(({ at }) => at.listed !== undefined);
  const stored = loaded.find(({ ref }) => ref.endpoint === 'curves')?.envelope ?? {};
  if (listed && describes(stored, nodes.length, args, upTo)) return stored;
  const sources = distinct(nodes.map(sourceOfNode));
  const members = args.view === 'nodes' && nodes.length > 0 ? stored : {};
  const quality = qualityOf(args, chosen, { sources, upTo, rows: shown.rows.length });
  const replay = args.as_of === undefined ? {} : { as_of: isoSeconds(args.as_of), availability: args.availability };
  return {
    ...members,
    currency: args.currency,
    curve_family: args.curve_family,
    view: args.view,
    metric: args.metric,
    ...(args.view === 'forwards' && { method: args.method }),
    requested_date: upTo,
    ...replay,
    ...shown.counts,
    sources: sources.length > 0 ? sources : (members.sources ?? []),
    official_forward_source_support: stored.official_forward_source_support ?? FORWARD_SUPPORT,
    data_quality: isOfAnotherMoment(args) ? quality : keptQuality(members, quality),
  };
}

/** True while the members beside the nodes that the service sent still tell of the same nodes on the same day. */
function describes(stored: JsonObject, count: number, args: CurveArgs, upTo: string): boolean {
  return args.as_of === undefined && stored.requested_date === upTo && stored.node_count === count;
}

function qualityOf(
  args: CurveArgs,
  { nodes, withheld }: ChosenNodes,
  facts: { sources: readonly string[]; upTo: string; rows: number },
): Envelope {
  const dates = nodes.map(({ at }) => at.date).sort();
  const timed = nodes.filter(({ at }) => at.release !== undefined);
  return rateQuality({
    series: [...new Set(nodes.map(({ at }) => at.series))],
    sources: facts.sources,
    derived: args.view !== 'nodes',
    rows: facts.rows,
    timed: args.view === 'nodes' ? timed.length : timed.length === nodes.length ? facts.rows : 0,
    latest: withheld.length > 0 ? undefined : dates.at(-1),
    today: facts.upTo,
    ages: true,
  });
}

function notesOf(
  loaded: readonly LoadedSeries[],
  nodes: readonly CurveNode[],
  { args, common }: { readonly args: CurveArgs; readonly common: boolean },
): readonly string[] {
  if (nodes.length === 0) return [emptyNote(loaded, common)];
  if (loaded.some(isListed) && !isOfAnotherMoment(args)) return [];
  const count = nodes.length === 1 ? 'the one maturity' : `the ${nodes.length} maturities`;
  return [`Made of ${count} with stored yields; the service may know more.`];
}

function emptyNote(loaded: readonly LoadedSeries[], common: boolean): string {
  if (common) return 'No recent date has all stored maturities: --require-common-date false takes each from its own.';
  const newest = loaded
    .filter(({ ref }) => givesNodes(ref))
    .flatMap((series) => datesOf(series).slice(0, series.range ? 1 : undefined))
    .reduce((latest, date) => (date > latest ? date : latest), '');
  return newest === ''
    ? 'No stored yield is recent enough: --date asks for the curve of another day.'
    : `No stored yield is recent enough: the stored yields end on ${newest}. --date ${newest} shows them.`;
}

/** Differences between two maturities, the long one minus the short one. */
function slopesOf(nodes: readonly CurveNode[]): readonly SlopeRow[] {
  const byLabel = new Map(nodes.map((node) => [node.maturity.label, node]));
  return SLOPES.flatMap(([from, to]) => {
    const [short, long] = [byLabel.get(from), byLabel.get(to)];
    return short && long ? [slopeOf(short, long)] : [];
  });
}

function slopeOf(short: CurveNode, long: CurveNode): SlopeRow {
  const { points, bps } = spreadOf(long.at.val, short.at.val);
  const inverted = points < 0;
  const text = toJsonText({
    slope: `${short.maturity.label}${long.maturity.label}`,
    short_maturity: short.maturity.label,
    long_maturity: long.maturity.label,
    short_val: float(short.at.val),
    long_val: float(long.at.val),
    val: float(points),
    val_bps: float(bps),
    is_inverted: inverted,
    date: olderDate(short, long),
  });
  return { text, inverted };
}

/** A pair is as old as its older leg. */
function olderDate(a: CurveNode, b: CurveNode): string {
  return a.at.date < b.at.date ? a.at.date : b.at.date;
}

/** Forward rates between neighbours of a year or more without an unknown node between. See docs/interface-endpoints.md#curves. */
function forwardsOf({ nodes, withheld, isUnlisted }: ChosenNodes): readonly JsonText[] {
  if (isUnlisted) return [];
  const long = nodes.filter(({ maturity }) => maturity.years >= 1);
  return long.flatMap((end, i) => {
    const start = long[i - 1];
    const isBetween = ({ years }: Maturity) => start && years > start.maturity.years && years < end.maturity.years;
    const text = start && !withheld.some(isBetween) ? segmentText(start, end) : undefined;
    return text === undefined ? [] : [text];
  });
}

function segmentText(start: CurveNode, end: CurveNode): JsonText | undefined {
  const val = forwardRate(
    { val: start.at.val, years: start.maturity.years },
    { val: end.at.val, years: end.maturity.years },
  );
  if (val === undefined) return undefined;
  return toJsonText({
    segment: `${start.maturity.label}${end.maturity.label}`,
    start_maturity: start.maturity.label,
    end_maturity: end.maturity.label,
    start_tenor_years: float(start.maturity.years),
    end_tenor_years: float(end.maturity.years),
    start_val: float(start.at.val),
    end_val: float(end.at.val),
    val: float(val),
    val_bps: float(basisPoints(val)),
    start_announcement_datetime: start.at.release,
    end_announcement_datetime: end.at.release,
    date: olderDate(start, end),
  });
}
