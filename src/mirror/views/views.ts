import { wholeText } from '../core/short-text.ts';
import { columnNamesOf, quote, type Table } from '../core/tables.ts';
import { SQLITE_VIEWS } from './dialect.ts';
import {
  column,
  kept,
  keyColumns,
  memberColumns,
  ofCommit,
  provenanceColumns,
  scopeColumns,
  type ViewColumn,
  type ViewDialect,
} from './view-columns.ts';

/** A view of the mirror: a public, stable way to read it from any program that reads the file, or asks the server. */
export interface View {
  readonly name: string;
  readonly columns: readonly ViewColumn[];
  /** Statement that makes it. */
  readonly sql: string;
  /** The rows of one series, which is its only value, in the order of their table. */
  readonly rows: string;
}

/**
 * The views of an endpoint: the rows as they are now, what they were before (with the time at which that ended), and the
 * publisher's vintages where the rows list them.
 */
export function viewsOf(table: Table, dialect: ViewDialect = SQLITE_VIEWS): readonly View[] {
  const name = viewName(table);
  const over = viewMaker(table, dialect);
  const ofRows = table.shortText ? withDocument(dialect, `r.${WHOLE}`) : dialect;
  const rows = [
    ...[...scopeColumns(table, dialect), ...keyColumns(table)],
    ...[...memberColumns(table, ofRows), ...provenanceColumns(table, ofRows)],
  ];
  const end = dialect.iso(`${ofCommit('at', 'r.superseded')} / 1000`);
  const ended = [kept('revision', 'integer'), column(dialect, ['superseded_at', 'instant'], end)];
  return [
    over(name, table.current, { columns: rows, behind: [] }),
    over(`${name}_superseded`, table.superseded, { columns: [...rows, ...ended], behind: ['revision'] }),
    ...(table.vintages === undefined
      ? []
      : [
          over(`${name}_vintages`, table.vintages, {
            columns: vintageColumns(table, dialect),
            behind: ['known', 'value'],
          }),
        ]),
  ];
}

function withDocument(dialect: ViewDialect, row: string): ViewDialect {
  return { ...dialect, documents: { ...dialect.documents, row } };
}

function viewName({ mapping }: Table): string {
  return `v_${mapping.view ?? mapping.table}`;
}

function vintageColumns(table: Table, dialect: ViewDialect): readonly ViewColumn[] {
  const { row } = dialect.documents;
  const made = (name: string, type: ViewColumn['type'], sql: string) => column(dialect, [name, type], sql);
  return [
    ...scopeColumns(table, dialect),
    ...keyColumns(table),
    made('val', 'real', dialect.number(row, '$.val')),
    made('val_text', 'text', dialect.exact(row, '$.val')),
    made('published_at', 'instant', dialect.iso('r.epoch')),
    made('captured_at', 'instant', dialect.iso('r.observed_ns / 1000000000')),
    made('seen_at', 'instant', dialect.iso(`${ofCommit('at')} / 1000`)),
    made('origin', 'text', 's.origin'),
    made('nature', 'text', '(select nature from mirror)'),
    kept('series', 'integer'),
    { name: 'row', type: 'text', sql: 'r.text' },
  ];
}

/** What a row's whole text is called below the views of a table that keeps it short. */
const WHOLE = 'whole';

/** `behind`: what the key of its table has behind the row's own. */
function viewMaker(table: Table, dialect: ViewDialect) {
  return (name: string, from: string, of: { columns: readonly ViewColumn[]; behind: readonly string[] }): View => {
    const list = of.columns.map((one) => `  ${one.sql} as ${quote(one.name)}`).join(',\n');
    const select = `select\n${list}\nfrom ${dialect.from(table, withWholeText(table, from))}`;
    const order = [
      ...columnNamesOf(table.key).map((key) => `r.${key} ${table.direction}`),
      ...of.behind.map((key) => `r.${key}`),
    ];
    const chosen = `where r.series = ? order by ${order.join(', ')}`;
    return {
      name,
      columns: of.columns,
      sql: `CREATE VIEW ${quote(name)} as ${select}`,
      rows: table.shortText ? madeWholeOnce(table, list, `${from} r ${chosen}`) : `${select} ${chosen}`,
    };
  };
}

/**
 * Rows with their whole text beside the short one. It is spelled once and has a name: every program parses the views of a file
 * with its first statement, and most of them ask for something else.
 */
function withWholeText(table: Table, rows: string): string {
  return table.shortText ? `(select *, ${wholeText(table)} as ${WHOLE} from ${rows} r)` : rows;
}

/** In a view each column makes the short text whole that it takes its value from; here that is done once a row. */
function madeWholeOnce(table: Table, list: string, rows: string): string {
  // Without a limit SQLite would put the expression into each column.
  return `select\n${list}
    from (select r.*, ${wholeText(table, 'r')} as ${WHOLE} from ${rows} limit -1) r cross join series s on s.id = r.series`;
}
