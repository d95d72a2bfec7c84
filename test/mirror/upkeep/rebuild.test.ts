import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { type Mapping, textField } from '../../../src/contract/mapping.ts';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { rebuildMirror } from '../../../src/mirror/sqlite/rebuild.ts';
import { edit, INFLATION, page, rate, sql, testMirror, texts } from '../support.ts';

const FOREX = MAPPINGS.forex as Mapping; // the endpoint is there

const printed = (date: string, val: number) =>
  `{"date":"${date}","val":${val},"revisions":[{"epoch":1767225600,"val":${val},"observed_at_ns_string":"1767225600000000001"}]}`;

/** Current, superseded and vintage rows, by mappings that may be others than ours. */
async function filled(forex: Mapping = FOREX) {
  const { mirror, path, again } = await testMirror({ ...MAPPINGS, forex });
  await mirror.commitPage(page([rate('2026-01-02', 1), rate('2026-01-01', 1)]));
  await mirror.commitPage(page([rate('2026-01-02', 2)], { extent: 'replaces' }));
  for (const val of [3, 3.1]) await mirror.commitPage(page([printed('2026-01-31', val)], { series: INFLATION }));
  return { mirror, path, again };
}

function contentOf(path: string): unknown {
  const tables = sql(path, "select name, sql from sqlite_schema where type = 'table' order by name") as {
    name: string;
  }[];
  return tables.map((table) => [table, sql(path, `select * from "${table.name}"`)]);
}

describe('rebuilding', () => {
  test('a mirror of this version changes nothing', async () => {
    const { mirror, path } = await filled();
    mirror.close();
    const before = contentOf(path);
    rebuildMirror({ path, mappings: MAPPINGS });
    expect(contentOf(path)).toEqual(before);
  });

  test('a backup that is used as a mirror reads and writes it at once', async () => {
    const { mirror, path } = await filled();
    mirror.close();
    edit(path, 'pragma journal_mode = delete');
    const before = contentOf(path);
    rebuildMirror({ path, mappings: MAPPINGS });
    expect(contentOf(path)).toEqual(before);
    expect(sql(path, 'pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  });

  test('makes tables of other columns fit again, from the texts', async () => {
    const other: Mapping = { ...FOREX, columns: [textField('val')] };
    const { mirror, path, again } = await filled(other);
    mirror.close();
    await expect(again({ mappings: MAPPINGS })).rejects.toMatchObject({
      code: 'mirror_misfit',
      hint: expect.stringContaining('macro mirror rebuild'),
    });
    const rebuilt = rebuildMirror({ path, mappings: MAPPINGS });
    expect(rebuilt).toContainEqual({ table: 'fx_daily', rows: 1 });
    const fitting = await again({ mappings: MAPPINGS });
    expect(await texts(fitting)).toEqual([rate('2026-01-02', 2)]);
    expect(sql(path, 'select date, val, revision from fx_daily_superseded order by date')).toEqual([
      { date: '2026-01-01', val: 1, revision: 1 },
      { date: '2026-01-02', val: 1, revision: 1 },
    ]);
    expect((await fitting.verify()).findings).toEqual([]);
  });

  test('leaves a table with another key as it is', async () => {
    const { mirror, path } = await filled();
    mirror.close();
    const before = contentOf(path);
    const mappings = { ...MAPPINGS, forex: { ...FOREX, key: [textField('date'), textField('session')] } };
    expect(() => rebuildMirror({ path, mappings })).toThrow(
      expect.objectContaining({ code: 'mirror_misfit', hint: expect.stringContaining('a new file with --mirror') }),
    );
    expect(contentOf(path)).toEqual(before);
  });

  test('mends columns that say otherwise than the texts', async () => {
    const { mirror, path } = await filled();
    edit(path, 'update fx_daily set val = 9');
    expect((await mirror.verify()).findings).toHaveLength(1);
    rebuildMirror({ path, mappings: MAPPINGS });
    expect((await mirror.verify()).findings).toEqual([]);
  });

  test('hides nothing of what was altered', async () => {
    const { mirror, path } = await filled();
    edit(path, `update fx_daily set text = '${rate('2026-01-02', 7)}', val = 7`);
    const { findings } = await mirror.verify();
    expect(findings).toHaveLength(1);
    rebuildMirror({ path, mappings: MAPPINGS });
    expect((await mirror.verify()).findings).toEqual(findings);
  });

  test('is refused while another program writes', async () => {
    const { path } = await filled();
    const other = new Database(path);
    other.exec('begin immediate');
    expect(() => rebuildMirror({ path, mappings: MAPPINGS })).toThrow(expect.objectContaining({ kind: 'busy' }));
    other.close();
  });
});
