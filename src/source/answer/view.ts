import type { KeptValue, PageView, WholeRows } from '../../contract/hooks.ts';
import type { JsonObject } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import { type Bound, type Coverage, isCovered } from '../../contract/time/coverage.ts';
import { BEGINNING } from '../../contract/time/time.ts';
import type { MirrorReader } from '../../mirror/api/mirror.ts';
import type { Selection, StoredRow, StoredSeries, Vintage } from '../../mirror/api/series.ts';
import { routesNote } from '../labels.ts';
import { everythingVisible } from '../selection.ts';
import type { MirrorQuestion, PagePosition } from './answer.ts';

/** One page of a series and where it stands. */
export interface Page {
  readonly rows: readonly StoredRow[];
  readonly place: PagePosition;
}

/** The view that a `derive` hook gets of its page. */
export function viewOf(
  ask: MirrorQuestion,
  parts: {
    series: StoredSeries;
    selection: Selection;
    page: Page;
    stored: JsonObject;
    coverage: Coverage;
    whole: WholeRows | undefined;
  },
): PageView<Args> {
  const { question, visible, reader, caller, labels, clock, together } = ask;
  const { series, selection, page, stored, coverage, whole: rows } = parts;
  const everything = everythingVisible(question.endpoint, visible);
  const edge = async (which: 'newest' | 'oldest') => {
    const newestFirst = question.endpoint.mirror?.order === 'newest';
    const first = (which === 'newest') === newestFirst;
    const row = together
      ? await together.end(which)
      : (await reader.rows(series, everything, { limit: 1, offset: 0, reverse: !first }))[0];
    const key = row?.key[0];
    const whole = together?.coverage ?? coverage;
    const isEdge = which === 'newest' ? reachesEnd(whole, key) : reachesStart(whole, everything.from, key);
    return isEdge ? row : undefined;
  };
  return {
    args: visible.args,
    now: Math.floor(clock / 1000),
    caller,
    labels,
    stored,
    coverage,
    get routes() {
      return routesNote();
    },
    rows: page.rows,
    ...(ask.merged && { merged: ask.merged }),
    isFromFile: series.origin.startsWith('import:'),
    total: page.place.total,
    kept: () => keptValues(reader, series),
    window: () => reader.rows(series, selection),
    ...(rows && { whole: rows }),
    column: (name, make) => ask.state.column([series], `${name} of rows`, make),
    edge,
    everything: () => together?.rows() ?? reader.rows(series, everything),
    following(count) {
      const last = page.rows.at(-1);
      return last ? followers(ask, series, { last, count }) : beyondWindow(ask, series, { selection, count });
    },
  };
}

/** True where coverage shows that nothing newer than a row existed when the mirror last looked. */
export function reachesEnd({ ranges, isOpen }: Coverage, key: Bound | undefined): boolean {
  const last = ranges.at(-1);
  return isOpen && last !== undefined && key !== undefined && last.from <= key;
}

/** True where coverage shows that nothing older than a row exists, as far back as the caller may see. */
function reachesStart(coverage: Coverage, visibleFrom: Bound | undefined, key: Bound | undefined): boolean {
  if (key === undefined) return false;
  return isCovered(coverage, { from: visibleFrom ?? (typeof key === 'number' ? 0 : BEGINNING), to: key });
}

/** Rows after a given one in answer order, regardless of the window and of the keyless clip, but not of the delay. */
async function followers(ask: MirrorQuestion, series: StoredSeries, from: { last: StoredRow; count: number }) {
  const newestFirst = ask.question.endpoint.mirror?.order === 'newest';
  const bound = from.last.key[0];
  if (bound === undefined) return [];
  const cutoff = ask.visible.cutoff;
  const range: Selection = {
    ...(newestFirst ? { to: bound } : { from: bound }),
    ...(cutoff !== undefined && ask.question.endpoint.mirror?.release && { releasedBy: cutoff }),
  };
  const rows = await ask.reader.rows(series, range, { limit: from.count + 1, offset: 0 });
  const at = rows.findIndex((row) => String(row.key) === String(from.last.key));
  return rows.slice(at + 1, at + 1 + from.count);
}

/** An empty page has no last row: what follows it lies beyond the window's far end, as far as the caller may see. */
async function beyondWindow(ask: MirrorQuestion, series: StoredSeries, from: { selection: Selection; count: number }) {
  const newestFirst = ask.question.endpoint.mirror?.order === 'newest';
  const near = newestFirst ? from.selection.to : from.selection.from;
  const bound = near === undefined ? {} : newestFirst ? { to: near } : { from: near };
  const range = { ...everythingVisible(ask.question.endpoint, ask.visible), ...bound };
  return ask.reader.rows(series, range, { limit: from.count, offset: 0 });
}

/** Values that the rows of a series had, by the row's first key, oldest first; of dated rows those from a date on. */
export async function keptValues(reader: MirrorReader, series: StoredSeries, from?: string) {
  return byFirstKey(await reader.vintages(series, [], from === undefined ? {} : { from }));
}

/** More rows than this are not worth a question each. */
const FEW = 50;

/** The same for rows first seen after a moment (Unix seconds): only they may show a delayed caller another value. */
export async function keptSince(
  reader: MirrorReader,
  series: StoredSeries,
  { rows, moment }: { readonly rows: readonly StoredRow[]; readonly moment: number },
) {
  const late = rows.filter(({ seenAt }) => seenAt > moment * 1000);
  if (late.length > FEW) return keptValues(reader, series);
  return byFirstKey((await Promise.all(late.map(({ key }) => reader.vintages(series, key)))).flat());
}

function byFirstKey(vintages: readonly Vintage[]): ReadonlyMap<string, readonly KeptValue[]> {
  const kept = new Map<string, KeptValue[]>();
  for (const { key, seenAt, text, times } of vintages) {
    const value = { seenAt, text, times };
    const name = String(key[0]);
    const values = kept.get(name);
    if (values) values.push(value);
    else kept.set(name, [value]);
  }
  return kept;
}
