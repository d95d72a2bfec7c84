import type { Endpoint } from '../../contract/endpoint.ts';
import { type Column, memberFor } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { AnswerCommit, NewRow } from '../../mirror/api/page-commit.ts';
import type { KeyValue } from '../../mirror/api/series.ts';
import { columnValue, compareKeys } from '../../mirror/rules/columns.ts';

/** Takes the pages of one walk in turn: each must lie behind the one before it, in the order of the interface. */
export type PageOrder = (page: AnswerCommit, isOnly: boolean) => AnswerCommit;

/** Refuses a history in another order than the key's; other lists out of order only add. @throws `protocol` */
export function createPageOrder(endpoint: Endpoint, before: readonly KeyValue[] | undefined): PageOrder {
  const { mirror } = endpoint;
  const [column] = mirror?.key ?? [];
  if (!mirror || !column || endpoint.query.order || !['history', 'pages'].includes(mirror.sync.kind))
    return (page) => page;
  const isRequired = mirror.sync.kind === 'history' && mirror.window?.column === column.name;
  const wrong = mirror.order === 'newest' ? -1 : 1;
  let last = before?.[0];
  let isBroken = false;
  return (page, isOnly) => {
    isBroken ||= !isOnly && !follows(page.rows);
    last = firstOf(page.rows.at(-1)) ?? last;
    if (!isBroken) return page;
    if (isRequired) throw outOfOrder(endpoint);
    const { extent: _, window: __, ...rest } = page;
    return { ...rest, extent: 'adds' };
  };

  function firstOf(row: NewRow | undefined): KeyValue | undefined {
    if (!column || !row) return undefined;
    return columnValue(column.type, memberFor(row.value, column)) ?? undefined;
  }

  function follows(rows: readonly NewRow[]): boolean {
    let prior = last;
    for (const row of rows) {
      const value = firstOf(row);
      if (value === undefined) return false;
      if (prior !== undefined && prior !== value && (prior < value ? -1 : 1) === wrong) return false;
      prior = value;
    }
    return true;
  }
}

function outOfOrder({ id, mirror }: Endpoint): MacroError {
  const order = mirror?.order === 'newest' ? 'newest first' : 'oldest first';
  return new MacroError('protocol', `The pages of ${id} do not come ${order}, as the interface says.`, {
    code: 'pages_out_of_order',
    hint: 'Rows of earlier pages are stored. If it happens again, the service has changed.',
  });
}

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

/** Do rows come in the order of these columns? Only then nothing lies between two of them. */
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
