import { PUBLIC_CURRENCY, releaseCutoff } from '../../contract/access.ts';
import type {
  Caller,
  Compose,
  Composed,
  Envelope,
  HookContext,
  LoadedSeries,
  MissingPart,
  SeriesRef,
} from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { isJsonObject, type Json, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { EVENTS_KEPT, type ReleaseEvent, readEvent } from '../../contract/release-event.ts';
import { type Coverage, missingRangesIn, type Range, unionOf } from '../../contract/time/coverage.ts';
import { isoSeconds, parseInstant } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { madeOf, textsOf, valuesOf } from '../places.ts';
import { type Print, patched, readKept, readPrint } from './print.ts';
import { missingOfRow, shownRows } from './recent.ts';
import { byOrigin, HISTORY, latestShown } from './series.ts';

const FEED = 'announcements_changes';

export interface ChangesArgs {
  readonly currencies?: readonly string[] | undefined;
  readonly indicators?: readonly string[] | undefined;
  readonly payload: string;
  readonly limit: number;
  readonly since?: string | undefined;
}

const DAY = 86_400;

/** See docs/interface-events.md#changes. */
const G10 = ['aud', 'cad', 'chf', 'eur', 'gbp', 'jpy', 'nok', 'nzd', 'sek', 'usd'];

/** Releases in order of processing, behind a cursor. See docs/interface-events.md#changes. */
export const composeChanges: Compose<ChangesArgs> = {
  version: 2,
  reads: () => [{ endpoint: FEED, scope: {} }],
  follow: historiesOf,
  rowsNeeded: (_, { endpoint }) => (endpoint === FEED ? { columns: ['event_id'] } : undefined),
  build: buildChanges,
};

/** The histories that hold the rows of the asked events, where an event does not carry its own. */
function historiesOf(args: ChangesArgs, loaded: readonly LoadedSeries[], now: number): readonly SeriesRef[] {
  if (args.payload !== 'full') return [];
  const from = resumed(watchedIn(loaded), positionOf(args, now));
  const [currencies, indicators] = [expand(args.currencies), wantedIndicators(args)];
  const matching = eventsIn(loaded)
    .filter((event) => isAfter(event, from) && (currencies?.includes(event.currency) ?? true))
    .filter(({ indicator, text }) => (indicators?.includes(indicator) ?? true) && !hasFullRow(text));
  const scopes = new Map(
    matching.map(({ currency, indicator }) => [`${currency} ${indicator}`, { currency, indicator }]),
  );
  return [...scopes.values()].map(({ currency, indicator }) => ({
    endpoint: HISTORY,
    scope: { currency: currency.toUpperCase(), indicator },
    exact: true,
  }));
}

/** Where a walk goes on; the last day where nobody says. */
function positionOf({ since }: ChangesArgs, now: number): Position {
  return since === undefined ? { timestamp: now - DAY, eventId: '' } : readCursor(since);
}

function buildChanges(loaded: readonly LoadedSeries[], context: HookContext<ChangesArgs>): Composed | undefined {
  const { args, now, caller } = context;
  if (!loaded.some(({ ref }) => ref.endpoint === FEED)) return undefined;
  const currencies = scopeOf(args.currencies, caller);
  const watched = watchedIn(loaded);
  const from = resumed(watched, positionOf(args, now));
  const kept = keptEvents(loaded, { caller, now }).filter((event) => currencies?.includes(event.currency) ?? true);
  const ahead = kept.filter((event) => isAfter(event, from));
  const cutoff = caller.kind === 'keyless' ? releaseCutoff(now) : undefined;
  const isHidden = (event: ReleaseEvent) =>
    cutoff !== undefined && event.release !== undefined && event.release > cutoff;
  const stop = ahead.findIndex(isHidden);
  const readable = stop < 0 ? ahead : ahead.slice(0, stop);
  const indicators = wantedIndicators(args);
  const isAsked = (event: ReleaseEvent) => indicators?.includes(event.indicator) ?? true;
  const matching = readable.filter(isAsked);
  const page = matching.slice(0, args.limit);
  const hasMore = matching.length > page.length;
  // On the last page everything was passed that could be read, the events that were not asked for too.
  const reached = (hasMore ? page : readable).at(-1) ?? from;
  const begin = Math.max(from.uncovered ?? from.timestamp, beginOf(watched, { isOwner: caller.kind === 'owner', now }));
  const range = { from: begin, to: hasMore ? reached.timestamp : (cutoff ?? now) };
  const missingRanges = uncoveredIn(watched, range);
  const lacking: MissingPart[] = [];
  const onMissingPart = (missingPart: MissingPart) => void lacking.push(missingPart);
  const rows = page.map((event) => eventText(event, { loaded, context, cutoff, onMissingPart }));
  return {
    envelope: {
      count: page.length,
      next_cursor: writeCursor(leadingBack(reached, watched, missingRanges)),
      has_more: hasMore,
      retention_seconds: EVENTS_KEPT,
      scope: { currencies: currencies ?? null, indicators: indicators ?? null, payload: args.payload },
      ...(gapEnvelope(missingRanges, range) ?? gapOf(from, { begin, first: kept[0] })),
    },
    rows,
    total: matching.length,
    missingParts: [
      ...missingRanges.map((range) => ({ series: { endpoint: FEED, scope: {}, exact: true }, range })),
      ...lacking,
    ],
    withheld: ahead.filter((event) => isHidden(event) && isAsked(event)).map((event) => event.release ?? 0),
  };
}

/** The codes that a filter stands for, lower case; undefined for all. */
export function expand(slugs: readonly string[] | undefined): readonly string[] | undefined {
  if (slugs === undefined || slugs.length === 0 || slugs.includes('all')) return undefined;
  return [...new Set(slugs.flatMap((code) => (code === 'g10' ? G10 : [code])))];
}

/** A list of nothing but blanks is no filter. */
function wantedIndicators({ indicators }: ChangesArgs): readonly string[] | undefined {
  return indicators && indicators.length > 0 ? indicators : undefined;
}

/** Without a key every filter is narrowed to its public part; a list that has none was refused before. */
function scopeOf(slugs: readonly string[] | undefined, caller: Caller): readonly string[] | undefined {
  return caller.kind === 'keyless' ? [PUBLIC_CURRENCY.toLowerCase()] : expand(slugs);
}

/** Events in order, as long as the service would keep them; a person sees all that their mirror holds. */
function keptEvents(
  loaded: readonly LoadedSeries[],
  { caller, now }: { readonly caller: Caller; readonly now: number },
): readonly ReleaseEvent[] {
  const oldest = caller.kind === 'owner' ? Number.NEGATIVE_INFINITY : now - EVENTS_KEPT;
  return eventsIn(loaded).filter(({ timestamp }) => timestamp >= oldest);
}

/** Every event in order, each once. */
function eventsIn(loaded: readonly LoadedSeries[]): readonly ReleaseEvent[] {
  const feeds = loaded.filter(({ ref }) => ref.endpoint === FEED);
  const [only, further] = feeds.map((feed) => madeOf(feed, 'events', () => inOrder(eventsOf(feed))));
  return further ? inOrder(feeds.flatMap(eventsOf)) : (only ?? []);
}

function eventsOf(feed: LoadedSeries): readonly ReleaseEvent[] {
  const text = textsOf(feed);
  return valuesOf(feed, 'event_id').map((_, place) => readEvent(text(place)));
}

function inOrder(events: readonly ReleaseEvent[]): readonly ReleaseEvent[] {
  const byId = new Map<string, ReleaseEvent>();
  for (const event of events) if (!byId.has(event.eventId)) byId.set(event.eventId, event);
  return [...byId.values()].sort((a, b) => (isAfter(a, b) ? 1 : -1));
}

/** A position before all stored events: the caller has to fetch the histories again. */
function gapOf(
  { timestamp }: Position,
  { begin, first }: { begin: number; first: ReleaseEvent | undefined },
): Envelope {
  if (timestamp >= begin) return {};
  return { gap: true, oldest_available: isoSeconds(first?.timestamp ?? begin) };
}

/** Members of `latest_announcement` in the compact form. */
const COMPACT = ['date', 'val', 'announcement_datetime'] as const;

interface Serving {
  readonly loaded: readonly LoadedSeries[];
  readonly context: HookContext<{ readonly payload: string }>;
  readonly cutoff: number | undefined;
  /** Called with the missing part of a full row: the row itself, or the row to compare it with. */
  readonly onMissingPart: (missingPart: MissingPart) => void;
}

/** The event in the asked payload: `compact` names the print, `full` carries its whole row. */
function eventText(event: ReleaseEvent, serving: Serving): JsonText {
  const [own] = memberTexts(event.text, ['latest_announcement']);
  if (!own?.startsWith('{')) return event.text;
  if (serving.context.args.payload !== 'full') return compactText(event, own);
  return isFull(own) ? event.text : fullText(event, own, serving);
}

function hasFullRow(event: JsonText): boolean {
  const [latest] = memberTexts(event, ['latest_announcement']);
  return latest?.startsWith('{') === true && isFull(latest);
}

/** A row of a history names its announcement or its observation; anything else beside the print is the service's own. */
function isFull(latest: JsonText): boolean {
  const row = parseObject(latest);
  return Object.hasOwn(row, 'announcement_id') || Object.hasOwn(row, 'observation_id');
}

function compactText(event: ReleaseEvent, latest: JsonText): JsonText {
  if (!isFull(latest)) return event.text;
  const others = Object.keys(parseObject(latest)).filter((name) => !COMPACT.some((known) => known === name));
  const kept = patchRow(latest, Object.fromEntries(others.map((name) => [name, undefined])));
  return patchRow(event.text, { latest_announcement: isoRelease(kept) });
}

/** In events the release time of a row is ISO. See docs/interface-events.md#release-events. */
function isoRelease(latest: JsonText): JsonText {
  const { announcement_datetime: release } = parseObject(latest);
  return typeof release === 'number'
    ? patchRow(latest, { announcement_datetime: toJsonText(isoSeconds(release)) })
    : latest;
}

/** The event with the row of its period; unchanged if that row is not stored. */
function fullText(event: ReleaseEvent, latest: JsonText, serving: Serving): JsonText {
  const { loaded, onMissingPart } = serving;
  const { date } = parseObject(latest);
  const history = loaded
    .filter(({ ref }) => ref.endpoint === HISTORY && ref.scope.indicator === event.indicator)
    .filter(({ ref }) => ref.scope.currency?.toLowerCase() === event.currency)
    .sort(byOrigin)
    .find(({ rows }) => rows.some(({ columns }) => columns.date === date));
  if (!history) {
    const scope = { currency: event.currency.toUpperCase(), indicator: event.indicator };
    const range = { from: String(date), to: String(date) };
    onMissingPart({ series: { endpoint: HISTORY, scope, exact: true }, range });
    return event.text;
  }
  const at = history.rows.findIndex(({ columns }) => columns.date === date);
  const { val } = parseObject(latest);
  const [valText] = memberTexts(latest, ['val']);
  // A revision since then is another event's news.
  const isRevised = (print: Print) => typeof val === 'number' && !Object.is(val, print.val);
  // A value that the row lists no vintage of was made up: the row's own members tell of another release.
  const isMadeUp = (print: Print) => isRevised(print) && isUnlisted(print.row.revisions, Number(val));
  const { cutoff, context } = serving;
  const stored = latestShown(readKept(readPrint(history.rows[at]?.text ?? latest), history.kept), cutoff, context.now);
  if (isMadeUp(stored)) return patchRow(event.text, { latest_announcement: isoRelease(latest) });
  const rows = shownRows(history, {
    ...{ currency: event.currency.toUpperCase(), now: context.now, cutoff },
    announce: (print) =>
      print.date === date && isRevised(print)
        ? patched({ ...print, val: Number(val), valText: valText ?? print.valText, altered: true }, { val: valText })
        : print,
  });
  missingOfRow(history.ref, rows.missingRanges(at)).forEach(onMissingPart);
  return patchRow(event.text, { latest_announcement: isoRelease(rows.text(at)) });
}

function isUnlisted(revisions: Json | undefined, val: number): boolean {
  return Array.isArray(revisions) && !revisions.some((one) => isJsonObject(one) && Object.is(one.val, val));
}

/** A place in the order of events: by processing time, then by id. An empty id stands before all events of its second. */
interface Position {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly eventId: string;
  /** The first second before it (Unix seconds) that nobody watched: a walk goes back there once somebody has. */
  readonly uncovered?: number;
}

/** Marks cursors that a mirror gave: the service has its own, and neither can read those of the other. */
const PREFIX = 'm1.';

/** Where a cursor of a mirror stands as a time that any service reads, in Unix seconds; undefined for any other text. */
export function timeOfOwnCursor(since: string): number | undefined {
  if (!since.startsWith(PREFIX)) return undefined;
  const { timestamp, uncovered = timestamp } = readCursor(since);
  return uncovered;
}

/** The opaque form that answers carry. */
export function writeCursor({ timestamp, eventId, uncovered }: Position): string {
  const back = uncovered === undefined ? '' : `${uncovered}<`;
  const place = eventId === '' ? `${timestamp}` : `${timestamp}.${eventId}`;
  return PREFIX + Buffer.from(back + place).toString('base64url');
}

/** Reads a cursor, an ISO date-time or Unix seconds, own second included. @throws MacroError of kind `usage`. */
export function readCursor(since: string): Position {
  const instant = since.startsWith(PREFIX) ? undefined : parseInstant(since);
  if (instant !== undefined) return { timestamp: instant, eventId: '' };
  const encoded = since.startsWith(PREFIX) ? since.slice(PREFIX.length) : '';
  const match = /^(?:(-?\d{1,12})<)?(-?\d{1,12})(?:\.(.+))?$/s.exec(Buffer.from(encoded, 'base64url').toString('utf8'));
  // Decoding skips characters outside of base64url, so a valid text must encode back to itself.
  if (!match || !encoded || Buffer.from(encoded, 'base64url').toString('base64url') !== encoded) throw malformed(since);
  const [, back, timestamp, eventId = ''] = match;
  return { timestamp: Number(timestamp), eventId, ...(back !== undefined && { uncovered: Number(back) }) };
}

function isAfter(event: Position, position: Position): boolean {
  if (event.timestamp !== position.timestamp) return event.timestamp > position.timestamp;
  return event.eventId > position.eventId;
}

function malformed(since: string): MacroError {
  return new MacroError('usage', `'${since}' is no cursor of this server.`, {
    status: 400,
    code: 'invalid_cursor',
    hint: 'Use next_cursor of an earlier answer, an ISO date-time or Unix seconds; leave since out for the last day.',
  });
}

/** When somebody watched for events, in Unix seconds: whoever says that an event came to the mirror. */
function watchedIn(loaded: readonly LoadedSeries[]): Coverage {
  return unionOf(loaded.filter(({ ref }) => ref.endpoint === FEED).map(({ coverage }) => coverage));
}

/** Where a walk goes on: at the missing range that it passed, if it is covered by now; else after the last event. */
function resumed(watched: Coverage, { uncovered, ...position }: Position): Position {
  if (uncovered === undefined) return position;
  const isWatched = missingRangesIn({ ...watched, isOpen: false }, { from: uncovered, to: uncovered }).length === 0;
  return isWatched ? { timestamp: uncovered, eventId: '' } : { ...position, uncovered };
}

/** The parts of a time that nobody watched, that since the last check among them: an event may have come since. */
function uncoveredIn(watched: Coverage, range: Range): readonly Range[] {
  return range.from > range.to ? [] : missingRangesIn({ ...watched, isOpen: false }, range);
}

/** A position that leads back to the first moment before it that nobody watched. */
function leadingBack(position: Position, watched: Coverage, missingRanges: readonly Range[]): Position {
  const { timestamp, eventId } = position;
  const end = watched.ranges.at(-1)?.to;
  const missingRange = missingRanges[0]?.from ?? (end === undefined ? undefined : Number(end) + 1);
  const isPassed = missingRange !== undefined && isAfter(position, { timestamp: Number(missingRange), eventId: '' });
  return { timestamp, eventId, ...(isPassed && { uncovered: Number(missingRange) }) };
}

/** Tells that events may be missing, and from when on none is; nothing is said where that is at no time yet. */
function gapEnvelope(missingRanges: readonly Range[], range: Range): Envelope | undefined {
  const last = missingRanges.at(-1);
  if (!last) return undefined;
  return { gap: true, ...(last.to < range.to && { oldest_available: isoSeconds(Number(last.to) + 1) }) };
}

/** The first moment that an answer must know: the service keeps some days, a mirror what it watched. */
function beginOf(watched: Coverage, { isOwner, now }: { readonly isOwner: boolean; readonly now: number }) {
  const horizon = now - EVENTS_KEPT;
  const first = Number(watched.ranges[0]?.from ?? horizon);
  return isOwner ? Math.min(first, horizon) : horizon;
}
