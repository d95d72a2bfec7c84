import { hash } from 'node:crypto';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { BodyRow, CutBody } from '../../contract/json/body.ts';
import { memberFor } from '../../contract/mapping.ts';
import { protocolViolation, snapshotChanged } from './protocol-violation.ts';

/**
 * Watches the rows of one walk. A page that came before is a service that ignores its position; a row of the page before
 * is a list that has shifted under the walk, so that another row was counted but never seen. A row is known by its key, a
 * page by its first row, its last one and their number: thousands of walks are open at once, so no page is kept for this.
 * @throws MacroError of kind `incomplete` or `protocol`.
 */
export function createRepeatGuard(endpoint: Endpoint): (cut: CutBody) => void {
  const pages = new Set<string>();
  let before: Names = { all: [] };
  return ({ rows }) => {
    if (rows.length === 0) return;
    const names = rows.map((row) => nameOf(endpoint, row));
    const page = `${names[0]}\n${names.at(-1)}\n${names.length}`;
    if (pages.has(page)) throw protocolViolation(endpoint, 'a page came twice');
    pages.add(page);
    const these: Names = { all: names, range: rangeOf(names) };
    if (haveOneOf(these, before)) throw snapshotChanged(endpoint, 'a row of one page came again on the next');
    before = these;
  };
}

/** Names of the rows of a page and, where they come in order, the first and the last in the order of texts. */
interface Names {
  readonly all: readonly string[];
  readonly range?: readonly [first: string, last: string] | undefined;
}

/** Pages of a history lie one behind the other, so that their ends tell. */
function haveOneOf(some: Names, others: Names): boolean {
  if (some.range && others.range && (some.range[1] < others.range[0] || others.range[1] < some.range[0])) return false;
  const names = new Set(others.all);
  return some.all.some((name) => names.has(name));
}

function rangeOf(names: readonly string[]): Names['range'] {
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const isUp = first < last;
  for (let i = 1; i < names.length; i += 1) {
    const [a = '', b = ''] = [names[i - 1], names[i]];
    if (isUp ? a > b : a < b) return undefined;
  }
  return isUp ? [first, last] : [last, first];
}

/** The key of a row; where nothing is known to be one, the digest of its text. */
function nameOf({ mirror }: Endpoint, { name, text, value }: BodyRow): string {
  if (!mirror) return hash('sha256', text, 'base64');
  const [column, ...further] = mirror.key;
  const only = column && further.length === 0 && name === '' ? memberFor(value, column) : undefined;
  // Most keys are one text, a date, and this is asked of every row.
  if (typeof only === 'string') return only;
  return JSON.stringify([name, ...mirror.key.map((column) => memberFor(value, column))]);
}
