import type { ViewDialect } from './view-columns.ts';

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
