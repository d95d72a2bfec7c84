import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { VerificationFinding } from '../../src/mirror/api/verification.ts';
import { freshFolder } from '../support/platform.ts';
import fc, { draws } from '../support/properties.ts';
import { openHere } from './children/world.ts';
import { CALENDAR, edit, INFLATION, MIDNIGHT, page, rate } from './support.ts';

const printed = (date: string, val: number) =>
  `{"date":"${date}","val":${val},"announcement_datetime":1767225600,"revisions":[{"epoch":1767225600,"val":${val},"observed_at_ns_string":"1767225600000000001"}]}`;
const event = (id: string) => `{"announcement_datetime":1767225600,"calendar_event_id":"${id}","release":"inflation"}`;

/** Rows of every kind: current, revised, vanished, refreshed, with vintages, proven, with an envelope. */
async function fill(mirror: Mirror): Promise<void> {
  const covered = { from: '2026-01-01', to: '2026-01-09', rows: 3 };
  const envelope = { text: asJsonText('{"unit":"rate"}'), inputs: 'all' };
  const rates = (last: number) => [rate('2026-01-03', last), rate('2026-01-02', 1.2), rate('2026-01-01', 1.1)];
  await mirror.commitPage(page(rates(1.3), { covered, envelope, extent: 'replaces', etag: '"1"' }));
  await mirror.commitPage(page(rates(1.4), { extent: 'replaces', at: MIDNIGHT + 1 }));
  await mirror.commitPage(page([rate('2026-01-03', 1.4)], { extent: 'replaces', at: MIDNIGHT + 2, covered }));
  for (const val of [3, 3.1])
    await mirror.commitPage(page([printed('2026-01-31', val), printed('2025-12-31', 2)], { series: INFLATION }));
  await mirror.commitPage(page([event('a'), event('b')], { series: CALENDAR, extent: 'replaces' }));
}

let original: string;

beforeAll(async () => {
  original = join(freshFolder(), 'original.db');
  const mirror = await openHere(original);
  await fill(mirror);
  mirror.close();
});

let copies = 0;

/** A copy of the filled mirror, altered by hand. */
function altered(alter: (db: Database.Database) => void): string {
  copies += 1;
  const path = `${original}.${copies}`;
  copyFileSync(original, path);
  edit(path, (db) => {
    db.pragma('foreign_keys = off');
    alter(db);
  });
  return path;
}

async function findingsIn(path: string): Promise<readonly VerificationFinding[]> {
  const mirror = await openHere(path);
  try {
    return (await mirror.verify()).findings;
  } finally {
    mirror.close();
  }
}

const told = (findings: readonly VerificationFinding[]) =>
  findings.map(({ level, what, key, detail }) => `${level} ${what} ${key ?? '-'}: ${detail}`);

const toldAfter = async (sql: string) => told(await findingsIn(altered((db) => void db.exec(sql))));

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Not protected: work in progress, validators and the random identity of the file say nothing of the data. */
const FREE = [
  ...['walks', 'validators', 'runs', 'follows', 'checks', 'sqlite_sequence'],
  ...['journal', 'arrivals', 'consumers', 'failures', 'gaps'],
];
const FREE_COLUMNS = ['mirror.id', 'mirror.created', 'mirror.one'];

function columnsIn(path: string): readonly Column[] {
  const db = new Database(path, { readonly: true });
  const columns = db
    .prepare(
      `select schema.name as "table", info.name, info.type from sqlite_schema schema
       join pragma_table_info(schema.name) info where schema.type = 'table'`,
    )
    .all() as Column[];
  const filled = columns.filter(({ table }) => db.prepare(`select 1 from "${table}"`).get() !== undefined);
  db.close();
  return filled.filter(({ table, name }) => !FREE.includes(table) && !FREE_COLUMNS.includes(`${table}.${name}`));
}

const valueFor = (type: string): fc.Arbitrary<string | number> => {
  if (type === 'INTEGER') return fc.integer();
  if (type === 'REAL') return fc.double({ noNaN: true });
  return fc.oneof(fc.string(), fc.constantFrom('{"date":"2026-01-03","val":9}', '{}', '', 'EUR', '2026-01-02'));
};

const alteration = (columns: readonly Column[]) =>
  fc.constantFrom(...columns).chain((column) =>
    fc.record({
      column: fc.constant(column),
      kind: fc.constantFrom('update', 'update', 'update', 'delete', 'insert'),
      row: fc.nat(),
      value: fc.option(valueFor(column.type), { freq: 8 }),
    }),
  );

type Alteration = typeof alteration extends (columns: readonly Column[]) => fc.Arbitrary<infer T> ? T : never;

/** Does it to the file; false where SQLite itself refuses or nothing is different after it. */
function apply(db: Database.Database, { column: { table, name }, kind, row, value }: Alteration): boolean {
  const rows = db.prepare(`select * from "${table}"`).all() as Record<string, unknown>[];
  const chosen = rows[row % rows.length];
  if (!chosen) return false;
  const names = Object.keys(chosen);
  const where = names.map((one) => `"${one}" is ?`).join(' and ');
  const values = Object.values(chosen);
  try {
    if (kind === 'delete') return db.prepare(`delete from "${table}" where ${where}`).run(values).changes > 0;
    if (chosen[name] === value) return false;
    if (kind === 'update')
      return db.prepare(`update "${table}" set "${name}" = ? where ${where}`).run(value, ...values).changes > 0;
    const inserted = { ...chosen, [name]: value };
    const marks = names.map(() => '?').join(', ');
    return db.prepare(`insert into "${table}" values (${marks})`).run(Object.values(inserted)).changes > 0;
  } catch {
    return false;
  }
}

describe('a check', () => {
  test('finds nothing in a mirror that nobody altered', async () => {
    expect(await findingsIn(original)).toEqual([]);
  });

  test('finds whatever one alteration by hand did to rows, commits, proofs, sums or names', async () => {
    await fc.assert(
      fc.asyncProperty(alteration(columnsIn(original)), async (one) => {
        let done = false;
        const path = altered((db) => {
          done = apply(db, one);
        });
        fc.pre(done);
        const found = await findingsIn(path).catch((error) => [{ level: 'problem', error }]);
        expect(found.filter(({ level }) => level === 'problem').length).toBeGreaterThan(0);
      }),
      { numRuns: draws(50) },
    );
  }, 120_000);

  test('names the row that was altered in text and column alike', async () => {
    const text = '{"date":"2026-01-03","val":9}';
    expect(await toldAfter(`update fx_daily set val = 9, text = '${text}' where date = '2026-01-03'`)).toEqual([
      'problem altered 2026-01-03: the current row is not as it was received',
    ]);
  });

  test('names the column that says otherwise than the text', async () => {
    expect(await toldAfter("update fx_daily set val = 9 where date = '2026-01-03'")).toEqual([
      'problem column 2026-01-03: val is 9 in the column and 1.4 in the text',
    ]);
  });

  test('says which answer brought and ended a revision that is gone', async () => {
    expect(await toldAfter("delete from fx_daily_superseded where date = '2026-01-02'")).toEqual([
      'problem missing -: 1 of 3 superseded rows are gone',
      'problem missing -: commit 1 (GET /v1/forex/EUR/USD, 2026-11-21T00:00:00Z) brought 3 rows, 2 are stored',
      'problem missing -: commit 3 (GET /v1/forex/EUR/USD, 2026-11-21T00:00:00Z) ended 2 rows, 1 are stored',
    ]);
  });

  test('says which answer brought a row that is gone', async () => {
    expect(await toldAfter('delete from fx_daily')).toEqual([
      'problem missing -: 1 of 1 current rows are gone',
      'problem missing -: commit 2 (GET /v1/forex/EUR/USD, 2026-11-21T00:00:00Z) brought 1 rows, 0 are stored',
    ]);
  });

  test('names a row that was put in', async () => {
    const values = `1, '2026-01-04', 2, 3, 1, '{"date":"2026-01-04","val":2}'`;
    expect(await toldAfter(`insert into fx_daily (series, date, val, seen, keyed, text) values (${values})`)).toEqual([
      'problem altered 2026-01-04: the current row is not as it was received',
      'problem added -: 1 more current rows are stored than the 1 that were written',
      'problem added -: commit 3 (GET /v1/forex/EUR/USD, 2026-11-21T00:00:00Z) brought 0 rows, 1 are stored',
    ]);
  });

  test('finds data that is passed off as real', async () => {
    expect(await toldAfter("update mirror set nature = 'synthetic'")).toEqual([
      'problem ledger -: the stamp that says whose data the file has was altered',
    ]);
  });

  test('says how many more there are of a kind', async () => {
    const digits = "'2' || substr('000' || value, -3) || '-01-01'";
    const many = `with recursive n(value) as (select 1 union all select value + 1 from n where value < 30)
      insert into fx_daily (series, date, seen, keyed, text) select 1, ${digits}, 3, 1, '{}' from n`;
    const found = await findingsIn(altered((db) => void db.exec(many)));
    expect(found.filter(({ what }) => what === 'altered')).toHaveLength(21);
    expect(told(found)).toContain('problem altered -: and 10 more');
  });
});
