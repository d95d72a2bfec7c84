import type { Args } from '../../contract/params/params.ts';
import type { Range } from '../../contract/time/coverage.ts';
import { addDays } from '../../contract/time/time.ts';
import { isListingVintages } from '../../derive/file-vintages.ts';
import type { Selection, StoredSeries } from '../../mirror/api/series.ts';
import { everythingVisible, selectionOf } from '../selection.ts';
import type { MirrorQuestion } from './answer.ts';

/** The series that answers, and the dates of the asked window that only files of other publishers have. */
export interface Preferred {
  readonly series: StoredSeries;
  readonly elsewhere: readonly Range[];
  /** What a person should know of the choice. */
  readonly notes: readonly string[];
}

/**
 * The service's own series. Among those of files, whatever the order of their imports: for a question about first prints
 * one that lists its vintages; then the one that reaches furthest in the window, the one with more of it, and the one that
 * reaches furthest behind it, which has the newer values.
 */
export async function preferredSeries(
  ask: MirrorQuestion,
  all: readonly StoredSeries[],
): Promise<Preferred | undefined> {
  const found = [...all].sort((a, b) => a.id - b.id);
  const own = found.find(({ origin }) => !origin.startsWith('import:'));
  if (own) return { series: own, elsewhere: [], notes: [] };
  const { endpoint } = ask.question;
  const asksPrints = asksForPrints(ask.visible.args);
  const [only, further] = found;
  if (!only || (!further && !asksPrints)) return only && { series: only, elsewhere: [], notes: [] };
  const selection = selectionOf(endpoint, ask.visible, ask.clock);
  const candidates = await Promise.all(found.map((series) => rowsInWindow(ask, series, selection)));
  const [best, ...others] = candidates.sort((a, b) => byReach(a, b, asksPrints));
  if (!best) return undefined;
  return {
    series: best.series,
    elsewhere: endpoint.mirror?.window?.unit === 'date' ? others.flatMap((other) => outsideOf(best, other)) : [],
    notes: asksPrints && !best.listsVintages && best.rows > 0 ? [unlistedNote(best.series)] : [],
  };
}

function asksForPrints({ revisions }: Args): boolean {
  return revisions === 'first' || revisions === 'final';
}

function unlistedNote({ origin }: StoredSeries): string {
  return `${origin} lists no vintages: the earliest value that is held need not be a first print.`;
}

/** The rows of a series that lie in the window. */
interface RowsInWindow {
  readonly series: StoredSeries;
  readonly rows: number;
  /** Keys of the oldest and the newest one; empty where there is none. */
  readonly oldest: string;
  readonly newest: string;
  /** Key of the newest row of all that is visible. */
  readonly reach: string;
  /** Rows tell what they were published with and when they were revised. */
  readonly listsVintages: boolean;
}

async function rowsInWindow(ask: MirrorQuestion, series: StoredSeries, selection: Selection): Promise<RowsInWindow> {
  const { reader, visible, question } = ask;
  const endsOf = async (selected: Selection) => {
    const endOf = async (reverse: boolean) =>
      (await reader.rows(series, selected, { limit: 1, offset: 0, reverse }))[0];
    const ends = await Promise.all([endOf(false), endOf(true)]);
    const [oldest = '', newest = ''] = ends.flatMap((row) => (row ? [String(row.key[0])] : [])).sort();
    return { oldest, newest, listsVintages: ends[0] !== undefined && isListingVintages(ends[0].text) };
  };
  const [rows, window, all] = await Promise.all([
    reader.count(series, selection),
    endsOf(selection),
    endsOf(everythingVisible(question.endpoint, visible)),
  ]);
  const { oldest, newest } = window;
  return { series, rows, oldest, newest, reach: all.newest, listsVintages: all.listsVintages };
}

function byReach(a: RowsInWindow, b: RowsInWindow, asksPrints: boolean): number {
  const lists = Number(b.listsVintages) - Number(a.listsVintages);
  if (asksPrints && lists !== 0) return lists;
  if (a.newest !== b.newest) return a.newest > b.newest ? -1 : 1;
  if (a.rows !== b.rows) return b.rows - a.rows;
  if (a.reach !== b.reach) return a.reach > b.reach ? -1 : 1;
  return lists || (a.series.origin < b.series.origin ? -1 : 1);
}

/** The dates before and behind the rows of the best one from which another one has some. */
function outsideOf(best: RowsInWindow, other: RowsInWindow): readonly Range[] {
  if (other.rows === 0) return [];
  if (best.rows === 0) return [{ from: other.oldest, to: other.newest }];
  return [
    ...(other.oldest < best.oldest ? [{ from: other.oldest, to: addDays(best.oldest, -1) }] : []),
    ...(other.newest > best.newest ? [{ from: addDays(best.newest, 1), to: other.newest }] : []),
  ];
}
