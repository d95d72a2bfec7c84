import type { ViewType } from './view-columns.ts';

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
  /** The name of an object, or the text that stands instead of one. */
  named(document: string, path: string): string;
  /** A moment of Unix seconds as ISO text. */
  iso(seconds: string): string;
  /** Rows `r` with their series `s` and the commit `c` that brought them. */
  from(table: string): string;
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
  named: (document, path) =>
    `iif(json_type(${document}, '${path}') = 'object', ${member(document, `${path}.name`)}, ${member(document, path)})`,
  iso: (seconds) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`,
  from: (table) => `${table} r join series s on s.id = r.series left join commits c on c.number = r.seen`,
};

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
