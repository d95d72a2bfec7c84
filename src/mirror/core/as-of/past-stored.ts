import type { JsonText } from '../../../contract/json/json.ts';
import { parseStoredRow } from '../columns.ts';
import { rowVersionOf, type StoredRowVersion } from '../row-versions.ts';
import type { Table } from '../tables.ts';
import { type KeptVintage, vintageFrom } from '../vintages.ts';
import { datedOf } from './dated.ts';
import { publicHistory } from './never-public.ts';
import { type PastClock, type PastMoment, type PastRow, pastRow, typedColumnsOf } from './past-row.ts';
import { settledText } from './past-settled.ts';

interface When {
  readonly moment: PastMoment;
  readonly clock: PastClock;
}

/** The row as it was known at a moment; undefined when it was not known then, or gone. */
export function rowThen(table: Table, stored: StoredRowVersion, when: When): PastRow | undefined {
  const text = settledText(table, stored, when.moment);
  return text === undefined ? lookedInto(table, stored, when) : settledRow(table, { ...stored, text }, when);
}

/** A row with its text, looked into when somebody asks for more: of most of a history nobody does. */
function settledRow(
  table: Table,
  stored: StoredRowVersion & { readonly text: JsonText },
  { moment, clock }: When,
): PastRow {
  const [, seen, refreshed, , , keyed] = stored.texts[0];
  const seenAt = clock.at(seen);
  let columns: PastRow['columns'] | undefined;
  let row: PastRow | undefined;
  const read = () => {
    // Nothing of it came by another commit, and the connection may be closed by now.
    row ??= lookedInto(table, stored, { moment, clock: { at: () => seenAt } });
    if (!row) throw new Error(`${table.endpoint} ${stored.key.join(' ')} is settled and was not known`);
    return row;
  };
  return {
    key: stored.key,
    get columns() {
      columns ??= typedColumnsOf(table, stored.key, parseStoredRow(stored.text));
      return columns;
    },
    text: stored.text,
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

/** What is stored of one row, in an order that follows from it alone: however it was read, it tells the same. */
export function historyIn(table: Table, { texts, listed }: Pick<StoredRowVersion, 'texts' | 'listed'>) {
  const vintages = listed.map(vintageFrom);
  return {
    stages: texts.map((tuple) => rowVersionOf(table, tuple)).sort((a, b) => a.seen - b.seen),
    listed: vintages.length > 1 ? vintages.sort(newestFirst) : vintages,
  };
}

function newestFirst(a: KeptVintage, b: KeptVintage): number {
  if (a.known !== b.known) return a.known > b.known ? -1 : 1;
  return a.value > b.value ? -1 : a.value < b.value ? 1 : 0;
}

function lookedInto(table: Table, { texts, listed }: StoredRowVersion, { moment, clock }: When): PastRow | undefined {
  const known = publicHistory(table, historyIn(table, { texts, listed }), moment.undone);
  const dated = datedOf(table, known, clock);
  return pastRow(table, { stages: known.stages, dated }, { moment, clock });
}
