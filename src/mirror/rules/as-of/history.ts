import type { AsOf } from '../../../contract/time/moments.ts';
import type { KeyValue, RowDifference, RowLineage, SourceCommit, StoredRow, Vintage } from '../../api/series.ts';
import { compareKeys, compareRows, keyId, parseStoredRow } from '../columns.ts';
import { selectionBounds, type Where } from '../select.ts';
import { columnNamesOf, quote, releaseColumn, type Table } from '../tables.ts';
import type { RowVersion, StoredVintage } from '../vintages.ts';
import { type CommitClock, type Dated, datedOf, publicHistory } from './dated.ts';
import { momentOf } from './past-row.ts';
import type { UndoneDates } from './undone.ts';

/** Which rows: those with a key prefix, and where rows are dated by their key, those between two dates. */
export interface KeyRange {
  readonly prefix: readonly KeyValue[];
  readonly from?: KeyValue | undefined;
  readonly to?: KeyValue | undefined;
}

/** Vintages of rows by the texts that they had and the entries that they listed; with a moment, those known then. */
export function vintagesOfRow(
  table: Table,
  { stages, listed }: { readonly stages: readonly RowVersion[]; readonly listed: readonly StoredVintage[] },
  {
    clock,
    asOf,
    undone,
  }: { readonly clock: CommitClock; readonly asOf: AsOf | undefined; readonly undone: readonly UndoneDates[] },
): readonly Vintage[] {
  const byKey = new Map<string | number, { stages: RowVersion[]; listed: StoredVintage[] }>();
  const of = (key: readonly KeyValue[]) => {
    const id = keyId(key);
    const found = byKey.get(id) ?? { stages: [], listed: [] };
    byKey.set(id, found);
    return found;
  };
  for (const version of stages) of(version.key).stages.push(version);
  for (const vintage of listed) of(vintage.key).listed.push(vintage);
  const isPublic = asOf === undefined || asOf.by === 'public';
  const known = asOf ? knownThen(asOf, clock) : (dated: readonly Dated[]) => dated.map((one) => timed(one));
  return [...byKey.values()]
    .map((row) => known(datedOf(table, isPublic ? publicHistory(table, row, undone) : row, clock)))
    .sort((a, b) => compareKeys(a[0]?.key ?? [], b[0]?.key ?? []))
    .flat();
}

/** Texts in the order of commits; most rows have had one only. */
export function sortedVersions(past: readonly RowVersion[], present: readonly RowVersion[]): readonly RowVersion[] {
  return past.length === 0 ? present : [...past, ...present].sort((a, b) => a.seen - b.seen);
}

/** A vintage with what it is replayed by. */
function timed({ vintage, known, value, dispute, shown, isUnlisted, withdrawnAt }: Dated): Vintage {
  return {
    ...vintage,
    times: {
      known: { public: known.public, captured: known.captured },
      value,
      isUnlisted,
      ...(dispute && { dispute }),
      ...(shown && { shown }),
      ...(withdrawnAt !== undefined && { withdrawnAt }),
    },
  };
}

/** What was known of a row at a moment; that it vanished is known when it did. */
function knownThen(asOf: AsOf, clock: CommitClock) {
  const { ns } = momentOf(asOf, clock, []);
  return (dated: readonly Dated[]): readonly Vintage[] =>
    dated
      .filter(({ known }) => known[asOf.by] <= ns)
      .map((one) => {
        if (one.withdrawnAt === undefined || one.withdrawnAt <= ns) return timed(one);
        const { withdrawnAt: _, vintage, ...rest } = one;
        const { withdrawnAt: __, ...left } = vintage;
        return timed({ ...rest, vintage: left });
      });
}

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

/** The lineage of a row by the texts and values that it had. */
export function lineageOf(
  stages: readonly RowVersion[],
  dated: readonly Dated[],
  commitOf: (number: number) => SourceCommit,
): RowLineage {
  return {
    texts: stages.map((version, i) => ({
      text: version.text,
      brought: commitOf(version.seen),
      ...(version.refreshed !== undefined && { refreshed: commitOf(version.refreshed) }),
      ...(version.ended !== undefined && { ended: commitOf(version.ended) }),
      wasReplaced: version.ended !== undefined && stages[i + 1]?.seen === version.ended,
    })),
    values: dated.map(({ vintage, known, seen, entry, dispute }) => ({
      text: vintage.text,
      isListed: entry !== undefined,
      isAssumed: vintage.assumed === true,
      known,
      ...(dispute && { dispute }),
      brought: commitOf(seen),
      ...(vintage.withdrawnAt !== undefined && { withdrawnAt: vintage.withdrawnAt * 1000 }),
    })),
  };
}

/** The condition of a range inside one series, over key columns alone: every table of the endpoint has them. */
export function withinRange(table: Table, series: number, { prefix, ...dates }: KeyRange): Where {
  const [first] = table.key;
  const parts = ['series = ?', ...columnNamesOf(table.key.slice(0, prefix.length)).map((name) => `${name} = ?`)];
  const values: KeyValue[] = [series, ...prefix];
  if (first && first.name === table.mapping.window?.column) {
    const { from, to } = selectionBounds(table, dates);
    const add = (sign: string, bound: KeyValue | undefined) => {
      if (bound === undefined) return;
      parts.push(`${quote(first.name)} ${sign} ?`);
      values.push(bound);
    };
    add('>=', from);
    add('<=', to);
  }
  return { sql: parts.join(' and '), values };
}

/** Is there any row of a series, twice named, that says when it was published? */
export function datedRows(table: Table): string {
  const release = releaseColumn(table);
  const of = (name: string) => `select 1 from ${name} where series = ? and ${release} is not null`;
  return `${of(table.current)} union all ${of(table.superseded)} limit 1`;
}

/** When the mirror first had an answer of a series. */
export function sinceSelect(series: number): Where {
  return { sql: 'select at from commits where series = ? order by number limit 1', values: [series] };
}
