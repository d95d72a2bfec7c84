import { isJsonObject } from '../../contract/json/json.ts';
import { type JsonSchema, propertiesOf } from '../../contract/json/schema.ts';
import type { Column, Difference } from '../../contract/mapping.ts';
import { quote, type Table } from '../core/tables.ts';

/** A column of a view. `date`: `YYYY-MM-DD`. `instant`: ISO 8601 in UTC. `flag`: 1 or 0. Both of the first are text in SQL. */
export interface ViewColumn {
  readonly name: string;
  readonly type: ViewType;
  /** Its expression over `r` (the rows) and `s` (their series). */
  readonly sql: string;
}

export type ViewType = 'text' | 'integer' | 'real' | 'flag' | 'date' | 'instant';

/** How an engine spells a view. Documents are JSON texts, paths are like `$.source.name`. */
export interface ViewDialect {
  /** What it calls the types. */
  readonly types: Readonly<Record<ViewType, string>>;
  /** The row, what stood beside it, and the arguments of its series. */
  readonly documents: Readonly<Record<'row' | 'envelope' | 'scope', string>>;
  /** A member that is known to be a text. */
  text(document: string, path: string): string;
  /** A member as it is spelled: a number with its digits, what is no single value as JSON. */
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

/** Who a series is about: its arguments. */
export function scopeColumns({ mapping }: Table, dialect: ViewDialect): readonly ViewColumn[] {
  const { documents, text } = dialect;
  return mapping.scope.map((name) => column(dialect, [name, 'text'], text(documents.scope, `$.${name}`)));
}

/** The key of a row, as typed columns; a part of it that the arguments say too stands once. */
export function keyColumns(table: Table): readonly ViewColumn[] {
  const own = table.key.filter(({ name }) => !table.mapping.scope.includes(name));
  return own.map((one) => kept(one.name, typeOf(table, one)));
}

/**
 * The members of a row that are single values, typed: those that the mirror keeps as columns, then those that the contract
 * knows. Beside a number stands its text as it was published, for a decimal is more than the nearest binary fraction.
 */
export function memberColumns(table: Table, dialect: ViewDialect): readonly ViewColumn[] {
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
export function provenanceColumns(table: Table, dialect: ViewDialect): readonly ViewColumn[] {
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

/** What is noted of the commit that brought a row. */
export function ofCommit(name: 'access' | 'request' | 'at', number = 'r.seen'): string {
  return `(select ${name} from commits where number = ${number})`;
}

/** A column of the table itself: it has its declared type, and its index is found through the view. */
export function kept(name: string, type: ViewType): ViewColumn {
  return { name, type, sql: `r.${quote(name)}` };
}

export function column(
  { types }: ViewDialect,
  [name, type]: readonly [name: string, type: ViewType],
  sql: string,
): ViewColumn {
  // A cast gives the column a declared type, which other programs go by.
  return { name, type, sql: `cast(${sql} as ${types[type]})` };
}

/** The text of a member of the row as it is spelled. */
export function textColumn(dialect: ViewDialect, name: string, path: string): ViewColumn {
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
  return [own(type === 'integer' ? dialect.whole(row, path) : dialect.exact(row, path))];
}

const SCALARS: Readonly<Record<string, ViewType>> = {
  number: 'real',
  integer: 'integer',
  boolean: 'flag',
  string: 'text',
};

/** The type of a column for a member that is a single value; undefined for lists, objects and whatever may be several. */
export function scalarType({ type, format }: JsonSchema): ViewType | undefined {
  const name = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (name === 'string' && format === 'date') return 'date';
  if (name === 'string' && format === 'date-time') return 'instant';
  return typeof name === 'string' && Object.hasOwn(SCALARS, name) ? SCALARS[name] : undefined;
}

function typeOf({ mapping }: Table, { name, type, from = name }: Column): ViewType {
  if (type !== 'text') return type;
  const schema = propertiesOf(mapping.row ?? {})[from];
  return isJsonObject(schema) && schema.format === 'date' ? 'date' : 'text';
}

function pathOf({ name, from = name }: Column): string {
  return `$.${from}`;
}
