import { isJsonObject } from '../../contract/json/json.ts';
import { type JsonSchema, propertiesOf } from '../../contract/json/schema.ts';
import type { Column, Difference, Mapping } from '../../contract/mapping.ts';
import { MacroError } from '../../errors.ts';
import { VIEW_PARTS, type ViewAsk } from '../api/mirror.ts';
import { wholeText } from './short-text.ts';
import { columnNamesOf, quote, type Shared, type Table, tableOf } from './tables.ts';

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
  types: {
    text: 'text',
    integer: 'integer',
    seconds: 'integer',
    real: 'real',
    flag: 'integer',
    date: 'text',
    instant: 'text',
  },
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
  // A result above 64 bits becomes a real number.
  minus: (from, less) => `(select case when typeof(n) = 'integer' then n end from (select ${from} - ${less} as n))`,
  named: (document, path) =>
    `iif(json_type(${document}, '${path}') = 'object', ${member(document, `${path}.name`)}, ${member(document, path)})`,
  iso: (seconds) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`,
  // A cross join keeps its order: a filter on the series comes before their rows. A left join would read all rows of a
  // series before a limit, so the commit of a row is no join.
  from: ({ endpoint }, rows) =>
    `series s cross join ${rows} r on r.series = s.id and s.endpoint = '${endpoint}' and s.closed_at = 0`,
};

/**
 * A column of a view. `date`: `YYYY-MM-DD`. `instant`: ISO 8601 in UTC. `flag`: 1 or 0. `seconds`: Unix seconds. Dates and
 * instants are text in SQL.
 */
interface ViewColumn {
  readonly name: string;
  readonly type: ViewType;
  /** Its expression over `r` (the rows) and `s` (their series). */
  readonly sql: string;
}

export type ViewType = 'text' | 'integer' | 'seconds' | 'real' | 'flag' | 'date' | 'instant';

/** How an engine spells a view. Documents are JSON texts, paths are like `$.source.name`. */
export interface ViewDialect {
  readonly types: Readonly<Record<ViewType, string>>;
  /** The row, what stood beside it, and the arguments of its series. */
  readonly documents: Readonly<Record<'row' | 'envelope' | 'scope', string>>;
  /** A member that is known to be a text. */
  text(document: string, path: string): string;
  /** A member as it is spelled: a number with its digits, an object or a list as JSON. */
  exact(document: string, path: string): string;
  /** A number, a whole one, 1 or 0 for true or false; null for a member of another type. */
  number(document: string, path: string): string;
  whole(document: string, path: string): string;
  flag(document: string, path: string): string;
  /** True where the document has no such member; a null is one. */
  isAbsent(document: string, path: string): string;
  /** One whole number minus another, as a whole one; null where that is none of 64 bits. */
  minus(from: string, less: string): string;
  /** The name of an object, or the text that stands instead of one. */
  named(document: string, path: string): string;
  /** A moment of Unix seconds as ISO text. */
  iso(seconds: string): string;
  /** The rows `r` of one of the tables of an endpoint, found from their series `s`. */
  from(table: Table, rows: string): string;
}

/** Names that the views give a meaning of their own; a row's member of such a name is read with `json_extract(row, '$.name')`. */
const PROVENANCE = ['publisher', 'origin', 'nature', 'access', 'request', 'released_at', 'seen_at', 'checked_at'];
const RESERVED = new Set([...PROVENANCE, 'commit_number', 'series', 'row', 'revision', 'superseded_at']);

interface ListedColumn {
  readonly view: string;
  readonly column: string;
  readonly type: ViewType;
}

/** The views of an endpoint: present rows, earlier rows with their ends, and vintages where listed. */
export function viewsOf(table: Table, dialect: ViewDialect = SQLITE_VIEWS): readonly View[] {
  const name = `v_${table.mapping.view ?? table.mapping.table}`;
  const over = viewMaker(table, dialect);
  const ofRows = table.shortText ? { ...dialect, documents: { ...dialect.documents, row: `r.${WHOLE}` } } : dialect;
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

/** The column of a row's whole text below the views of a table with shortened texts. */
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

/** Rows with their whole text, spelled once: every program parses all views of a file. */
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

/** The JSON of a member with its digits: two paths give a list of two equal texts, and one of them is taken. */
function spelled(document: string, path: string): string {
  const twice = `json_extract(${document}, '${path}', '${path}')`;
  return `substr(${twice}, 2, (length(${twice}) - 3) / 2)`;
}

function ofTypes(document: string, path: string, types: string): string {
  return `case when json_type(${document}, '${path}') in (${types}) then ${member(document, path)} end`;
}

/** The subject of a series: its arguments. An argument that a series does not state may be part of each row's key. */
function scopeColumns({ mapping, key }: Table, dialect: ViewDialect): readonly ViewColumn[] {
  const { documents, text } = dialect;
  return mapping.scope.map((name) => {
    const stated = text(documents.scope, `$.${name}`);
    const isKey = key.some((one) => one.name === name);
    return column(dialect, [name, 'text'], isKey ? `coalesce(${stated}, r.${quote(name)})` : stated);
  });
}

/** The key of a row, as typed columns; a part of it that the arguments say too stands once. */
function keyColumns(table: Table): readonly ViewColumn[] {
  const own = table.key.filter(({ name }) => !table.mapping.scope.includes(name));
  return own.map((one) => kept(one.name, typeOf(table, one)));
}

/** Typed single members: stored columns, then others of the contract. A number has its published text beside it. */
function memberColumns(table: Table, dialect: ViewDialect): readonly ViewColumn[] {
  const taken = new Set([...table.mapping.scope, ...table.key.map(({ name }) => name), ...RESERVED]);
  const others = table.columns.filter(({ name }) => name !== table.mapping.release && !taken.has(name));
  const typed = others.flatMap((one) => {
    const own = kept(one.name, typeOf(table, one));
    return one.type === 'real' ? [own, textColumn(dialect, `${one.name}_text`, pathOf(one))] : [own];
  });
  for (const { name } of typed) taken.add(name);
  return [...typed, ...knownMembers(table, dialect).filter(({ name }) => !taken.has(name))];
}

/** Where a row comes from, when it was published and seen, and its own text. */
function provenanceColumns(table: Table, dialect: ViewDialect): readonly ViewColumn[] {
  const { release } = table.mapping;
  const released = release === undefined ? 'r.assumed_release' : `coalesce(r.${quote(release)}, r.assumed_release)`;
  const made = (name: string, type: ViewType, sql: string) => column(dialect, [name, type], sql);
  return [
    made('publisher', 'text', publisher(dialect)),
    made('origin', 'text', 's.origin'),
    made('nature', 'text', '(select nature from mirror)'),
    made('access', 'text', `case when ${ofCommit('access')} = 'keyless' then 'keyless' else 'keyed' end`),
    made('request', 'text', ofCommit('request')),
    made('released_at', 'instant', dialect.iso(released)),
    made('seen_at', 'instant', dialect.iso(`${ofCommit('at')} / 1000`)),
    made('checked_at', 'instant', dialect.iso('s.checked_at / 1000')),
    made('commit_number', 'integer', 'coalesce(r.refreshed, r.seen)'),
    kept('series', 'integer'),
    table.shortText ? made('row', 'text', dialect.documents.row) : { name: 'row', type: 'text', sql: 'r.text' },
  ];
}

/** The record of the commit that brought a row. */
function ofCommit(name: 'access' | 'request' | 'at', number = 'r.seen'): string {
  return `(select ${name} from commits where number = ${number})`;
}

/** A column of the table itself: it has its declared type, and its index is found through the view. */
function kept(name: string, type: ViewType): ViewColumn {
  return { name, type, sql: `r.${quote(name)}` };
}

function column(
  { types }: ViewDialect,
  [name, type]: readonly [name: string, type: ViewType],
  sql: string,
): ViewColumn {
  // A cast gives the column a declared type, which other programs go by.
  return { name, type, sql: `cast(${sql} as ${types[type]})` };
}

/** The text of a member of the row as it is spelled. */
function textColumn(dialect: ViewDialect, name: string, path: string): ViewColumn {
  return column(dialect, [name, 'text'], dialect.exact(dialect.documents.row, path));
}

/** A source is named by a text or by an object with a name, in the row, else beside the rows. */
function publisher({ documents, named }: ViewDialect): string {
  const { row, envelope } = documents;
  const places = [named(row, '$.source'), named(envelope, '$.source'), named(envelope, '$.provenance.publisher')];
  return `coalesce(${places.join(', ')})`;
}

function knownMembers(table: Table, dialect: ViewDialect): readonly ViewColumn[] {
  const members = Object.entries(propertiesOf(table.mapping.row ?? {}));
  return members.flatMap(([name, schema]) => {
    if (!/^[a-z_][a-z0-9_]*$/i.test(name) || table.dependent.has(name) || !isJsonObject(schema)) return [];
    const difference = table.mapping.differences?.[name];
    return difference ? [differenceColumn(dialect, name, difference)] : memberOf(name, schema, dialect);
  });
}

/** A whole number as the row states it, else computed as an answer does. */
function differenceColumn(dialect: ViewDialect, name: string, [from, less]: Difference): ViewColumn {
  const { row } = dialect.documents;
  const whole = (member: string) => dialect.whole(row, `$.${member}`);
  const computed = dialect.minus(whole(from), whole(less));
  const sql = `case when ${dialect.isAbsent(row, `$.${name}`)} then ${computed} else ${whole(name)} end`;
  return column(dialect, [name, 'integer'], sql);
}

/** A value of another type than the contract says is null here, and never another number; the row's text has it. */
function memberOf(name: string, schema: JsonSchema, dialect: ViewDialect): readonly ViewColumn[] {
  const path = `$.${name}`;
  const { row } = dialect.documents;
  const type = scalarType(schema);
  if (type === undefined) return [];
  const own = (sql: string) => column(dialect, [name, type], sql);
  if (type === 'real') return [own(dialect.number(row, path)), textColumn(dialect, `${name}_text`, path)];
  if (type === 'flag') return [own(dialect.flag(row, path))];
  const isWhole = type === 'integer' || type === 'seconds';
  return [own(isWhole ? dialect.whole(row, path) : dialect.exact(row, path))];
}

/** Does a column spell the number of the one before it? */
export function isTextOf(number: ViewColumn | undefined, text: ViewColumn | undefined): boolean {
  return number?.type === 'real' && text?.name === `${number.name}_text`;
}

const SCALARS: Readonly<Record<string, ViewType>> = {
  number: 'real',
  integer: 'integer',
  boolean: 'flag',
  string: 'text',
};

/** The type of a column for a member that is a single value; undefined for lists, objects and whatever may be several. */
export function scalarType({ type, format, description }: JsonSchema): ViewType | undefined {
  const name = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (name === 'string' && format === 'date') return 'date';
  if (name === 'string' && format === 'date-time') return 'instant';
  if (name === 'integer' && /Unix seconds/.test(String(description))) return 'seconds';
  return typeof name === 'string' && Object.hasOwn(SCALARS, name) ? SCALARS[name] : undefined;
}

function typeOf({ mapping }: Table, { name, type, from = name }: Column): ViewType {
  const schema = propertiesOf(mapping.row ?? {})[from];
  const stated = isJsonObject(schema) ? scalarType(schema) : undefined;
  if (type === 'text') return stated === 'date' ? 'date' : 'text';
  // An instant that a row states as text is stored as seconds.
  return type === 'integer' && (stated === 'seconds' || stated === 'instant') ? 'seconds' : type;
}

function pathOf({ name, from = name }: Column): string {
  return `$.${from}`;
}

/** The view that is asked for. @throws MacroError of kind `internal`. */
export function viewFor({ endpoint, part }: ViewAsk, shared: Shared, dialect?: ViewDialect): View {
  const table = shared.table(endpoint);
  const view = table && viewsOf(table, dialect)[VIEW_PARTS.indexOf(part)];
  if (view) return view;
  throw new MacroError('internal', `There is no view of the ${part} rows of '${endpoint}'.`);
}

/** Every column of every view, as the mappings make them: they are the same whatever a mirror holds. */
export function listViews(mappings: Readonly<Record<string, Mapping>>): readonly ListedColumn[] {
  return Object.entries(mappings).flatMap(([endpoint, mapping]) =>
    viewsOf(tableOf(endpoint, mapping)).flatMap(({ name, columns }) =>
      columns.map((one) => ({ view: name, column: one.name, type: one.type === 'seconds' ? 'integer' : one.type })),
    ),
  );
}

/** The table of each view: both are made with the first rows of their kind. */
export function tablesOfViews(mappings: Readonly<Record<string, Mapping>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(mappings).flatMap(([endpoint, mapping]) =>
      viewsOf(tableOf(endpoint, mapping)).map(({ name }) => [name, mapping.table] as const),
    ),
  );
}
