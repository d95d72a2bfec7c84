import type { Column, Mapping, ShortText } from '../../contract/mapping.ts';

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
  /** How its texts are shortened; undefined if an engine stores them whole. */
  readonly shortText: ShortText | undefined;
  readonly dependent: ReadonlySet<string>;
  /** Patch that takes the dependent members out of a text. */
  readonly withoutDependent: Readonly<Record<string, undefined>>;
}

/** How an engine spells a table. */
export interface Dialect {
  readonly types: Readonly<Record<Column['type'], string>>;
  /** True if a primary key may state the direction of its columns. */
  readonly ordersKeys: boolean;
  /** The end of a row, after the columns. */
  readonly end: string;
}

const SQLITE: Dialect = {
  types: { text: 'text', integer: 'integer', real: 'real' },
  ordersKeys: true,
  end: ' strict, without rowid',
};

const MARK = ['mark', 'integer', ' not null default 0'] as const;

/** Columns beside a row. `refreshed`: the commit of its text alone; `mark`: the beginning of its digest. */
const OWN_COLUMNS: readonly (readonly [name: string, type: Column['type'], more: string])[] = [
  ['seen', 'integer', ' not null'],
  ['refreshed', 'integer', ''],
  ['keyed', 'integer', ' not null default 0'],
  ['assumed_release', 'integer', ''],
  MARK,
  ['text', 'text', ' not null'],
];

/** Does an engine keep texts as they came, or short where an endpoint says how? */
export type TextForm = 'whole' | 'short';

const RESERVED = new Set(['series', 'revision', 'superseded', ...OWN_COLUMNS.map(([name]) => name)]);

/** The shared state of all connections of one mirror. */
export interface Shared {
  /** The path of the file, or the address of the server. */
  readonly path: string;
  table(endpoint: string): Table | undefined;
  /** Times of commits by number; commits never change. */
  readonly commitTimes: Map<number, number>;
  /** The newest commit among them. A server that has another one lost the end of its history: all times are asked again. */
  newestTimed?: number;
}

/** `texts`: how the engine keeps the texts of rows. */
export function tableOf(endpoint: string, mapping: Mapping, texts: TextForm = 'whole'): Table {
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
    shortText: texts === 'short' ? mapping.shortText : undefined,
    dependent: new Set(mapping.dependent),
    withoutDependent: Object.fromEntries((mapping.dependent ?? []).map((name) => [name, undefined])),
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

export const columnNamesOf = (columns: readonly Column[]): readonly string[] =>
  columns.map((column) => quote(column.name));

/** Statements that make the tables where they are absent. */
export function createTables(table: Table, dialect: Dialect = SQLITE): readonly string[] {
  const { integer, text } = dialect.types;
  const typed = ({ name, type }: Column) => `${quote(name)} ${dialect.types[type]}`;
  const keys = table.key.map((column) => `${typed(column)} not null`);
  const columns = table.columns.map(typed);
  const own = OWN_COLUMNS.map(([name, type, more]) => `${name} ${dialect.types[type]}${more}`);
  const ordered = columnNamesOf(table.key).map((name) => (dialect.ordersKeys ? `${name} ${table.direction}` : name));
  const series = `series ${integer} not null`;
  const primary = (...more: readonly string[]) => `primary key (${['series', ...ordered, ...more].join(', ')})`;
  const [mark, markType, markMore] = MARK;
  const current = list([series, ...keys, ...columns, ...own, primary()]);
  const superseded = list([
    series,
    ...keys,
    `revision ${integer} not null`,
    ...columns,
    `superseded ${integer} not null`,
    ...own,
    primary('revision'),
  ]);
  const vintages = list([
    series,
    ...keys,
    // When it was known, in Unix nanoseconds, and the value: what makes one vintage differ from another.
    `known ${integer} not null`,
    `value ${text} not null`,
    `epoch ${integer}`,
    `observed_ns ${integer}`,
    `seen ${integer} not null`,
    `${mark} ${dialect.types[markType]}${markMore}`,
    `text ${text} not null`,
    primary('known', 'value'),
  ]);
  return [
    `create table if not exists ${table.current} ${current}${dialect.end}`,
    `create table if not exists ${table.superseded} ${superseded}${dialect.end}`,
    ...(table.vintages ? [`create table if not exists ${table.vintages} ${vintages}${dialect.end}`] : []),
  ];
}

function list(lines: readonly string[]): string {
  return `(\n  ${lines.join(',\n  ')}\n)`;
}

export function sharedOf(path: string, mappings: Readonly<Record<string, Mapping>>, texts: TextForm): Shared {
  const tables = new Map<string, Table>();
  return {
    path,
    table(endpoint) {
      const known = tables.get(endpoint);
      if (known) return known;
      const mapping = Object.hasOwn(mappings, endpoint) ? mappings[endpoint] : undefined;
      if (!mapping) return undefined;
      const table = tableOf(endpoint, mapping, texts);
      tables.set(endpoint, table);
      return table;
    },
    commitTimes: new Map(),
  };
}

/** Keeps a value in a memory that never grows without end. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (map.size >= most) map.clear();
  map.set(key, value);
}

/** Makes what few programs use when it is first asked for, and gives the same one ever after. */
export function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
