import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { tableOf } from '../../../src/mirror/tables.ts';
import { viewsOf } from '../../../src/mirror/views/views.ts';
import { CALENDAR, edit, INFLATION, page, rate, row, sql, testMirror } from '../support.ts';

const MIDNIGHT = '2026-11-21T00:00:00Z';

describe('the views of a mirror file', () => {
  it('show a row with typed columns, its decimals as published, and where it comes from', async () => {
    const { mirror, path } = await testMirror();
    await mirror.commitPage(page([rate('2026-11-20', '1.1500'), rate('2026-11-19', 'null')]));
    const columns =
      'base, quote, date, val, val_text, open, origin, nature, access, request, released_at, seen_at, row';
    const provenance = {
      origin: 'https://api.example.test',
      nature: 'real',
      access: 'keyed',
      request: 'GET /v1/forex/EUR/USD',
      released_at: null,
      seen_at: MIDNIGHT,
    };
    const pair = { base: 'EUR', quote: 'USD', open: null };
    expect(sql(path, `select ${columns} from v_fx order by date desc`)).toEqual([
      { ...pair, date: '2026-11-20', val: 1.15, val_text: '1.1500', ...provenance, row: rate('2026-11-20', '1.1500') },
      { ...pair, date: '2026-11-19', val: null, val_text: null, ...provenance, row: rate('2026-11-19', 'null') },
    ]);
  });

  it('show when a value was released, as ISO text, and what a row says beyond the columns that are kept', async () => {
    const { mirror, path } = await testMirror();
    const text = '{"date":"2026-10-31","val":2.10,"announcement_datetime":1795008600,"source":"BLS"}';
    await mirror.commitPage(page([row(text)], { series: INFLATION }));
    expect(
      sql(path, 'select currency, indicator, date, val, source, publisher, released_at from v_announcements'),
    ).toEqual([
      {
        currency: 'USD',
        indicator: 'inflation',
        date: '2026-10-31',
        val: 2.1,
        source: 'BLS',
        publisher: 'BLS',
        released_at: '2026-11-18T13:30:00Z',
      },
    ]);
  });

  it('never make a number of a value that is none', async () => {
    const { mirror, path } = await testMirror();
    const text = '{"date":"2026-10-31","val":"n/a","collected_at":99999999999999999999,"change":true}';
    await mirror.commitPage(page([row(text)], { series: INFLATION }));
    expect(sql(path, 'select val, val_text, collected_at from v_announcements')).toEqual([
      { val: null, val_text: 'n/a', collected_at: null },
    ]);
  });

  it('keep what was current before, with the time at which that ended, and the vintages that rows list', async () => {
    const { mirror, path } = await testMirror();
    const revised = (val: string, list: string) => row(`{"date":"2026-10-31","val":${val},"revisions":[${list}]}`);
    const [first, second] = ['{"val":2.10,"epoch":1795008600}', '{"val":2.20,"epoch":1795095000}'];
    await mirror.commitPage(page([revised('2.10', first)], { series: INFLATION }));
    await mirror.commitPage(
      page([revised('2.20', `${first},${second}`)], { series: INFLATION, at: 1_795_219_260_000 }),
    );
    expect(sql(path, 'select val_text, seen_at, superseded_at from v_announcements_superseded')).toEqual([
      { val_text: '2.10', seen_at: MIDNIGHT, superseded_at: '2026-11-21T00:01:00Z' },
    ]);
    expect(sql(path, 'select val, val_text, published_at from v_announcements_vintages order by published_at')).toEqual(
      [
        { val: 2.1, val_text: '2.10', published_at: '2026-11-18T13:30:00Z' },
        { val: 2.2, val_text: '2.20', published_at: '2026-11-19T13:30:00Z' },
      ],
    );
  });

  it('are made once: opening the file again changes nothing, an altered definition is made anew', async () => {
    const { mirror, path, again } = await testMirror();
    await mirror.commitPage(page([rate('2026-11-20', 1.15)]));
    const schema = () => sql(path, 'pragma schema_version');
    const before = schema();
    (await again()).close();
    expect(schema()).toEqual(before);
    edit(path, 'drop view v_fx; create view v_fx as select 1 as one');
    (await again()).close();
    expect(sql(path, 'select val from v_fx')).toEqual([{ val: 1.15 }]);
  });

  it('can all be made and read, and every column has a declared type', async () => {
    const { mirror, path } = await testMirror();
    for (const [endpoint, mapping] of Object.entries(MAPPINGS)) {
      const scope = Object.fromEntries(mapping.scope.map((name) => [name, 'x']));
      await mirror.commitPage(page([], { series: { ...CALENDAR, endpoint, scope } }));
    }
    for (const [endpoint, mapping] of Object.entries(MAPPINGS))
      for (const { name, columns } of viewsOf(tableOf(endpoint, mapping))) {
        expect(sql(path, `select * from ${name}`)).toEqual([]);
        const found = sql(path, 'select name, type from pragma_table_info(?)', name);
        const types = {
          text: /^text$/i,
          date: /^text$/i,
          instant: /^text$/i,
          integer: /^int(eger)?$/i,
          flag: /^int$/i,
          real: /^real$/i,
        };
        expect(found).toEqual(columns.map((one) => ({ name: one.name, type: expect.stringMatching(types[one.type]) })));
      }
  });

  const program = spawnSync('sqlite3', ['--version'], { encoding: 'utf8' });
  it.skipIf(program.status !== 0)('are read by the sqlite3 program (skipped where there is none)', async () => {
    const { mirror, path } = await testMirror();
    await mirror.commitPage(page([rate('2026-11-20', '1.1500')]));
    const asked = 'select base, quote, date, val, val_text, seen_at from v_fx';
    expect(spawnSync('sqlite3', ['-readonly', path, asked], { encoding: 'utf8' }).stdout).toBe(
      `EUR|USD|2026-11-20|1.15|1.1500|${MIDNIGHT}\n`,
    );
  });
});
