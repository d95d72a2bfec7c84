import { PUBLIC_CURRENCY, releaseCutoff } from '../../contract/access.ts';
import type {
  Caller,
  Compose,
  Composed,
  Envelope,
  HookContext,
  Lack,
  LoadedRow,
  LoadedSeries,
  SeriesRef,
} from '../../contract/hooks.ts';
import { EVENTS_KEPT, type ReleaseEvent, readEvent } from '../../contract/release-event.ts';
import { isoSeconds } from '../../contract/time/time.ts';
import { perObject } from '../per-object.ts';
import { isAfter, type Position, readCursor, writeCursor } from './cursor.ts';
import { eventText, hasFullRow } from './event.ts';
import { beginOf, FEED, gapEnvelope, lacksOfFeed, leadingBack, resumed, unwatchedIn, watchedIn } from './watch.ts';

export interface ChangesArgs {
  readonly currencies?: readonly string[] | undefined;
  readonly indicators?: readonly string[] | undefined;
  readonly payload: string;
  readonly limit: number;
  readonly since?: string | undefined;
}

const DAY = 86_400;

/** See docs/interface.md#changes. */
const G10 = ['aud', 'cad', 'chf', 'eur', 'gbp', 'jpy', 'nok', 'nzd', 'sek', 'usd'];

/**
 * Releases in the order in which they were processed. Walk: find the position; take the events behind it that are still
 * kept and that the caller's currencies cover; stop at the first one inside the keyless delay; filter; cut the page. The
 * cursor names the last event passed, and never one that was withheld; where it passes a time that nobody watched, it leads
 * back there once somebody has. See docs/interface.md#changes.
 */
export const composeChanges: Compose<ChangesArgs> = {
  version: 2,
  reads: () => [{ endpoint: FEED, scope: {} }],
  follow: historiesOf,
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
    endpoint: 'announcements',
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
  const begin = Math.max(from.unwatched ?? from.timestamp, beginOf(watched, { isOwner: caller.kind === 'owner', now }));
  const range = { from: begin, to: hasMore ? reached.timestamp : (cutoff ?? now) };
  const holes = unwatchedIn(watched, range);
  const lacking: Lack[] = [];
  const onLack = (lack: Lack) => void lacking.push(lack);
  const rows = page.map((event) => eventText(event, { loaded, context, cutoff, onLack }));
  return {
    envelope: {
      count: page.length,
      next_cursor: writeCursor(leadingBack(reached, watched, holes)),
      has_more: hasMore,
      retention_seconds: EVENTS_KEPT,
      scope: { currencies: currencies ?? null, indicators: indicators ?? null, payload: args.payload },
      ...(gapEnvelope(holes, range) ?? gapOf(from, { begin, first: kept[0] })),
    },
    rows,
    total: matching.length,
    lacks: [...lacksOfFeed(holes), ...lacking],
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

const eventOf = perObject(({ text }: LoadedRow) => readEvent(text));

/** Every event in order, each once. */
function eventsIn(loaded: readonly LoadedSeries[]): readonly ReleaseEvent[] {
  const byId = new Map<string, ReleaseEvent>();
  for (const { ref, rows } of loaded) {
    if (ref.endpoint !== FEED) continue;
    for (const row of rows) {
      const event = eventOf(row);
      if (!byId.has(event.eventId)) byId.set(event.eventId, event);
    }
  }
  return [...byId.values()].sort((a, b) => (isAfter(a, b) ? 1 : -1));
}

/** A position from before everything that is kept: whoever asks has to fetch the histories again. */
function gapOf(
  { timestamp }: Position,
  { begin, first }: { begin: number; first: ReleaseEvent | undefined },
): Envelope {
  if (timestamp >= begin) return {};
  return { gap: true, oldest_available: isoSeconds(first?.timestamp ?? begin) };
}
