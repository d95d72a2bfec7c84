import type { Endpoint } from '../../contract/endpoint.ts';
import { memberFor } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import type { AnswerCommit, NewRow } from '../../mirror/api/page-commit.ts';
import type { KeyValue } from '../../mirror/api/series.ts';
import { columnValue } from '../../mirror/rules/columns.ts';

/** Takes the pages of one pagination run in turn: each must lie behind the one before it, in the order of the interface. */
export type PageOrder = (page: AnswerCommit, isOnly: boolean) => AnswerCommit;

/**
 * Makes what keeps the pages of a run in order. A page says that a held row between two of its rows has vanished, and a page
 * boundary says the same. Both are true only while the pages come in order: else rows of the same run seem to vanish.
 * A history with a window must come newest first, as its interface says. Of other lists a page out of order only adds rows.
 * @throws `protocol` when a page of a history comes in another order
 */
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
    hint: 'Rows of earlier pages are kept. If it stays like this, the service has changed.',
  });
}
