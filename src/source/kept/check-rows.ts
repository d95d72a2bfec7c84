import type { Endpoint } from '../../contract/endpoint.ts';
import { type Mapping, memberFor } from '../../contract/mapping.ts';
import type { Args } from '../../contract/params/params.ts';
import { isCalendarDate } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { NewRow } from '../../mirror/api/page-commit.ts';
import { keyId } from '../../mirror/rules/columns.ts';
import { isOrderedBy, isOrderedByEach, keyValues } from './key-order.ts';

/**
 * Refuses a page that proves nothing, before any row of it can make a held one look vanished: rows outside of the window
 * that was asked for, dates that do not exist, one row twice, or rows in no order.
 * @throws MacroError of kind `protocol`.
 */
export function checkRows(endpoint: Endpoint, args: Args, rows: readonly NewRow[]): void {
  const mapping = endpoint.mirror;
  if (!mapping) return;
  const [first] = mapping.key;
  const isEachOnce = first && mapping.key.length === 1 && isOrderedByEach(first, rows);
  if (!isEachOnce) refuseRepeated(endpoint, mapping, rows);
  if (mapping.sync.kind !== 'history' || mapping.window?.unit !== 'date' || first?.name !== mapping.window.column)
    return;
  const [from, to] = [args[mapping.window.from], args[mapping.window.to]];
  for (const row of rows) {
    const date = memberFor(row.value, first);
    if (typeof date !== 'string' || !isCalendarDate(date)) throw unfit(endpoint, `has a row dated '${String(date)}'`);
    const isInside = (typeof from !== 'string' || date >= from) && (typeof to !== 'string' || date <= to);
    if (!isInside) throw unfit(endpoint, `has a row of ${date}, which is outside of ${String(from)} to ${String(to)}`);
  }
  // Where the caller can choose the order it need not be that of the key.
  if (!isEachOnce && !endpoint.query.order && !isOrderedBy([first], rows))
    throw unfit(endpoint, 'has rows in no order');
}

function refuseRepeated(endpoint: Endpoint, mapping: Mapping, rows: readonly NewRow[]): void {
  const seen = new Set<string | number>();
  for (const row of rows) {
    const key = keyValues(row, mapping.key);
    if (!key) continue;
    const before = seen.size;
    if (seen.add(keyId(key)).size === before) throw unfit(endpoint, `lists ${key.join(' ')} twice`);
  }
}

function unfit(endpoint: Endpoint, what: string): MacroError {
  return new MacroError('protocol', `The answer of ${endpoint.id} ${what}.`, {
    code: 'unexpected_rows',
    hint: 'Nothing of it was kept. If it stays like this, the service has changed.',
  });
}
