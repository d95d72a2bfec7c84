import { expect, it } from 'vitest';
import { edit, page, rate, sql, testMirror } from '../support.ts';

const VIEWS = "select name from sqlite_schema where type = 'view' order by name";
const ARROWS = "select name from sqlite_schema where sql like '%->%'";

it('views of the ninth version are made anew by whoever opens the file, and a view of somebody else stays', async () => {
  for (const mode of ['write', 'read'] as const) {
    const { mirror, path, again } = await testMirror();
    await mirror.commitPage(page([rate('2026-11-20', '1.1500')]));
    mirror.close();
    const views = sql(path, VIEWS);
    edit(path, (db) => {
      db.exec(`drop view v_fx; create view v_fx as select r.text ->> '$.val' as val from fx_daily r`);
      db.exec('create view mine as select 1');
      db.exec('alter table runs drop column failed');
      db.pragma('user_version = 9');
    });
    (await again({ mode })).close();
    expect(sql(path, ARROWS)).toEqual([]);
    expect(sql(path, VIEWS)).toEqual([{ name: 'mine' }, ...views]);
    expect(sql(path, 'select val, val_text from v_fx')).toEqual([{ val: 1.15, val_text: '1.1500' }]);
  }
});
