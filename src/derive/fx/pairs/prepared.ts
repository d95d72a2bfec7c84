import type { PageArgs } from '../../../contract/endpoint.ts';
import type { Envelope, HookContext, Lack, LoadedSeries } from '../../../contract/hooks.ts';
import type { JsonText } from '../../../contract/json/json.ts';
import type { PageRows, RowMembers } from '../../../contract/json/row-texts.ts';
import { type KeptEntry, processMemory } from '../../../contract/memory-budget.ts';
import { dateOf } from '../../../contract/time/time.ts';
import type { Indicators } from './indicators.ts';

/** What all pages of one question have in common. Places are counted in the window, from its newest row. */
export interface PreparedWindow {
  readonly total: number;
  /** Newest date of the whole history; undefined where a newer one may exist. */
  readonly latest: string | undefined;
  /** The window has a row, and no newer one of it may exist. */
  readonly hasNewest: boolean;
  readonly envelope: Envelope;
  readonly notes: readonly string[];
  dateOf(place: number): string | undefined;
  rowOf(place: number): JsonText | RowMembers;
  /** The names of all rows, where they are the same. */
  namesWith(technicals: Indicators): readonly string[] | undefined;
  /** All of them, for pages beyond the first one that is asked for. */
  readonly rows: PageRows;
  /** Indicators of at least so many of the newest rows. */
  technicals(shown: number): Indicators;
  lacks(isWithheld: boolean): readonly Lack[];
}

interface KeptWindow {
  /** What it was made of: these very rows and columns, which whoever loads them keeps for one generation of a series. */
  readonly parts: readonly (object | undefined)[];
  readonly window: PreparedWindow;
  readonly entry: KeptEntry | undefined;
}

/** Bytes of a row of a window before it is shown: its date, its value, its places, and the stored rows that it is made of. */
const ROW_BYTES = 600;

const windows = new Map<string, KeptWindow>();

/**
 * The window of a question, made once for all of its pages, for as long as everything that it is made of is the same: the
 * generation of each series, its coverage, the arguments beside those of the page, the day.
 */
export function preparedWindow<A extends PageArgs>(
  loaded: readonly LoadedSeries[],
  context: HookContext<A>,
  prepare: (
    loaded: readonly LoadedSeries[],
    context: HookContext<A>,
    onGrowth: (bytes: number) => void,
  ) => PreparedWindow | undefined,
): PreparedWindow | undefined {
  const parts = loaded.flatMap(({ rows, columns, shown }): (object | undefined)[] => [shown?.texts ?? rows, columns]);
  const name = nameOf(loaded, context);
  const known = windows.get(name);
  if (known && isSameList(known.parts, parts)) {
    known.entry?.touch();
    return known.window;
  }
  let entry: KeptEntry | undefined;
  const window = prepare(loaded, context, (bytes) => entry?.grow(bytes));
  known?.entry?.release();
  windows.delete(name);
  if (!window) return undefined;
  let isForgotten = false;
  entry = processMemory.keep(name.length * 2 + window.total * ROW_BYTES, () => {
    isForgotten = true;
    windows.delete(name);
  });
  if (entry && !isForgotten) windows.set(name, { parts, window, entry });
  return window;
}

function nameOf<A extends PageArgs>(
  loaded: readonly LoadedSeries[],
  { args, now, labels, isPast }: HookContext<A>,
): string {
  const { limit: _, offset: __, ...question } = args;
  const series = loaded.map(({ ref, coverage }) => [ref.origin, ref.scope, coverage]);
  return JSON.stringify([question, dateOf(now * 1000), isPast, labels, series]);
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

/** A question of the newest rows works out no others; one that goes further back works out all, and is asked again. */
export function growing(most: number, compute: (shown: number) => Indicators): PreparedWindow['technicals'] {
  let reach = 0;
  let computed: Indicators | undefined;
  return (shown) => {
    const count = Math.min(shown, most);
    if (computed && count <= reach) return computed;
    reach = computed ? most : count;
    computed = compute(reach);
    return computed;
  };
}
