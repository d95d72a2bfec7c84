// Columns of a series for a hook that reads numbers before rows.
import type { LoadedColumns, WindowWithColumns } from '../../contract/hooks.ts';
import type { StoredRow, StoredSeries } from '../../mirror/api/series.ts';
import type { MirrorQuestion } from './answer.ts';

/**
 * A series of more rows is not read whole where its window and both ends are enough. Shorter ones serve every window of whoever
 * asks again.
 */
const LONG_SERIES = 20_000;

/** The columns of all rows, or of those that matter where the hook says which. `once`: nobody asks again. */
export async function loadColumns(
  { reader, once }: Pick<MirrorQuestion, 'reader' | 'once'>,
  series: StoredSeries,
  windowed: WindowWithColumns,
): Promise<LoadedColumns> {
  const { from, to, columns: names, beyond } = windowed;
  const isWindowed = beyond === 'ends' && (once || (await reader.count(series, {})) > LONG_SERIES);
  if (!isWindowed) return reader.columns(series, {}, names);
  const window: LoadedColumns = await reader.columns(series, { from, to }, names);
  // A window that is kept is of one generation of its series, and so are its ends: they stay together.
  const known = withEnds.get(window);
  if (known) return known;
  const endOf = async (reverse: boolean) => (await reader.rows(series, {}, { limit: 1, offset: 0, reverse }))[0];
  const [first, last] = [await endOf(false), await endOf(true)];
  const isBeyond = (row: StoredRow) => String(row.key[0]) < from || String(row.key[0]) > to;
  const before = first && isBeyond(first) ? [first] : [];
  const after = last && isBeyond(last) && String(last.key) !== String(first?.key) ? [last] : [];
  const length = Math.max(...names.map((name) => window[name]?.length ?? 0));
  const columns = Object.fromEntries(
    names.map((name) => [name, joined(name, { before, window: window[name], length, after })]),
  );
  withEnds.set(window, columns);
  return columns;
}

const withEnds = new WeakMap<LoadedColumns, LoadedColumns>();

interface Parts {
  readonly before: readonly StoredRow[];
  readonly window: LoadedColumns[string];
  readonly length: number;
  readonly after: readonly StoredRow[];
}

/** One column of the rows of all parts; undefined where none of them holds a value. */
function joined(name: string, { before, window, length, after }: Parts): LoadedColumns[string] {
  const valueIn = ({ columns }: StoredRow) => columns[name] ?? null;
  const [head, tail] = [before.map(valueIn), after.map(valueIn)];
  if (!window && [...head, ...tail].every((value) => value === null)) return undefined;
  return [...head, ...(window ?? Array.from({ length }, () => null)), ...tail];
}
