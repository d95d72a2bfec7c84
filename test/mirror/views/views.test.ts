import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { tableOf } from '../../../src/mirror/rules/tables.ts';
import { viewsOf } from '../../../src/mirror/rules/views.ts';
import { CALENDAR, edit, page, rate, sql, testMirror } from '../support.ts';

const MIDNIGHT = '2026-11-21T00:00:00Z';

describe('the views of a mirror file', () => {
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
          seconds: /^int(eger)?$/i,
          integer: /^int(eger)?$/i,
          flag: /^int$/i,
          real: /^real$/i,
        };
        expect(found).toEqual(columns.map((one) => ({ name: one.name, type: expect.stringMatching(types[one.type]) })));
      }
  });

  it('begin at the series: a filter on the arguments comes before the rows, and a limit ends their reading', async () => {
    const { mirror, path } = await testMirror();
    for (const [endpoint, mapping] of Object.entries(MAPPINGS)) {
      const scope = Object.fromEntries(mapping.scope.map((name) => [name, 'x']));
      await mirror.commitPage(page([], { series: { ...CALENDAR, endpoint, scope } }));
      for (const { name } of viewsOf(tableOf(endpoint, mapping))) {
        const asked = mapping.scope.map((one) => `${one} = 'x'`).join(' and ') || 'true';
        const [key = { name: 'series' }] = mapping.key;
        const question = `select * from ${name} where ${asked} order by ${key.name} ${mapping.order === 'newest' ? 'desc' : 'asc'} limit 5`;
        const plan = sql(path, `explain query plan ${question}`).map((step) =>
          String(Object.values(Object(step)).at(-1)),
        );
        const [outer, inner] = plan.filter((step) => / [rs] /.test(step));
        expect([name, outer, inner]).toEqual([
          name,
          expect.stringMatching(/^SEARCH s USING (COVERING )?INDEX \w+ \(endpoint=\?\)$/),
          expect.stringMatching(/^SEARCH r USING PRIMARY KEY \(series=\?/),
        ]);
        // A left join makes SQLite read all rows of a series before it cuts them.
        expect(plan.filter((step) => step.includes('LEFT-JOIN'))).toEqual([]);
      }
    }
  });

  it('spell once what makes a short text whole: whoever opens a file parses all of its views', () => {
    const short = Object.entries(MAPPINGS).filter(([, mapping]) => mapping.shortText);
    const spelled = short.flatMap(([endpoint, mapping]) =>
      viewsOf(tableOf(endpoint, mapping, 'short')).map(({ name, sql: text }) => [
        name,
        text.split('substr(text, 2), char(3)').length - 1,
      ]),
    );
    expect(spelled).toEqual([
      ['v_fx', 1],
      ['v_fx_superseded', 1],
    ]);
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
