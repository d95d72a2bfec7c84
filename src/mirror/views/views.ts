import { wholeText } from '../core/short-text.ts';
import { columnNamesOf, quote, type Table } from '../core/tables.ts';
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

/** Other programs read the file with an SQLite of their own, which may know no `->`: that came with 3.38. */
export const SQLITE_VIEWS: ViewDialect = {
  types: { text: 'text', integer: 'integer', real: 'real', flag: 'integer', date: 'text', instant: 'text' },
  documents: { row: 'r.text', envelope: 's.envelope', scope: 's.scope' },
  text: member,
  exact: (document, path) =>
    `case coalesce(json_type(${document}, '${path}'), 'null') when 'text' then ${member(document, path)} when 'null' then null else ${spelled(document, path)} end`,
  number: (document, path) => ofTypes(document, path, "'real', 'integer'"),
  whole(document, path) {
    const value = member(document, path);
    return `case when json_type(${document}, '${path}') = 'integer' and typeof(${value}) = 'integer' then ${value} end`;
  },
  flag: (document, path) => ofTypes(document, path, "'true', 'false'"),
  isAbsent: (document, path) => `json_type(${document}, '${path}') is null`,
  // What is too much for 64 bits becomes a real number.
  minus: (from, less) => `(select case when typeof(n) = 'integer' then n end from (select ${from} - ${less} as n))`,
  named: (document, path) =>
    `iif(json_type(${document}, '${path}') = 'object', ${member(document, `${path}.name`)}, ${member(document, path)})`,
  iso: (seconds) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`,
  // A cross join keeps its order: a filter on the series comes before their rows. A left join would read all rows of a
  // series before a limit, so the commit of a row is no join.
  from: ({ endpoint }, rows) => `series s cross join ${rows} r on r.series = s.id and s.endpoint = '${endpoint}'`,
};

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

function member(document: string, path: string): string {
  return `json_extract(${document}, '${path}')`;
}

/** What is there, as JSON: two paths make a list, which keeps the digits of a number, and a half of it is one of them. */
function spelled(document: string, path: string): string {
  const twice = `json_extract(${document}, '${path}', '${path}')`;
  return `substr(${twice}, 2, (length(${twice}) - 3) / 2)`;
}

function ofTypes(document: string, path: string, types: string): string {
  return `case when json_type(${document}, '${path}') in (${types}) then ${member(document, path)} end`;
}
