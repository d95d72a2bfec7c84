import type { ViewDialect } from '../../views/view-columns.ts';

/** `json` and not `jsonb`: it keeps a document as it is spelled, digits included. */
export const SERVER_VIEWS: ViewDialect = {
  types: {
    text: 'text',
    integer: 'bigint',
    real: 'double precision',
    flag: 'bigint',
    date: 'text',
    instant: 'text',
  },
  documents: { row: 'd.doc', envelope: 'd.envelope', scope: 's.scope::json' },
  text: (document, path) => member(document, path),
  exact: (document, path) => member(document, path),
  number(document, path) {
    const value = member(document, path);
    // An exponent of three digits may be no double, of which this server makes an error, for all rows.
    return ofType(document, path, ['number', `case when ${value} !~ '[eE][+-]{0,1}[0-9]{3}' then ${value} end`]);
  },
  whole(document, path) {
    const value = member(document, path);
    const inRange = `case when ${isWithin64Bits(`${value}::numeric`)} then ${value} end`;
    return ofType(document, path, ['number', `case when ${value} ~ '^-{0,1}[0-9]{1,19}$' then ${inRange} end`]);
  },
  flag: (document, path) =>
    ofType(document, path, ['boolean', `case ${member(document, path)} when 'true' then 1 else 0 end`]),
  isAbsent: (document, path) => `(${document} #> ${placeOf(path)}) is null`,
  minus: (from, less) =>
    `(select case when ${isWithin64Bits('n')} then n::text end from (select (${from})::numeric - (${less})::numeric as n) m)`,
  named: (document, path) =>
    `case when ${kindOf(document, path)} = 'object' then ${member(document, `${path}.name`)} else ${member(document, path)} end`,
  iso: (seconds) =>
    `case when ${seconds} between -62167219200 and 253402300799 then to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end`,
  // The arguments stand beside the document and not in it: a filter on them comes before the rows of a series.
  from: ({ endpoint }, rows) => `series s join ${rows} r on r.series = s.id and s.endpoint = '${endpoint}'
    cross join lateral (select ${readable('r.text')} as doc, ${readable('s.envelope')} as envelope offset 0) d`,
};

const placeOf = (path: string): string => `'{${path.slice(2).replaceAll('.', ',')}}'`;

const member = (document: string, path: string): string => `(${document} #>> ${placeOf(path)})`;

const kindOf = (document: string, path: string): string => `json_typeof(${document} #> ${placeOf(path)})`;

const isWithin64Bits = (number: string): string => `${number} between -9223372036854775808 and 9223372036854775807`;

/** A case is decided before its value is worked out, which the two sides of an `and` are not. */
function ofType(document: string, path: string, [type, value]: readonly [type: string, value: string]): string {
  return `case when ${kindOf(document, path)} = '${type}' then ${value} end`;
}

/**
 * A text as a document. The server reads no document in which NUL or half of a surrogate pair is escaped: the view shows the
 * mark for what cannot be shown instead; `row` has the text. A question mark would stand for a value.
 */
function readable(text: string): string {
  const [high, low, hex] = [String.raw`\\u[dD][89abAB]`, String.raw`\\u[dD][c-fC-F]`, '[0-9a-fA-F]{2}'];
  const mark = `' || chr(63) || '`;
  const unreadable = String.raw`\\u0000|${high}${hex}(${mark}!${low})|(${mark}<!${high}${hex})${low}${hex}`;
  const mended = `regexp_replace(${text}, '${unreadable}', '${String.raw`\\ufffd`}', 'g')`;
  return `(case when strpos(${text}, '\\u') = 0 then ${text} else ${mended} end)::json`;
}
