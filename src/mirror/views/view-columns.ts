import { isJsonObject } from '../../contract/json.ts';
import type { Column } from '../../contract/mapping.ts';
import { type JsonSchema, propertiesOf } from '../../contract/schema.ts';
import { quote, type Table } from '../tables.ts';

/** A column of a view. `date`: `YYYY-MM-DD`. `instant`: ISO 8601 in UTC. `flag`: 1 or 0. Both of the first are text in SQL. */
export interface ViewColumn {
  readonly name: string;
  readonly type: ViewType;
  /** Its expression over `r` (the rows), `s` (their series) and `c` (the commit that brought them). */
  readonly sql: string;
}

export type ViewType = 'text' | 'integer' | 'real' | 'flag' | 'date' | 'instant';

/** What SQL calls the type. */
const SQL_TYPES: Readonly<Record<ViewType, string>> = {
  text: 'text',
  integer: 'integer',
  real: 'real',
  flag: 'integer',
  date: 'text',
  instant: 'text',
};

/** Names that the views give a meaning of their own; a row's member of such a name is read with `row ->> '$.name'`. */
const PROVENANCE = ['publisher', 'origin', 'nature', 'access', 'request', 'released_at', 'seen_at', 'checked_at'];
const RESERVED = new Set([...PROVENANCE, 'commit_number', 'series', 'row', 'revision', 'superseded_at']);

/** Who a series is about: its arguments. */
export function scopeColumns({ mapping }: Table): readonly ViewColumn[] {
  return mapping.scope.map((name) => column(name, 'text', `s.scope ->> '$.${name}'`));
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
export function memberColumns(table: Table): readonly ViewColumn[] {
  const taken = new Set([...table.mapping.scope, ...table.key.map(({ name }) => name), ...RESERVED]);
  const others = table.columns.filter(({ name }) => name !== table.mapping.release && !taken.has(name));
  const typed = others.flatMap((one) => {
    const own = kept(one.name, typeOf(table, one));
    return one.type === 'real' ? [own, textColumn(`${one.name}_text`, pathOf(one))] : [own];
  });
  for (const { name } of typed) taken.add(name);
  return [...typed, ...knownMembers(table).filter(({ name }) => !taken.has(name))];
}

/** Where a row comes from, when it was published and seen, and its own text. */
export function provenanceColumns(table: Table): readonly ViewColumn[] {
  const { release } = table.mapping;
  const released = release === undefined ? 'r.assumed_release' : `coalesce(r.${quote(release)}, r.assumed_release)`;
  return [
    column('publisher', 'text', PUBLISHER),
    column('origin', 'text', 's.origin'),
    column('nature', 'text', '(select nature from mirror)'),
    column('access', 'text', "case when c.access = 'keyless' then 'keyless' else 'keyed' end"),
    column('request', 'text', 'c.request'),
    column('released_at', 'instant', isoTime(released)),
    column('seen_at', 'instant', isoTime('c.at / 1000')),
    column('checked_at', 'instant', isoTime('s.checked_at / 1000')),
    column('commit_number', 'integer', 'coalesce(r.refreshed, r.seen)'),
    kept('series', 'integer'),
    { name: 'row', type: 'text', sql: 'r.text' },
  ];
}

/** A moment of Unix seconds as ISO text. */
export function isoTime(seconds: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`;
}

/** A column of the table itself: it has its declared type, and its index is found through the view. */
export function kept(name: string, type: ViewType): ViewColumn {
  return { name, type, sql: `r.${quote(name)}` };
}

export function column(name: string, type: ViewType, sql: string): ViewColumn {
  // A cast gives the column a declared type, which other programs go by.
  return { name, type, sql: `cast(${sql} as ${SQL_TYPES[type]})` };
}

/** The text of a member as it is spelled: SQLite keeps the digits of a number under `->` and only there. */
export function textColumn(name: string, path: string): ViewColumn {
  return column(name, 'text', exactText('r.text', path));
}

export function exactText(document: string, path: string): string {
  const at = `${document}, '${path}'`;
  return `case json_type(${at}) when 'text' then ${document} ->> '${path}' when 'null' then null else ${document} -> '${path}' end`;
}

/** A source is named by a text or by an object with a name, in the row, else beside the rows. */
const PUBLISHER = `coalesce(${[
  "iif(json_type(r.text, '$.source') = 'object', r.text ->> '$.source.name', r.text ->> '$.source')",
  "iif(json_type(s.envelope, '$.source') = 'object', s.envelope ->> '$.source.name', s.envelope ->> '$.source')",
  "iif(json_type(s.envelope, '$.provenance.publisher') = 'object', s.envelope ->> '$.provenance.publisher.name', s.envelope ->> '$.provenance.publisher')",
].join(', ')})`;

function knownMembers(table: Table): readonly ViewColumn[] {
  const members = Object.entries(propertiesOf(table.mapping.row ?? {}));
  return members.flatMap(([name, schema]) => {
    if (!/^[a-z_][a-z0-9_]*$/i.test(name) || table.dependent.has(name) || !isJsonObject(schema)) return [];
    return memberOf(name, schema);
  });
}

/** A value of another type than the contract says is null here, and never another number; the row's text has it. */
function memberOf(name: string, schema: JsonSchema): readonly ViewColumn[] {
  const path = `$.${name}`;
  const value = `r.text ->> '${path}'`;
  const when = (types: string) => `case when json_type(r.text, '${path}') in (${types}) then ${value} end`;
  const type = scalarType(schema);
  if (type === undefined) return [];
  if (type === 'real') return [column(name, type, when("'real', 'integer'")), textColumn(`${name}_text`, path)];
  if (type === 'flag') return [column(name, type, when("'true', 'false'"))];
  if (type !== 'integer') return [column(name, type, exactText('r.text', path))];
  const whole = `case when json_type(r.text, '${path}') = 'integer' and typeof(${value}) = 'integer' then ${value} end`;
  return [column(name, type, whole)];
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
