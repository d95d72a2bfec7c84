import type { Column, Mapping } from '../contract/mapping.ts';

/** A data table as its statements need it, derived from the endpoint's mapping. */
export interface Table {
  readonly endpoint: string;
  readonly mapping: Mapping;
  /** Quoted names. */
  readonly current: string;
  readonly superseded: string;
  /** Undefined for endpoints whose rows carry no vintages. */
  readonly vintages: string | undefined;
  readonly key: readonly Column[];
  /** Typed columns beside the key; the release time is always among key and columns. */
  readonly columns: readonly Column[];
  /** Direction of the answer, and of the key in the table, so that pages are read and appended in its order. */
  readonly direction: 'asc' | 'desc';
  readonly dependent: ReadonlySet<string>;
}

const MARK = ['mark', 'integer not null default 0'] as const;

/**
 * Columns that the mirror adds to each row. `refreshed`: the commit of the text, where it is not the one that brought the
 * value. `mark`: the beginning of the row's digest.
 */
export const OWN_COLUMNS: readonly (readonly [name: string, definition: string])[] = [
  ['seen', 'integer not null'],
  ['refreshed', 'integer'],
  ['keyed', 'integer not null default 0'],
  ['assumed_release', 'integer'],
  MARK,
  ['text', 'text not null'],
];

const RESERVED = new Set(['series', 'revision', 'superseded', ...OWN_COLUMNS.map(([name]) => name)]);

export function tableOf(endpoint: string, mapping: Mapping): Table {
  const names = new Set(mapping.key.map((column) => column.name));
  const columns = mapping.columns.filter((column) => !names.has(column.name));
  const { release } = mapping;
  if (release && !names.has(release) && !columns.some((column) => column.name === release))
    columns.push({ name: release, type: 'integer' });
  for (const { name } of [...mapping.key, ...columns])
    if (RESERVED.has(name)) throw new Error(`The mapping of ${endpoint} may not name a column '${name}'`);
  return {
    endpoint,
    mapping,
    current: quote(mapping.table),
    superseded: quote(`${mapping.table}_superseded`),
    vintages: mapping.vintages === undefined ? undefined : quote(`${mapping.table}_vintages`),
    key: mapping.key,
    columns,
    direction: mapping.order === 'newest' ? 'desc' : 'asc',
    dependent: new Set(mapping.dependent),
  };
}

/** When a row was released as SQL: as it says itself, else by an importer's rule. */
export function releaseColumn({ mapping }: Table): string {
  return mapping.release === undefined ? 'assumed_release' : `coalesce(${quote(mapping.release)}, assumed_release)`;
}

/** An identifier as SQL; they come from contracts, never from people. */
export function quote(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/i.test(name)) throw new Error(`'${name}' is no name for a table or a column`);
  return `"${name}"`;
}

export const namesOf = (columns: readonly Column[]): readonly string[] => columns.map((column) => quote(column.name));

/** Statements that make the tables where they are absent. */
export function createTables(table: Table): readonly string[] {
  const keys = table.key.map((column) => `${quote(column.name)} ${column.type} not null`);
  const columns = table.columns.map((column) => `${quote(column.name)} ${column.type}`);
  const own = OWN_COLUMNS.map(([name, definition]) => `${name} ${definition}`);
  const ordered = namesOf(table.key).map((name) => `${name} ${table.direction}`);
  const end = 'strict, without rowid';
  const current = list([
    'series integer not null',
    ...keys,
    ...columns,
    ...own,
    `primary key (${['series', ...ordered].join(', ')})`,
  ]);
  const superseded = list([
    'series integer not null',
    ...keys,
    'revision integer not null',
    ...columns,
    'superseded integer not null',
    ...own,
    `primary key (${['series', ...ordered, 'revision'].join(', ')})`,
  ]);
  const vintages = list([
    'series integer not null',
    ...keys,
    // When it was known, in Unix nanoseconds, and the value: what makes one vintage differ from another.
    'known integer not null',
    'value text not null',
    'epoch integer',
    'observed_ns integer',
    'seen integer not null',
    MARK.join(' '),
    'text text not null',
    `primary key (${['series', ...ordered, 'known', 'value'].join(', ')})`,
  ]);
  return [
    `create table if not exists ${table.current} ${current} ${end}`,
    `create table if not exists ${table.superseded} ${superseded} ${end}`,
    ...(table.vintages ? [`create table if not exists ${table.vintages} ${vintages} ${end}`] : []),
  ];
}

function list(lines: readonly string[]): string {
  return `(\n  ${lines.join(',\n  ')}\n)`;
}
