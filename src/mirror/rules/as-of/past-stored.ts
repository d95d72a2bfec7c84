import { patchRow } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import type { AsOf } from '../../../contract/time/moments.ts';
import type { KeyValue, Selection } from '../../api/series.ts';
import { compareKeys, field, parseStoredRow } from '../columns.ts';
import type { Table } from '../tables.ts';
import {
  comparable,
  keyOfRowVersion,
  keyOfVintage,
  type RowVersionTuple,
  rowVersionOf,
  type StoredRowVersion,
  type StoredVintage,
  VALUE_FIELD,
  type VintageTuple,
  vintageFrom,
} from '../vintages.ts';
import { datedOf, publicStages } from './dated.ts';
import {
  type PastClock,
  type PastMoment,
  type PastRow,
  pastRow,
  saysOfNeighbours,
  typedColumnsOf,
} from './past-row.ts';

interface When {
  readonly moment: PastMoment;
  readonly clock: PastClock;
}

/** A selection with the moment that it is put at. */
export type PastSelection = Selection & { readonly asOf: AsOf };

/** The row as it was known at a moment; undefined when it was not known then, or gone. */
export function rowThen(table: Table, stored: StoredRowVersion, when: When): PastRow | undefined {
  const settled = settledAs(stored, when.moment, table);
  return settled ? settledRow(table, { ...stored, settled }, when) : openedRow(table, stored, when);
}

/** A row with its text, looked into when somebody asks for more: of most of a history nobody does. */
function settledRow(
  table: Table,
  stored: StoredRowVersion & { readonly settled: Settled },
  { moment, clock }: When,
): PastRow {
  const [, seen, refreshed, , , keyed] = stored.texts[0];
  const seenAt = clock.at(seen);
  let columns: PastRow['columns'] | undefined;
  let row: PastRow | undefined;
  let text: JsonText | undefined;
  const read = () => {
    // Nothing of it came by another commit, and the connection may be closed by now.
    row ??= openedRow(table, stored, { moment, clock: { at: () => seenAt } });
    if (!row) throw new Error(`${table.endpoint} ${stored.key.join(' ')} is settled and was not known`);
    return row;
  };
  return {
    key: stored.key,
    get columns() {
      columns ??= typedColumnsOf(table, stored.key, parseStoredRow(stored.texts[0][6]));
      return columns;
    },
    get text() {
      text ??= textOf(table, stored.settled);
      return text;
    },
    commit: refreshed ?? seen,
    seenAt,
    keyed: keyed === 1,
    known: {
      get ns() {
        return read().known.ns;
      },
      get text() {
        return read().known.text;
      },
      // A text that lists nothing is known by its own release alone.
      byRelease: moment.by === 'public' && stored.listed.length === 0,
    },
  };
}

/** The stored history of one row, in an order that does not depend on how it was read. */
export function stagesIn(
  table: Table,
  { texts, listed }: { readonly texts: readonly RowVersionTuple[]; readonly listed: readonly VintageTuple[] },
) {
  const vintages = listed.map(vintageFrom);
  return {
    stages: texts.map((tuple) => rowVersionOf(table, tuple)).sort((a, b) => a.seen - b.seen),
    listed: vintages.length > 1 ? vintages.sort(newestFirst) : vintages,
  };
}

function newestFirst(a: StoredVintage, b: StoredVintage): number {
  if (a.known !== b.known) return a.known > b.known ? -1 : 1;
  return a.value > b.value ? -1 : a.value < b.value ? 1 : 0;
}

function openedRow(table: Table, { texts, listed }: StoredRowVersion, { moment, clock }: When): PastRow | undefined {
  const known = publicStages(table, stagesIn(table, { texts, listed }), moment.undone);
  const dated = datedOf(table, known, clock);
  return pastRow(table, { stages: known.stages, dated }, { moment, clock });
}

/** The text at a moment of a row that never changed and says nothing later, as most do; undefined for others. */
export function settledText(table: Table, stored: StoredRowVersion, moment: PastMoment): JsonText | undefined {
  const settled = settledAs(stored, moment, table);
  return settled && textOf(table, settled);
}

/** A text that a row had, and whether it says anything of its neighbours that it came too late for. */
interface Settled {
  readonly text: JsonText;
  readonly isLate: boolean;
}

/** A text describes its neighbours as of the commit that brought it. */
function textOf(table: Table, { text, isLate }: Settled): JsonText {
  return isLate && saysOfNeighbours(table, parseStoredRow(text)) ? patchRow(text, table.withoutDependent) : text;
}

function settledAs({ texts, listed }: StoredRowVersion, moment: PastMoment, table: Table): Settled | undefined {
  const [[ended, seen, refreshed, , , , noted]] = texts;
  if (texts.length > 1 || ended !== null || !isSaidBy(moment, texts[0], listed)) return undefined;
  const text = asJsonText(noted);
  if ((refreshed ?? seen) <= moment.commit) return { text, isLate: false };
  if (seen > moment.commit && listed.length > 0) {
    const value = comparable(field(parseStoredRow(noted), table.mapping.value ?? VALUE_FIELD));
    if (newestOf(listed) !== value) return undefined;
  }
  return { text, isLate: true };
}

/** Was all that a text says known by the moment? False as well where its capture would have to tell. */
function isSaidBy({ by, ns, commit }: PastMoment, text: RowVersionTuple, listed: readonly VintageTuple[]): boolean {
  const [, seen, refreshed, release, assumed] = text;
  const isLate = seen > commit;
  if ((isLate && by !== 'public') || (by === 'mirrored' && (refreshed ?? seen) > commit)) return false;
  const seconds = Number(ns / 1_000_000_000n);
  for (const [, epoch, observed, came] of listed) {
    if (came !== seen || (observed !== null && BigInt(observed) > ns)) return false;
    if (epoch === null ? isLate : epoch > seconds) return false;
  }
  if (by === 'public' && haveRivals(listed)) return false;
  const published = release ?? assumed;
  return listed.length > 0 || by === 'mirrored' || (by === 'public' && published !== null && published <= seconds);
}

/** Do several values claim one publication time? */
export function haveRivals(listed: readonly VintageTuple[]): boolean {
  if (listed.length < 2) return false;
  const stated = listed.flatMap(([, epoch]) => epoch ?? []);
  return new Set(stated).size < stated.length;
}

/** The value, as comparable text, that was published last; publication times differ. */
function newestOf(listed: readonly VintageTuple[]): string | undefined {
  let newest: VintageTuple | undefined;
  for (const one of listed) if (!newest || (one[1] ?? 0) > (newest[1] ?? 0)) newest = one;
  return newest?.[4];
}

export function byRow(tuples: readonly RowVersionTuple[]): readonly Pick<StoredRowVersion, 'key' | 'texts'>[] {
  const rows: { key: readonly KeyValue[]; texts: [RowVersionTuple, ...RowVersionTuple[]] }[] = [];
  for (const tuple of tuples) {
    const key = keyOfRowVersion(tuple);
    const last = rows.at(-1);
    if (last && compareKeys(last.key, key) === 0) last.texts.push(tuple);
    else rows.push({ key, texts: [tuple] });
  }
  return rows;
}

/** Texts without those of the last row, which may have had more of them. */
export function withoutLastRow(tuples: readonly RowVersionTuple[]): readonly RowVersionTuple[] {
  const last = tuples.at(-1);
  if (!last) return tuples;
  const key = keyOfRowVersion(last);
  const end = tuples.findIndex((tuple) => compareKeys(keyOfRowVersion(tuple), key) === 0);
  return tuples.slice(0, end);
}

export function listedInOrder({ direction }: Table, listed: readonly VintageTuple[], reverse: boolean) {
  const sign = (direction === 'desc') === reverse ? 1 : -1;
  let place = 0;
  return (key: readonly KeyValue[]): readonly VintageTuple[] => {
    const found: VintageTuple[] = [];
    for (; place < listed.length; place += 1) {
      const tuple = listed[place];
      const order = tuple ? sign * compareKeys(keyOfVintage(tuple), key) : 1;
      if (order > 0) break;
      if (tuple && order === 0) found.push(tuple);
    }
    return found;
  };
}

export function isPast(selection: Selection): selection is PastSelection {
  return selection.asOf !== undefined;
}
