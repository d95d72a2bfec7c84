import { MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import { listViews, tablesOfViews } from '../../mirror/rules/views.ts';
import type { QueryAnswer, QueryValue } from '../../mirror/sql/query.ts';
import { type App, dataKindNote } from '../app/app.ts';
import { isOn, manyOption, type Options, readDuration, textOption } from '../parse/options.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';
import { requireFile, requireMirror } from './require.ts';

/** Queries the mirror file. Nobody can say before which fields its rows have. */
export default [
  {
    path: ['sql'],
    summary: 'Query the mirror with SQL; reads only, bounded in time, rows and bytes',
    words: `[query...]: one SELECT; - reads standard input`,
    options: [
      `--views: list the views and their columns
      --bind NAME=VALUE...: value of a parameter of the query (:name); may be repeated
      --timeout DUR: end the query after so long; default 30s
      --limit N [Rows and formats]: rows at most; default 10000
      --max-bytes N: bytes of the values of all rows at most; default 8000000`,
      LISTING,
    ],
    examples: [`sql "select date, val_text from v_fx order by date desc limit 5"`, 'sql --views --format csv'],
    run: runSql,
  },
] satisfies readonly CommandDeclaration[];

const MAX_SQL_ROWS = 10_000;
const MAX_SQL_BYTES = 8_000_000;
const DEFAULT_TIMEOUT = '30s';

/** Runs one query over the mirror file. It can only read, and it is ended when it takes too long. */
async function runSql(app: App, call: Call): Promise<void> {
  if (isOn(call.options, 'views')) return printViews(app);
  requireFile(app, 'sql', 'There, psql asks the same views: select date, val from macro.v_fx limit 5');
  const sql = await queryText(app, call);
  const limit = boundOf(call.options, 'limit', MAX_SQL_ROWS);
  const maxBytes = boundOf(call.options, 'max-bytes', MAX_SQL_BYTES);
  const binds = Object.fromEntries(manyOption(call.options, 'bind').map(readBind));
  const timeout = textOption(call.options, 'timeout') ?? DEFAULT_TIMEOUT;
  const { mirror } = await requireMirror(app);
  const { queryMirror } = await import('../../mirror/sql/query.ts');
  const request = { path: mirror.name, sql, binds, limit, maxBytes, views: tablesOfViews(MAPPINGS) };
  const answer = await inTime(app, timeout, (signal) => queryMirror(request, signal));
  const columns = namesOf(answer);
  const rows = answer.rows.map((row) => Object.fromEntries(row.map((one, i) => [columns[i] ?? '', jsonValue(one)])));
  const facts = await dataKindNote(app, mirror);
  await app.list({ columns, rows, title: [mirror.name, `${rows.length} rows`], facts });
  if (answer.cut === 'rows')
    await app.warn(`there are more than these ${limit} rows; --limit N shows more of them`, 'more_rows');
  if (answer.cut === 'bytes') {
    const shown = `there are more rows, and the first ${rows.length} have up to ${maxBytes} bytes`;
    await app.warn(`${shown}; --max-bytes N shows more of them`, 'more_rows');
  }
}

async function printViews(app: App): Promise<void> {
  const columns = ['view', 'column', 'type'] as const;
  const rows = listViews(MAPPINGS).map((listed) => ({ ...listed }));
  await app.list({ columns, rows, title: ['Views of a mirror file'] });
}

async function queryText({ platform }: App, { words }: Call): Promise<string> {
  const typed = words.join(' ').trim();
  const sql = typed === '-' ? new TextDecoder().decode(await platform.io.stdin.readBytes()) : typed;
  if (sql.trim() !== '') return sql;
  throw new MacroError('usage', 'There is no query.', {
    code: 'no_query',
    hint: `For example: macro sql 'select date, val from v_fx limit 5'. macro sql --views lists what there is.`,
  });
}

function boundOf(options: Options, name: 'limit' | 'max-bytes', usual: number): number {
  const text = textOption(options, name);
  if (text === undefined) return usual;
  const max = name === 'limit' ? 9_999_999 : 999_999_999;
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max) return Number(text);
  throw new MacroError('usage', `'${text}' is no value for --${name}.`, {
    code: 'bad_number',
    hint: `Give a whole number from 1 to ${max}. macro mirror export fx eur usd -o FILE writes as much as there is.`,
  });
}

/** A value that is written like a number is bound as one, a whole number exactly. */
function readBind(text: string): readonly [string, string | number | bigint] {
  const [, name, value] = /^[:@$]?(\w+)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new MacroError('usage', '--bind is written name=value.', {
      code: 'bad_bind',
      hint: `For example: macro sql 'select * from v_fx where base = :base' --bind base=EUR`,
    });
  if (/^-?\d{1,18}$/.test(value)) return [name, BigInt(value)];
  return [name, /^-?\d+\.\d+$/.test(value) ? Number(value) : value];
}

async function inTime<T>(app: App, timeout: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const seconds = readDuration(timeout, '--timeout');
  const done = new AbortController();
  const late = new AbortController();
  const timer = app.platform.clock.sleep(seconds * 1000, done.signal).then(
    () =>
      late.abort(
        new MacroError('incomplete', `The query took longer than ${timeout} and was ended.`, {
          code: 'query_timeout',
          hint: 'Ask for less, or allow more with --timeout 5m.',
        }),
      ),
    () => undefined, // it was done in time
  );
  try {
    return await work(AbortSignal.any([app.signal, late.signal]));
  } finally {
    done.abort();
    await timer;
  }
}

/** Unique names of the columns: a row cannot have two values of one name. */
function namesOf({ columns }: QueryAnswer): readonly string[] {
  const names: string[] = [];
  for (const column of columns) {
    let name = column;
    for (let number = 2; names.includes(name); number += 1) name = `${column}_${number}`;
    names.push(name);
  }
  return names;
}

/** Whole numbers keep all of their digits; bytes are base64; what JSON cannot say is text. */
function jsonValue(value: QueryValue): unknown {
  if (typeof value === 'bigint') return JSON.rawJSON(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
