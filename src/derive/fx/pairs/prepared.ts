import type { PageArgs } from '../../../contract/endpoint.ts';
import type { Envelope, HookContext, Lack, LoadedSeries } from '../../../contract/hooks.ts';
import type { JsonText } from '../../../contract/json/json.ts';
import { dateOf } from '../../../contract/time/time.ts';
import type { Indicators } from './indicators.ts';

/** What all pages of one question have in common. Places are counted in the window, from its newest row. */
export interface PreparedWindow {
  readonly total: number;
  /** Newest date of the whole history; undefined where a newer one may exist. */
  readonly latest: string | undefined;
  readonly envelope: Envelope;
  readonly notes: readonly string[];
  dateOf(place: number): string | undefined;
  rowText(place: number): JsonText;
  /** Indicators of at least so many of the newest rows. */
  technicals(shown: number): Indicators;
  lacks(isWithheld: boolean): readonly Lack[];
}

interface HeldWindow {
  /** What it was made of: these very rows and columns, which whoever loads them keeps for one generation of a series. */
  readonly parts: readonly (object | undefined)[];
  readonly name: string;
  readonly window: PreparedWindow;
}

/** Rows of all windows that are remembered: each takes about a kilobyte once it was shown. */
const MAX_PREPARED_ROWS = 50_000;

let held: readonly HeldWindow[] = [];

/**
 * The window of a question, made once for all of its pages, for as long as everything that it is made of is the same: the
 * generation of each series, its coverage, the arguments beside those of the page, the day.
 */
export function preparedWindow<A extends PageArgs>(
  loaded: readonly LoadedSeries[],
  context: HookContext<A>,
  prepare: (loaded: readonly LoadedSeries[], context: HookContext<A>) => PreparedWindow | undefined,
): PreparedWindow | undefined {
  const parts = loaded.flatMap(({ rows, columns }) => [rows, columns]);
  const name = nameOf(loaded, context);
  const known = held.find((one) => one.name === name && isSameList(one.parts, parts));
  const window = known?.window ?? prepare(loaded, context);
  if (!window) return undefined;
  const others = held.filter((one) => one !== known && one.name !== name);
  held = withinRoom([known ?? { parts, name, window }, ...others]);
  return window;
}

function nameOf<A extends PageArgs>(loaded: readonly LoadedSeries[], { args, now, labels }: HookContext<A>): string {
  const { limit: _, offset: __, ...question } = args;
  const series = loaded.map(({ ref, coverage }) => [ref.origin, ref.scope, coverage]);
  return JSON.stringify([question, dateOf(now * 1000), labels, series]);
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

/** What was used last stays, as far as there is room. */
function withinRoom(windows: readonly HeldWindow[]): readonly HeldWindow[] {
  let rows = 0;
  return windows.filter(({ window: { total } }, i) => {
    rows += total;
    return i === 0 || rows <= MAX_PREPARED_ROWS;
  });
}

/** A question of the newest rows works out no others; one that goes further back works out all, and is asked again. */
export function growing(most: number, compute: (shown: number) => Indicators): PreparedWindow['technicals'] {
  let reach = 0;
  let computed: Indicators | undefined;
  return (shown) => {
    const wanted = Math.min(shown, most);
    if (computed && wanted <= reach) return computed;
    reach = computed ? most : wanted;
    computed = compute(reach);
    return computed;
  };
}
