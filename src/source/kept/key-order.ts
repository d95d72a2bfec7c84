import { type Column, memberFor } from '../../contract/mapping.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';
import type { KeyValue } from '../../mirror/api/series.ts';
import { columnValue, compareKeys } from '../../mirror/rules/columns.ts';

/** The values of some columns of a row as the mirror keeps them; undefined when one is missing. */
export function keyValues(row: NewRow | undefined, columns: readonly Column[]): readonly KeyValue[] | undefined {
  if (!row) return undefined;
  const values: KeyValue[] = [];
  for (const column of columns) {
    const value = columnValue(column.type, memberFor(row.value, column));
    if (value === null) return undefined;
    values.push(value);
  }
  return values;
}

/** Does each row lie behind the one before it, forwards or backwards? Then none of them has the key of another. */
export function isOrderedByEach(column: Column, rows: readonly NewRow[]): boolean {
  return isOrderedByOne(column, rows, true);
}

/**
 * Do rows come in the order of these columns, forwards or backwards? Only then a page says that nothing lies between two
 * rows of it: a service may order by something else than the key.
 */
export function isOrderedBy(columns: readonly Column[], rows: readonly NewRow[]): boolean {
  const [only] = columns;
  if (only && columns.length === 1) return isOrderedByOne(only, rows);
  let direction = 0;
  let before: readonly KeyValue[] | undefined;
  for (const row of rows) {
    const key = keyValues(row, columns);
    if (!key) return false;
    const step = before ? Math.sign(compareKeys(before, key)) : 0;
    if (step !== 0 && direction !== 0 && step !== direction) return false;
    direction = direction || step;
    before = key;
  }
  return true;
}

/** The same of one column, as most keys are: each page is asked several times, so nothing is made for a row. */
function isOrderedByOne(column: Column, rows: readonly NewRow[], isStrict = false): boolean {
  let direction = 0;
  let before: KeyValue | undefined;
  for (const row of rows) {
    const value = columnValue(column.type, memberFor(row.value, column));
    if (value === null) return false;
    const step = before === undefined || before === value ? 0 : before < value ? -1 : 1;
    if (isStrict && before === value) return false;
    if (step !== 0 && direction !== 0 && step !== direction) return false;
    direction = direction || step;
    before = value;
  }
  return true;
}
