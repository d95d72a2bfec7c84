import { describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../../src/endpoints/index.ts';
import { openServerMirror } from '../../../src/mirror/postgres/open.ts';
import { SERVER_VIEWS } from '../../../src/mirror/postgres/schema.ts';
import { tableOf } from '../../../src/mirror/rules/tables.ts';
import { viewsOf } from '../../../src/mirror/rules/views.ts';
import { testPlatform } from '../../support/platform.ts';
import { freshAddress, POSTGRES_BIN, serverAddress } from '../../support/postgres.ts';
import { EURUSD, held, INFLATION, MIDNIGHT, page, rate, row, texts } from '../support.ts';
import { dropReaders, serverMirror, sqlOn } from './support.ts';

const rows = [rate('2026-11-20', 1.15), rate('2026-11-19', 1.16)];
const { platform } = testPlatform({ now: MIDNIGHT });
const how = { mappings: MAPPINGS, platform } as const;

/** What only a mirror on a server has to do. */
describe.skipIf(POSTGRES_BIN === undefined)('a mirror on a server', () => {
  it('is made once, whoever comes first', async () => {
    const address = await freshAddress();
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => openServerMirror({ ...how, address, mode: 'write' })),
    );
    const stamps = await Promise.all(opened.map((mirror) => mirror.stamp()));
    expect(new Set(stamps.map(({ id }) => id)).size).toBe(1);
    await Promise.all(opened.map((mirror, i) => mirror.commitPage(page([rate(`2026-11-0${i + 1}`, i)]))));
    const [first] = opened;
    if (!first) throw new Error('There are six');
    expect((await texts(first)).length).toBe(6);
    expect((await first.verify()).findings).toEqual([]);
    for (const mirror of opened) mirror.close();
  });

  it('dates commits by the clock of the server, and never back', async () => {
    const address = await freshAddress();
    const mirror = await openServerMirror({ ...how, address, mode: 'write' });
    await mirror.commitPage(page(rows, { at: 1000 }));
    await mirror.commitPage(page([rate('2026-11-20', 2)], { at: 500 }));
    const dates = `select (min(at) > 1700000000000) as server, count(*) filter (where at < before) as back
      from (select at, lag(at) over (order by number) as before from commits) as dated`;
    expect(await sqlOn(address, dates)).toEqual([{ server: true, back: 0 }]);
    expect((await held(mirror)).checkedAt).toBe(500);
    mirror.close();
  });

  it('is absent to a reader until somebody made it', async () => {
    const address = await freshAddress();
    await expect(openServerMirror({ ...how, address, mode: 'read' })).rejects.toMatchObject({
      kind: 'mirror',
      code: 'mirror_absent',
    });
  });

  it('opened for reading reads everything and writes nothing', async () => {
    const { mirror, again } = await serverMirror();
    await mirror.commitPage(page(rows));
    const reader = await again({ mode: 'read' });
    expect(await texts(reader)).toEqual(rows);
    for (const write of [
      () => reader.commitPage(page(rows)),
      () => reader.dropWalk(EURUSD, 'key:1'),
      () => reader.startRun({ started: 1, holder: 'process 1', words: '' }),
    ])
      await expect(write()).rejects.toMatchObject({ kind: 'mirror', code: 'mirror_read_only' });
  });

  it('is not made among the tables of another program, nor opened when another version wrote it', async () => {
    const foreign = await freshAddress();
    const schema = new URL(foreign).searchParams.get('schema');
    await sqlOn(
      `${await serverAddress()}?schema=public`,
      `create schema ${schema}; create table ${schema}.other (a int)`,
    );
    const { again, path } = await serverMirror();
    await sqlOn(path, 'update mirror set version = version + 1');
    await expect(openServerMirror({ ...how, address: foreign, mode: 'write' })).rejects.toMatchObject({
      code: 'mirror_foreign',
    });
    for (const mode of ['write', 'read'] as const)
      await expect(again({ mode })).rejects.toMatchObject({ code: 'mirror_newer' });
    await sqlOn(path, 'update mirror set version = version - 2');
    for (const mode of ['write', 'read'] as const)
      await expect(again({ mode })).rejects.toMatchObject({
        code: 'mirror_older',
        message: expect.stringMatching(
          /was written by an older version of this program \(it is at 8, the program at 9\)\.$/,
        ),
        hint: 'Name another schema, then run macro sync or macro import FILE again. First-seen times are lost.',
      });
  });

  it('keeps texts as they came, and orders keys by their bytes', async () => {
    const { mirror } = await serverMirror();
    const odd = ['{"date":"2026-11-20", "val":1.1500,"note":"\\u0000 \\ud83d é"}'];
    await mirror.commitPage(page(odd));
    expect(await texts(mirror)).toEqual(odd);
    const series = { ...EURUSD, endpoint: 'data_catalogue', scope: { currency: 'USD' } };
    const named = ['b', 'Z', 'a', 'é', 'A'].map((name) => row('{}', { name }));
    await mirror.commitPage(page(named, { series }));
    const keys = (await mirror.rows(await held(mirror, series), {})).map(({ key }) => key[0]);
    expect(keys).toEqual(['A', 'Z', 'a', 'b', 'é']);
  });

  it('gets the columns that a newer program knows, filled from the texts', async () => {
    const { mirror, again } = await serverMirror();
    await mirror.commitPage(page([rate('2026-11-20', 1.15)]));
    await mirror.commitPage(page([rate('2026-11-20', 1.16)]));
    const { forex } = MAPPINGS;
    if (!forex) throw new Error('There is forex');
    const wider = { ...forex, columns: [...forex.columns, { name: 'rate', from: 'val', type: 'text' as const }] };
    const newer = await again({ mappings: { ...MAPPINGS, forex: wider } });
    const series = await held(newer);
    expect((await newer.rows(series, { where: { rate: '1.16' } })).length).toBe(1);
    expect((await newer.verify()).findings).toEqual([]);
  });

  it('makes its views once, and anew when their definition is another one, but for one that somebody rests on', async () => {
    const { mirror, path, again } = await serverMirror();
    await mirror.commitPage(page(rows));
    const made = () => sqlOn(path, `select 'v_fx'::regclass::oid::bigint as id`);
    const before = await made();
    await again();
    expect(await made()).toEqual(before);
    await sqlOn(path, `comment on view v_fx is 'another'; create view mine as select val from v_fx`);
    await again();
    expect(await made()).toEqual(before);
    await sqlOn(path, 'drop view mine');
    await again();
    expect(await made()).not.toEqual(before);
    expect(await sqlOn(path, 'select val from v_fx order by val')).toEqual([{ val: 1.15 }, { val: 1.16 }]);
  });

  it('can have every view, and read it, with a type for each column', async () => {
    const { mirror, path } = await serverMirror();
    for (const [endpoint, mapping] of Object.entries(MAPPINGS)) {
      const scope = Object.fromEntries(mapping.scope.map((name) => [name, 'x']));
      await mirror.commitPage(page([], { series: { ...EURUSD, endpoint, scope } }));
      for (const { name, columns } of viewsOf(tableOf(endpoint, mapping))) {
        expect(await sqlOn(path, `select * from ${name}`)).toEqual([]);
        const types = `select attname as name, format_type(atttypid, null) as type from pg_attribute where attrelid = '${name}'::regclass order by attnum`;
        expect(await sqlOn(path, types)).toEqual(
          columns.map((one) => ({ name: one.name, type: SERVER_VIEWS.types[one.type] })),
        );
      }
    }
  });

  it('filters the series of a view before it reads their rows', async () => {
    const { mirror, path } = await serverMirror();
    await mirror.commitPage(page(rows));
    const plan = await sqlOn(path, `explain select * from v_fx where base = 'EUR' and quote = 'USD'`);
    const steps = plan
      .map((line) => String(Object.values(Object(line))[0]))
      .join('\n')
      .split('->');
    const filtered = steps.filter((step) => step.includes("'{base}'::text[]) = 'EUR'"));
    expect(filtered).toEqual([expect.stringContaining(' on series s ')]);
  });

  it.each([
    ['a row altered', `update fx_daily set text = replace(text, '1.15', '1.51') where date = '2026-11-20'`, 'altered'],
    ['a row deleted', `delete from fx_daily where date = '2026-11-19'`, 'missing'],
    [
      'a row put in',
      `insert into fx_daily select series, '2026-01-01', val, open, high, low, close, seen, refreshed, keyed, assumed_release, mark, text from fx_daily limit 1`,
      'added',
    ],
    ['a column altered', `update fx_daily set val = 9 where date = '2026-11-20'`, 'column'],
    ['a commit altered', `update commits set request = 'GET /v1/other'`, 'ledger'],
    ['a proof altered', `update proofs set rows = 3`, 'ledger'],
    ['a series renamed', `update series set scope = '{"base":"GBP","quote":"USD"}'`, 'ledger'],
  ])('is found to be altered by hand: %s', async (_, change, what) => {
    const { mirror, path } = await serverMirror();
    await mirror.commitPage(page(rows, { covered: { from: '2026-11-01', to: '2026-11-20', rows: 2 } }));
    expect((await mirror.verify()).findings).toEqual([]);
    await sqlOn(path, change);
    expect((await mirror.verify()).findings.map((finding) => finding.what)).toContain(what);
  });

  it('tells a reader that is used outside of its snapshot what a lost connection means', async () => {
    const { mirror, path } = await serverMirror();
    await mirror.commitPage(page(rows));
    const said: unknown[] = [];
    await mirror.snapshot(async (reader) => {
      const series = await held(reader, EURUSD);
      await dropReaders(path);
      said.push(await reader.rows(series, {}).catch((error: unknown) => error));
    });
    expect(said).toMatchObject([{ kind: 'mirror', code: 'mirror_unreachable' }]);
  });

  it('tells of a lost connection what it means, and goes on when there is one again', async () => {
    const { mirror, path } = await serverMirror();
    await mirror.commitPage(page(rows, { series: INFLATION }));
    const lost = mirror.snapshot(async (reader) => {
      await reader.find({ endpoint: 'forex', scope: {} });
      await dropReaders(path);
      return reader.find({ endpoint: 'forex', scope: {} });
    });
    await expect(lost).rejects.toMatchObject({ kind: 'mirror', message: expect.stringContaining('cannot be reached') });
    expect((await texts(mirror, INFLATION)).length).toBe(2);
  });

  it('asks again when commits were, where a failover gave a number to another commit', async () => {
    const { mirror, path } = await serverMirror();
    for (const one of rows) await mirror.commitPage(page([one]));
    const times = async () => (await mirror.rows(await held(mirror), {})).map(({ seenAt }) => seenAt);
    expect(await times()).toEqual([MIDNIGHT, MIDNIGHT]);
    await sqlOn(path, 'update commits set at = at + 1000 where number = 2');
    expect((await times()).toSorted()).toEqual([MIDNIGHT, MIDNIGHT + 1000]);
    await sqlOn(path, 'update commits set at = at + 1000 where number = 2');
    expect(
      (await mirror.snapshot(async (reader) => reader.rows(await held(reader), {})))
        .map(({ seenAt }) => seenAt)
        .toSorted(),
    ).toEqual([MIDNIGHT, MIDNIGHT + 2000]);
  });
});
