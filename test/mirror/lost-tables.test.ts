import { describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { backupMirror } from '../../src/mirror/sqlite/backup.ts';
import { rebuildMirror } from '../../src/mirror/sqlite/rebuild.ts';
import { requireSystemTables } from '../../src/mirror/sqlite/version.ts';
import { edit, INFLATION, page, rate, sql, testMirror, texts } from './support.ts';

const printed = `{"date":"2026-01-31","val":3,"revisions":[{"epoch":1767225600,"val":3}]}`;

async function filled() {
  const made = await testMirror();
  await made.mirror.commitPage(page([rate('2026-11-20', 1.1)]));
  await made.mirror.commitPage(page([rate('2026-11-20', 1.2)]));
  await made.mirror.commitPage(page([printed], { series: INFLATION }));
  made.mirror.close();
  return made;
}

async function without(table: string) {
  const made = await filled();
  edit(made.path, (db) => {
    db.pragma('foreign_keys = off');
    db.exec(`drop table ${table}`);
  });
  return made;
}

describe('a file that has lost a table', () => {
  it.each(['fx_daily', 'fx_daily_superseded', 'announcements_vintages'])(
    '%s of rows is damaged: an empty one in its place would hide that',
    async (table) => {
      const { path, again } = await without(table);
      const damaged = {
        kind: 'mirror',
        code: 'mirror_damaged',
        message: `The mirror ${path} is damaged: its table ${table} is gone.`,
        hint: 'Keep a copy of the file, then restore a backup, or name a new file with --mirror and run `macro sync`.',
      };
      await expect(again()).rejects.toMatchObject(damaged);
      const reader = await again({ mode: 'read' });
      const key = table.startsWith('fx') ? undefined : INFLATION;
      await expect(texts(reader, key)).rejects.toMatchObject(damaged);
      await expect(reader.verify()).rejects.toMatchObject(damaged);
      expect(() => rebuildMirror({ path, mappings: MAPPINGS })).toThrow(
        expect.objectContaining({ code: 'mirror_damaged' }),
      );
      expect(sql(path, 'select count(*) as found from sqlite_schema where name = ?', table)).toEqual([{ found: 0 }]);
    },
  );

  it('of the system is damaged, whichever it is', async () => {
    const { path } = await filled();
    const tables = sql(
      path,
      `select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob 'fx_daily*'
       and name not glob 'announcements*'`,
    ) as { name: string }[];
    expect(tables.length).toBe(18);
    for (const { name } of tables) {
      const { path: broken, again } = await without(name);
      const damaged = expect.objectContaining({ kind: 'mirror', code: 'mirror_damaged' });
      expect(() => edit(broken, (db) => requireSystemTables(db, broken))).toThrow(damaged);
      expect(() => rebuildMirror({ path: broken, mappings: MAPPINGS })).toThrow(damaged);
      await expect(backupMirror({ path: broken, target: `${broken}.copy`, replace: false })).rejects.toEqual(damaged);
      await expect(again({ mode: 'read' }).then((mirror) => mirror.verify())).rejects.toEqual(damaged);
    }
  });
});
