// `import ecb` of 27 years into a fresh mirror, file bytes to committed rows with revisions, envelope and
// coverage, against a bare prepared insert of the same rows, already parsed, in one transaction.
import Database from 'better-sqlite3';
import { euroRates } from './euro-rates.mjs';
import { withImport } from './import-support.mjs';
import { alternate } from './support.mjs';

function insertBare(path, rows) {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.exec('create table rates (quote text, date text, val real, text text, primary key (quote, date)) without rowid');
  const insert = db.prepare('insert into rates values (?, ?, ?, ?)');
  db.transaction(() => {
    for (const row of rows) insert.run(row);
  })();
  db.close();
}

function parsedRows(linesOf, file) {
  const rows = [];
  for (const { rows: given } of linesOf(file))
    for (const { series, row } of given) rows.push([series.scope.quote, row.value.date, row.value.val, row.text]);
  return rows;
}

export default {
  name: 'import of 27 years of euro rates, vs a bare insert of the same rows',
  // At least 0.3 times the rows a second of the bare insert.
  goal: 3.3,
  run: () =>
    withImport(async (bundle, fresh) => {
      const { linesOf, importInto } = await import(bundle);
      const { path: file, words } = euroRates();
      const rows = parsedRows(linesOf, file);
      const compared = await alternate({
        ours: () => importInto(fresh(), file),
        theirs: () => insertBare(fresh(), rows),
        rounds: 5,
        warmUps: 1,
      });
      const speed = (ms) => `${(rows.length / ms).toFixed(0)} k rows/s`;
      return {
        ...compared,
        detail: `${rows.length} ${words}, ${speed(compared.ours)} against ${speed(compared.theirs)}`,
      };
    }),
};
