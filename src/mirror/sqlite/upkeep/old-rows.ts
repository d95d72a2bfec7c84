import type { ShortText } from '../../../contract/mapping.ts';
import type { KeyValue } from '../../api/mirror.ts';
import type { Digest } from '../../core/digest.ts';
import { wholeText } from '../../core/short-text.ts';
import type { RowPart } from '../../core/sums.ts';
import { quote } from '../../core/tables.ts';
import type { SqliteConnection } from '../database-file.ts';
import { keyColumnsOf, OWN_SELECTED, type OwnColumns, storedDigest } from '../stored-digest.ts';

/** A row as an older table has it, whatever its key and typed columns are. */
export interface OldRow {
  readonly series: number;
  readonly text: string;
  /** In the order of the key columns. */
  readonly key: readonly KeyValue[];
  /** The mirror's own columns, in the order of `OWN_SELECTED`. */
  readonly own: OwnColumns;
  /** As it was when the row was written. */
  readonly digest: Digest;
}

/** A table of one endpoint as an older mapping made it. */
export interface OldTable {
  readonly name: string;
  readonly part: RowPart;
  /** How its texts are kept short. */
  readonly shortText: ShortText | undefined;
}

/** Reads a table by what its schema says, without a mapping, one row at a time. `names` are those of its key columns. */
export function* oldRows(db: SqliteConnection, table: OldTable, names: readonly string[]): Iterable<OldRow> {
  const { name: from, part } = table;
  const own = OWN_SELECTED[part];
  const columns = ['series', oldText(db, table), ...own, ...names.map(quote)].join(', ');
  const rows = db
    .prepare(`select ${columns} from ${quote(from)}`)
    .raw()
    .iterate() as Iterable<
    [series: number, text: string, ...rest: OwnColumns] // as selected above
  >;
  for (const [series, text, ...rest] of rows) {
    const values = rest.slice(0, own.length);
    const key = rest.slice(own.length) as KeyValue[]; // key columns are never null
    const digest = storedDigest(part, { own: values, key, text });
    yield { series, text, own: values, digest, key };
  }
}

/** SQL that gives the whole texts of an older table; one without the key of short texts has none. */
export function oldText(db: SqliteConnection, { name, part, shortText }: OldTable): string {
  if (part === 'vintages') return 'text';
  return wholeText({ shortText, key: keyColumnsOf(db, name, part).map((column) => ({ name: column })) });
}
