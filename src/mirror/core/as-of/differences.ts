import type { RowDifference } from '../../api/past-knowledge.ts';
import type { StoredRow } from '../../api/rows.ts';
import { parseStoredRow } from '../columns.ts';
import { compareRows } from '../revisions.ts';
import { compareKeys } from '../rows.ts';
import type { Table } from '../tables.ts';

/** The first differences of two states, each in answer order. */
export function differencesOf(
  table: Table,
  { left, right }: { readonly left: Iterator<StoredRow>; readonly right: Iterator<StoredRow> },
  limit: number,
): readonly RowDifference[] {
  const sign = table.direction === 'desc' ? -1 : 1;
  const found: RowDifference[] = [];
  for (const pair of pairs(left, right, (a, b) => sign * compareKeys(a.key, b.key))) {
    if (found.length >= limit) break;
    if (isDifferent(table, pair)) found.push({ key: (pair.after ?? pair.before)?.key ?? [], ...pair });
  }
  return found;
}

interface Pair {
  readonly before: StoredRow | undefined;
  readonly after: StoredRow | undefined;
}

function* pairs(
  left: Iterator<StoredRow>,
  right: Iterator<StoredRow>,
  compare: (a: StoredRow, b: StoredRow) => number,
): Generator<Pair> {
  let [before, after] = [left.next().value, right.next().value] as [StoredRow | undefined, StoredRow | undefined]; // they end with undefined
  while (before || after) {
    const order = before && after ? compare(before, after) : before ? -1 : 1;
    yield { before: order <= 0 ? before : undefined, after: order >= 0 ? after : undefined };
    if (order <= 0) before = left.next().value;
    if (order >= 0) after = right.next().value;
  }
}

/** Fields that depend on the question or on neighbours make no difference, and the list of vintages repeats the value's. */
function isDifferent({ dependent, mapping }: Table, { before, after }: Pair): boolean {
  if (!before || !after) return true;
  if (before.text === after.text) return false;
  const { vintages: list } = mapping;
  const besides = list === undefined ? dependent : new Set([...dependent, list]);
  return compareRows(parseStoredRow(before.text), parseStoredRow(after.text), besides) === 'revised';
}
