import { expect, it } from 'vitest';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { serverMirror, sqlOn } from '../postgres/support.ts';
import { edit, page, rate, testMirror } from '../support.ts';

const whole = { series: undefined, what: 'foreign' };

it('a trigger and a unique index of another program are problems, and what only stands beside is noted', async () => {
  const { mirror, path } = await testMirror();
  await mirror.commitPage(page([rate('2026-01-01', 1)]));
  expect((await mirror.verify()).findings).toEqual([]);
  edit(path, (db) =>
    db.exec(`
      create trigger doubles after insert on fx_daily begin update fx_daily set val = 2 * val; end;
      create unique index one_value on fx_daily (val);
      create index by_value on fx_daily (val);
      create table notes (text);
      create view mine as select 1;
      drop view v_fx; create view v_fx as select date, 2 * val as val from fx_daily;
    `),
  );
  const problem = (thing: string) => ({
    ...whole,
    level: 'problem',
    detail: `the ${thing} on fx_daily is not of this program, and may change stored rows`,
  });
  const note = (thing: string) => ({ ...whole, level: 'note', detail: `the ${thing} is not of this program` });
  expect((await mirror.verify()).findings).toEqual([
    note('index by_value'),
    problem('index one_value'),
    note('table notes'),
    problem('trigger doubles'),
    note('view mine'),
    {
      ...whole,
      level: 'note',
      detail: 'the view v_fx is not as this version makes it; the next macro sync makes it anew',
    },
  ]);
});

it.skipIf(POSTGRES_BIN === undefined)('a trigger and a rule on a server are problems too', async () => {
  const { mirror, path } = await serverMirror();
  await mirror.commitPage(page([rate('2026-01-01', 1)]));
  expect((await mirror.verify()).findings).toEqual([]);
  await sqlOn(
    path,
    `create function doubles() returns trigger language plpgsql as $$ begin new.val = 2 * new.val; return new; end $$;
     create trigger doubles before insert on fx_daily for each row execute function doubles();
     create rule nothing as on delete to commits do instead nothing`,
  );
  const problem = (thing: string) => ({
    ...whole,
    level: 'problem',
    detail: `the ${thing} is not of this program, and may change stored rows`,
  });
  expect((await mirror.verify()).findings).toEqual([
    problem('rule nothing on commits'),
    problem('trigger doubles on fx_daily'),
  ]);
});

it.skipIf(POSTGRES_BIN === undefined)(
  'a server that has lost a table of rows gets no empty one in its place',
  async () => {
    const { mirror, path, again } = await serverMirror();
    await mirror.commitPage(page([rate('2026-01-01', 1)]));
    await sqlOn(path, 'drop table fx_daily cascade');
    await expect(again()).rejects.toMatchObject({
      kind: 'mirror',
      code: 'mirror_damaged',
      message: expect.stringContaining('is damaged: its table fx_daily is gone'),
    });
    await expect(mirror.verify()).rejects.toMatchObject({ kind: 'mirror', code: 'mirror_damaged' });
    expect(await sqlOn(path, `select to_regclass('fx_daily') as found`)).toEqual([{ found: null }]);
  },
);
