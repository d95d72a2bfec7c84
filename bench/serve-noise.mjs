// A mirror that holds much more than is asked for: every series again under scopes that nobody asks about.
import Database from 'better-sqlite3';
import { MAPPINGS } from '../src/endpoints/index.ts';

/** Times that each series comes again. */
const COPIES = 12;
/** Rows of a copy; the first has them all. */
const FEW = 40;

/** Copies a mirror file to `to` and fills the copy with noise. Answers how many series each holds. */
export async function copyWithNoise(from, to) {
  const source = new Database(from, { readonly: true });
  await source.backup(to);
  source.close();
  const db = new Database(to);
  const before = countOf(db);
  db.transaction(() => {
    for (const series of db.prepare('select * from series order by id').all()) copySeries(db, series);
  })();
  const after = countOf(db);
  db.close();
  return { before, after };
}

const countOf = (db) => db.prepare('select count(*) from series').pluck().get();

function copySeries(db, series) {
  const scope = JSON.parse(series.scope);
  const [name] = Object.keys(scope);
  if (name === undefined) return;
  for (let copy = 1; copy <= COPIES; copy += 1) {
    const moved = { ...scope, [name]: `Z${copy}${scope[name]}` };
    const id = insert(db, 'series', { ...series, id: null, scope: JSON.stringify(moved) });
    for (const [key, value] of Object.entries(moved)) insert(db, 'scopes', { name: key, value, series: id });
    copyRows(db, { table: MAPPINGS[series.endpoint].table, from: series.id, to: id, limit: copy === 1 ? -1 : FEW });
  }
}

function copyRows(db, { table, from, to, limit }) {
  const names = db.prepare(`select name from pragma_table_info(?) where name <> 'series'`).pluck().all(table);
  const list = names.map((name) => `"${name}"`).join(', ');
  db.prepare(`insert into "${table}" (series, ${list}) select ?, ${list} from "${table}" where series = ? limit ?`).run(
    to,
    from,
    limit,
  );
}

function insert(db, table, row) {
  const names = Object.keys(row);
  const values = names.map((name) => `@${name}`);
  const statement = db.prepare(`insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`);
  return Number(statement.run(row).lastInsertRowid);
}
