import { KEYLESS_DAYS, releaseCutoff } from '../../../contract/access.ts';
import type { PageArgs } from '../../../contract/endpoint.ts';
import type { Compose, Composed, HookContext, Lack, LoadedSeries } from '../../../contract/hooks.ts';
import type { Range } from '../../../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf } from '../../../contract/time/time.ts';
import type { HeadOfRows } from '../../../contract/wanted-series.ts';
import { catalogueOf, lacksOfHistory, lacksOfIndicators } from '../all-indicators.ts';
import { historyByIndicator, isBaseSeries, newestDateOf } from '../series-choice.ts';
import { bandOf, roundedUp } from './bands.ts';
import { recentPages } from './pages.ts';
import { orderReleases, PLACE_COLUMNS, type Place } from './release-order.ts';
import { releaseText, rowsToShow } from './release-text.ts';
import { untimedNotes } from './untimed-notes.ts';

const HISTORY = 'announcements';

export interface RecentArgs extends PageArgs {
  readonly currency: string;
}

/**
 * The newest releases of a currency, of all indicators together. Walk: one history an indicator; leave out what the keyless
 * window and delay hide; order by release time, rows without one last; show the page's rows as the history route would,
 * each with its indicator. See docs/interface.md#recent-announcements.
 */
export const composeRecent: Compose<RecentArgs> = {
  version: 1,
  reads: ({ currency }) => [{ endpoint: 'announcements', scope: { currency } }],
  lists: ({ currency }) => [catalogueOf(currency)],
  selectSeries: (_, stored) => stored.filter(isBaseSeries),
  // Which indicators the service has besides nobody can tell.
  vouches: () => undefined,
  steady: true,
  rowsNeeded: (_, { endpoint }) => (endpoint === HISTORY ? { head: 0, values: { names: PLACE_COLUMNS } } : undefined),
  moreNeeded: moreForPage,
  build: buildRecent,
};

/** The rows of the page, those that they are compared with, and those of some pages that may be asked for next. */
function moreForPage(
  loaded: readonly LoadedSeries[],
  context: HookContext<RecentArgs>,
): ReadonlyMap<LoadedSeries, HeadOfRows> {
  const histories = historiesOf(loaded);
  const { places, total } = seenBy(histories, context);
  const { from, to } = bandOf(context.args, total);
  const depths = new Map<string, number>();
  for (const place of places.slice(from, to))
    depths.set(place.indicator, Math.max(depths.get(place.indicator) ?? 0, rowsToShow(place, histories)));
  const more = new Map<LoadedSeries, HeadOfRows>();
  for (const [indicator, history] of histories) {
    const depth = depths.get(indicator) ?? 0;
    if (history.isHead && history.rows.length < depth)
      more.set(history, { head: roundedUp(depth), values: { names: PLACE_COLUMNS } });
  }
  return more;
}

function historiesOf(loaded: readonly LoadedSeries[]): ReadonlyMap<string, LoadedSeries> {
  return historyByIndicator(
    loaded.filter((series) => series.ref.endpoint === HISTORY && newestDateOf(series) !== undefined),
  );
}

/** The releases that a caller may see, newest first, and what is left out of them. */
interface SeenReleases {
  /** At least those that are loaded for the page. */
  readonly places: readonly Place[];
  readonly total: number;
  /** Date of the newest period. */
  readonly newest: string | undefined;
  readonly withheld: readonly number[];
  readonly clipped: boolean;
}

function seenBy(
  histories: ReadonlyMap<string, LoadedSeries>,
  { args, now, caller }: HookContext<RecentArgs>,
): SeenReleases {
  const order = orderReleases(histories);
  if (caller.kind !== 'keyless')
    return { ...order, places: order.first(bandOf(args, order.total).to), withheld: [], clipped: false };
  const cutoff = releaseCutoff(now);
  const inWindow = order.since(firstDateSeen(now));
  const isHidden = (place: Place) => (opensWith(place) ?? 0) > cutoff;
  const places = inWindow.filter((place) => !isHidden(place));
  const newest = places.reduce<string | undefined>(
    (latest, { date }) => (latest === undefined || date > latest ? date : latest),
    undefined,
  );
  const withheld = inWindow.filter(isHidden).map((place) => opensWith(place) ?? 0);
  return { places, total: places.length, newest, withheld, clipped: inWindow.length < order.total };
}

/** The first date that may be seen without a key. */
function firstDateSeen(now: number): string {
  return addDays(dateOf(now * 1000), -KEYLESS_DAYS);
}

function buildRecent(loaded: readonly LoadedSeries[], context: HookContext<RecentArgs>): Composed | undefined {
  const { args, now, caller } = context;
  const histories = historiesOf(loaded);
  if (histories.size === 0) return undefined;
  const keyless = caller.kind === 'keyless';
  const cutoff = keyless ? releaseCutoff(now) : undefined;
  const visibleFrom = keyless ? firstDateSeen(now) : undefined;
  const { places, total, newest, withheld, clipped } = seenBy(histories, context);
  const page = places.slice(args.offset, args.offset + args.limit);
  const band = bandOf(args, total);
  const compared: Lack[] = [];
  const onHole = ({ ref, coverage }: LoadedSeries, range: Range) =>
    compared.push(...lacksOfHistory(ref, coverage, range));
  const showing = { histories, context, cutoff, visibleFrom };
  const rows = page.map((place) => releaseText(place, { ...showing, onHole }));
  const needed = { from: visibleFrom ?? BEGINNING, to: dateOf(now * 1000) };
  const envelopeOf = (count: number) => ({ currency: args.currency, as_of: newest, count });
  return {
    envelope: envelopeOf(page.length),
    rows,
    // Behind the last release there is nothing to keep, and what is kept of others stays.
    ...(!keyless &&
      band.to > band.from && {
        pages: recentPages(places, {
          total,
          band,
          textOf: (place, hole) => releaseText(place, { ...showing, onHole: hole }),
          envelopeOf,
        }),
      }),
    total,
    includesLatest: args.offset === 0 && page.length > 0,
    withheld,
    clipped,
    lacks: [...lacksOfIndicators(loaded, { currency: args.currency, neededOf: () => needed }), ...compared],
    notes: [
      `Made of the ${histories.size} indicators of ${args.currency} that the mirror holds.`,
      ...(caller.kind === 'owner' ? untimedNotes(orderReleases(histories), args) : []),
    ],
  };
}

function opensWith({ release, readable }: Place): number | undefined {
  return release ?? readable;
}
