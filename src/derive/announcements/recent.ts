import { KEYLESS_DAYS, releaseCutoff } from '../../contract/access.ts';
import type { PageArgs } from '../../contract/endpoint.ts';
import type {
  Compose,
  Composed,
  Envelope,
  FurtherPages,
  HookContext,
  Lack,
  LoadedSeries,
} from '../../contract/hooks.ts';
import { type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { Range } from '../../contract/time/coverage.ts';
import { addDays, BEGINNING, dateOf } from '../../contract/time/time.ts';
import { cadenceOf, RHYTHMS, SAMPLE } from '../cadence.ts';
import { createPageRows } from '../page-rows.ts';
import { catalogueOf, lacksOfHistory, lacksOfIndicators } from './all-indicators.ts';
import { kindOf, withChanges } from './change-members.ts';
import { seriesMembers, withIdentity } from './identity.ts';
import { patched, printText, readKept } from './print.ts';
import { type Place, placesByRelease } from './release-order.ts';
import { selectVintage } from './selection.ts';
import { historyByIndicator, isBaseSeries } from './series-choice.ts';

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
  build: buildRecent,
};

function buildRecent(loaded: readonly LoadedSeries[], context: HookContext<RecentArgs>): Composed | undefined {
  const { args, now, caller } = context;
  const histories = historyByIndicator(
    loaded.filter(({ ref, rows }) => ref.endpoint === 'announcements' && rows.length > 0),
  );
  if (histories.size === 0) return undefined;
  const keyless = caller.kind === 'keyless';
  const cutoff = keyless ? releaseCutoff(now) : undefined;
  const visibleFrom = keyless ? addDays(dateOf(now * 1000), -KEYLESS_DAYS) : undefined;
  const all = placesByRelease(histories);
  const inWindow = visibleFrom === undefined ? all : all.filter(({ date }) => date >= visibleFrom);
  const isHidden = (place: Place) => cutoff !== undefined && (opensWith(place) ?? 0) > cutoff;
  const places = cutoff === undefined ? inWindow : inWindow.filter((place) => !isHidden(place));
  const page = places.slice(args.offset, args.offset + args.limit);
  const compared: Lack[] = [];
  const onHole = ({ ref, coverage }: LoadedSeries, range: Range) =>
    compared.push(...lacksOfHistory(ref, coverage, range));
  const showing = { histories, context, cutoff, visibleFrom };
  const rows = page.map((place) => rowText(place, { ...showing, onHole }));
  const needed = { from: visibleFrom ?? BEGINNING, to: dateOf(now * 1000) };
  const latest = places.reduce<string | undefined>(
    (newest, { date }) => (newest === undefined || date > newest ? date : newest),
    undefined,
  );
  const envelopeOf = (count: number) => ({ currency: args.currency, as_of: latest, count });
  return {
    envelope: envelopeOf(page.length),
    rows,
    ...(!keyless && {
      pages: recentPages(places, { textOf: (place, onHole) => rowText(place, { ...showing, onHole }), envelopeOf }),
    }),
    total: places.length,
    includesLatest: args.offset === 0 && page.length > 0,
    withheld: inWindow.filter(isHidden).map((place) => opensWith(place) ?? 0),
    clipped: inWindow.length < all.length,
    lacks: [...lacksOfIndicators(loaded, { currency: args.currency, neededOf: () => needed }), ...compared],
    notes: [`Made of the ${histories.size} indicators of ${args.currency} that the mirror holds.`],
  };
}

interface PagesOptions {
  readonly textOf: (place: Place, onHole: () => void) => JsonText;
  readonly envelopeOf: (count: number) => Envelope;
}

/** Releases whose texts are kept: what is far from the newest ones is seldom asked for. */
const REACH = 2_000;

/** Any page of the newest releases. One with a row that would be compared across a hole is answered anew: it tells what it lacks. */
function recentPages(places: readonly Place[], { textOf, envelopeOf }: PagesOptions): FurtherPages {
  const holed = new Set<number>();
  const total = places.length;
  const reach = Math.min(REACH, total);
  const envelopes = new Map<number, Envelope>();
  const rows = createPageRows({
    total: reach,
    textOf: (at) => {
      const place = places[at];
      return place ? textOf(place, () => holed.add(at)) : '';
    },
  });
  return {
    total,
    reach,
    page(offset, limit) {
      const end = Math.min(offset + limit, total);
      if (end > reach) return undefined;
      rows.between(offset, end);
      for (let at = offset; at < end; at += 1) if (holed.has(at)) return undefined;
      const envelope = envelopes.get(end - offset) ?? envelopeOf(end - offset);
      envelopes.set(end - offset, envelope);
      return { envelope, includesLatest: offset === 0, rows };
    },
  };
}

function opensWith({ release, readable }: Place): number | undefined {
  return release ?? readable;
}

interface Showing {
  readonly histories: ReadonlyMap<string, LoadedSeries>;
  readonly context: HookContext<RecentArgs>;
  readonly cutoff: number | undefined;
  readonly visibleFrom: string | undefined;
  readonly onHole: (history: LoadedSeries, range: Range) => void;
}

/** A row as the history route would show it, with the indicator in front. */
function rowText({ indicator, at }: Place, { histories, context, cutoff, visibleFrom, onHole }: Showing): JsonText {
  const history = histories.get(indicator);
  if (!history) throw new RangeError(`There is no history of ${indicator}`);
  const { envelope, rows, kept, coverage } = history;
  const cadence = cadenceOf(rows.slice(at, at + 2 * SAMPLE).map(({ columns }) => String(columns.date)));
  const reach = cadence ? RHYTHMS[cadence].rowsPerYear : 2;
  const question = { revisions: 'latest', asOf: undefined, availability: 'public', cutoff, now: context.now } as const;
  const prints = rows
    .slice(at, at + reach + 1)
    .map((row) => readKept(row, kept))
    .map((print) => selectVintage(print, question) ?? print);
  const kind = kindOf(
    envelope,
    prints.slice(0, 2).map(({ row }) => row),
  );
  const [print] = withChanges(prints, 1, {
    kind,
    cadence,
    visibleFrom,
    asReceived: true,
    coverage,
    onHole: (range) => onHole(history, range),
  });
  if (!print) throw new RangeError(`There is no row ${at} of ${indicator}`);
  const name = { currency: context.args.currency, indicator };
  const identified = withIdentity(print, name, seriesMembers(name, envelope).selected_series_id);
  return printText(patched(identified, { indicator: toJsonText(indicator) }));
}
