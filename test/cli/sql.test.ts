import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { edit, sql } from '../mirror/support.ts';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';

const RATES = 'Date,USD,JPY,\n2026-11-20,1.1500,178.20,\n2026-11-19,1.1490,N/A,\n';

/** A mirror with rates. `late`: the time of a query is over at once. */
async function imported(stdin = '', { late = false } = {}): Promise<{ at: TestPlatform; path: string }> {
  const { folder } = testPlatform();
  await macro('import ecb - --quiet', testPlatform({ folder, stdin: RATES }));
  const path = join(folder, 'macro', 'mirrors', 'default.db');
  return { at: testPlatform({ folder, stdin, sleeping: late ? 'jumps' : 'waits' }), path };
}

describe('macro sql', () => {
  it('prints the rows of a query in every format', async () => {
    const { at } = await imported();
    const query = `sql "select date, val, val_text from v_fx where quote = 'USD' order by date"`;
    expect((await macro(`${query} --format csv`, at)).out).toBe(
      'date,val,val_text\n2026-11-19,1.149,1.1490\n2026-11-20,1.15,1.1500\n',
    );
    expect(JSON.parse((await macro(`${query} --format json`, at)).out)).toEqual({
      data: [
        { date: '2026-11-19', val: 1.149, val_text: '1.1490' },
        { date: '2026-11-20', val: 1.15, val_text: '1.1500' },
      ],
    });
  });

  it('reads a query from standard input and takes values for its parameters', async () => {
    const { at } = await imported('select date from v_fx\nwhere quote = :quote and val > :least');
    expect(await macro('sql - --bind quote=USD --bind least=1.1495', at)).toEqual({
      code: 0,
      out: 'date\n2026-11-20\n',
      err: '',
    });
  });

  it('asks for the values of parameters that were left out', async () => {
    const { at } = await imported();
    for (const given of ['', ' --bind other=1']) {
      const { code, err } = await macro(`sql "select date from v_fx where quote = :quote"${given}`, at);
      expect([code, err.split('\n')[1]]).toEqual([2, 'Give each :name of the query a value: --bind name=value.']);
    }
  });

  it('keeps every digit of a whole number, gives bytes as base64, and tells columns of one name apart', async () => {
    const { at } = await imported();
    const line = `sql "select 9007199254740993 as a, x'00ff' as b, -9223372036854775808 as a" --format ndjson`;
    expect((await macro(line, at)).out).toBe('{"a":9007199254740993,"b":"AP8=","a_2":-9223372036854775808}\n');
  });

  it('says when there are more bytes than it shows, and refuses a first row that has more', async () => {
    const { at } = await imported();
    const rows =
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 10) select i, hex(zeroblob(50)) from n';
    const { code, out, err } = await macro(`sql "${rows}" --max-bytes 400 --format csv --no-header --fields i`, at);
    expect([code, out, err]).toEqual([
      0,
      '1\n2\n3\n',
      'warning: there are more rows, and the first 3 have up to 400 bytes; --max-bytes N shows more of them\n',
    ]);
    expect(await macro('sql "select randomblob(9000000)"', at)).toEqual({
      code: 10,
      out: '',
      err: 'macro: The first row of the query has more than 8000000 bytes.\nSelect fewer or shorter values. On the command line, --max-bytes allows more.\n',
    });
    expect((await macro('sql "select 1" --max-bytes 0', at)).code).toBe(2);
  });

  it('ends a query that takes more memory than it may, however small its answer', async () => {
    const { at } = await imported();
    const query = "select length(replace(hex(zeroblob(200000000)), '0', 'abcd')) as n";
    expect(await macro(`sql "${query}"`, at)).toEqual({
      code: 10,
      out: '',
      err: 'macro: The query needed more than 512 MB of memory and was ended.\nAsk for less at once: fewer rows, shorter values.\n',
    });
  });

  it('says when there are more rows than it shows', async () => {
    const { at } = await imported();
    expect(await macro('sql "select base from v_fx" --limit 2', at)).toEqual({
      code: 0,
      out: 'base\nEUR\nEUR\n',
      err: 'warning: there are more than these 2 rows; --limit N shows more of them\n',
    });
    expect((await macro('sql "select base from v_fx" --limit 3', at)).err).toBe('');
  });

  it('ends a query that takes too long, and is exit 10', async () => {
    const { at } = await imported('', { late: true });
    const endless = 'with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c';
    expect(await macro(`sql "${endless}" --timeout 2m`, at)).toEqual({
      code: 10,
      out: '',
      err: 'macro: The query took longer than 2m and was ended.\nAsk for less, or allow more with --timeout 5m.\n',
    });
  });

  it('is interrupted like any other command', async () => {
    const { at } = await imported();
    const running = macro('sql "with recursive c(n) as (select 1 union all select n from c) select max(n) from c"', at);
    while (at.clock.slept.length === 0) await new Promise(setImmediate);
    at.interrupt();
    expect((await running).code).toBe(130);
  });

  it('names the table or the column that was meant', async () => {
    const { at } = await imported();
    expect(await macro('sql "select date from v_fxx"', at)).toEqual({
      code: 2,
      out: '',
      err:
        'macro: The query cannot be run: no such table: v_fxx.\n' +
        'Did you mean v_fx? macro sql --views lists the views and their columns.\n',
    });
    expect((await macro('sql "select val_txt from v_fx"', at)).err).toContain('Did you mean val_text?');
    // A known column stands elsewhere.
    expect(await macro('sql "select g.val from v_fx f"', at)).toEqual({
      code: 2,
      out: '',
      err: 'macro: The query cannot be run: no such column: g.val.\nmacro sql --views lists the views and their columns.\n',
    });
    // A column is no table.
    expect((await macro('sql "select * from opens"', at)).err).not.toContain('Did you mean');
  });

  it('says of a view that it lists and the mirror has no rows of, that nothing of it is held yet', async () => {
    const { at } = await imported();
    for (const name of ['v_announcements', 'V_Announcements'])
      expect(await macro(`sql "select count(*) from ${name}"`, at)).toEqual({
        code: 3,
        out: '',
        err:
          'macro: The mirror has no rows of the view v_announcements yet.\n' +
          'It is made with the first rows: by a sync, a stored answer or an import.\n',
      });
  });

  it('says of a view that is gone while its rows are held, that it is not there', async () => {
    const { at, path } = await imported();
    edit(path, 'drop view v_fx');
    const { code, err } = await macro('sql "select count(*) from v_fx"', at);
    expect([code, err.split('\n')[0]]).toEqual([2, 'macro: The query cannot be run: no such table: v_fx.']);
  });

  it('lists the views and their columns, also without a mirror', async () => {
    const { code, out } = await macro('sql --views --format csv');
    expect(code).toBe(0);
    for (const line of ['v_announcements,currency,text', 'v_fx,date,date', 'v_fx,val,real', 'v_fx,seen_at,instant'])
      expect(out.split('\n')).toContain(line);
  });

  it('is exit 3 without a mirror, and exit 2 without a query', async () => {
    expect((await macro('sql "select 1"')).code).toBe(3);
    expect((await macro('sql')).code).toBe(2);
  });
});

/** Ways to write, to open another file, or to change how the connection works. */
const OUTSIDE = [
  "insert into series values (9, 'x', '{}', 'x', 1, 1, null, null, null)",
  'delete from fx_daily',
  'delete from fx_daily returning 1',
  'with x as (select 1) insert into mirror select * from x returning 1',
  'create table more (a)',
  'create temp table more (a)',
  'drop view v_fx',
  "attach 'OTHER' as other",
  "/* select */ attach 'OTHER' as other",
  "attach ':memory:' as other",
  'detach main',
  "vacuum into 'OTHER'",
  'vacuum',
  'reindex',
  'analyze',
  'begin immediate',
  'savepoint one',
  'pragma journal_mode = delete',
  'pragma writable_schema = on',
  'pragma query_only = off',
  'pragma user_version = 7',
  "select writefile('OTHER', 'x')",
  "select readfile('/etc/passwd')",
  "select load_extension('OTHER')",
  "select * from fsdir('/')",
  "select edit('x')",
  'select 1; delete from fx_daily',
];

describe('macro sql on a synthetic mirror', () => {
  const NOW = '2026-11-20T15:00:00Z';
  beforeAll(() => sandboxPath(testPlatform({ now: NOW }).platform), 120_000);

  it('says that the rows of a synthetic mirror are generated, beside them and in a file of them', async () => {
    const at = testPlatform({ now: NOW, sleeping: 'waits' });
    const path = await sandboxPath(at.platform);
    const warning = 'warning: these numbers are generated: synthetic data, not real\n';
    const { err } = await macro(`sql "select date, val from v_fx" --limit 1 --mirror ${path}`, at);
    expect(err).toContain(warning);
    const file = join(at.folder, 'rates.parquet');
    expect((await macro(`sql "select 1 as one" --mirror ${path} -o ${file}`, at)).err).toBe(warning);
    expect(readFileSync(file).toString('latin1')).toMatch(/nature.{1,9}synthetic/s);
  });
});

describe('a query that would do more than read', () => {
  it.each(OUTSIDE)('is refused: %s', async (statement) => {
    const { at, path } = await imported(statement.replace('OTHER', join(testPlatform().folder, 'other.db')));
    const before = sql(path, 'select count(*), (select count(*) from sqlite_schema) from fx_daily');
    const files = readdirSync(at.folder, { recursive: true }).length;
    expect(await macro('sql -', at)).toMatchObject({ code: 2, out: '' });
    expect(sql(path, 'select count(*), (select count(*) from sqlite_schema) from fx_daily')).toEqual(before);
    expect(readdirSync(at.folder, { recursive: true }).length).toBe(files);
  });
});
