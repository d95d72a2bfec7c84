// `macro import csv` of five million rows against a bare insert of the same rows, as processes of their own, in turn.
// 400 series of 12,500 days, a line for each series and day: the order in which a database writes such a table.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { environment, program, withHome } from './start-support.mjs';
import { benchFolder, inTurn, seeded, WATCHED } from './support.mjs';

const DAYS = 12_500;
const GOAL_MEGABYTES = 250;
const CODES = 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD'.split(' ');
const PAIRS = CODES.flatMap((base) => CODES.filter((quote) => quote !== base).map((quote) => [base, quote])).slice(
  0,
  400,
);

/** The lines that both sides read. */
function writeTable(path) {
  const random = seeded(15);
  const file = openSync(path, 'w');
  writeSync(file, 'base,quote,date,value\n');
  for (let day = 0; day < DAYS; day += 1) {
    const date = new Date(Date.UTC(1990, 0, 1 + day)).toISOString().slice(0, 10);
    const lines = PAIRS.map(([base, quote]) => `${base},${quote},${date},${(0.5 + random()).toFixed(5)}\n`);
    writeSync(file, lines.join(''));
  }
  closeSync(file);
}

/** Reads lines in the simplest way there is, and inserts them in one transaction. */
const BARE = `
  import { createReadStream } from 'node:fs';
  import Database from 'better-sqlite3';
  const [table, path] = process.argv.slice(-2);
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.exec('create table rates (base text, quote text, date text, val real, text text, primary key (base, quote, date)) without rowid');
  const insert = db.prepare('insert into rates values (?, ?, ?, ?, ?)');
  db.exec('begin');
  let rest = '', isHeader = true;
  for await (const part of createReadStream(table, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + part).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      if (isHeader) { isHeader = false; continue; }
      const [base, quote, date, value] = line.split(',');
      insert.run(base, quote, date, Number(value), '{"date":"' + date + '","val":' + value + '}');
    }
  }
  db.exec('commit');
  db.close();`;

function timed(args, home) {
  const start = performance.now();
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'];
  const options = { env: environment(home), cwd: benchFolder, stdio };
  const child = spawnSync(process.execPath, [...WATCHED, ...args], options);
  if (child.status !== 0) throw new Error(String(child.stderr));
  return { ms: performance.now() - start, megabytes: Number(child.output[3]) / 1024 };
}

export default {
  name: `import of five million rows of a described table, vs a bare insert (memory under ${GOAL_MEGABYTES} MB)`,
  goal: 4,
  run: () =>
    withHome(async (home) => {
      const table = join(home, 'table.csv');
      writeTable(table);
      const described = ['--as', 'fx {base} {quote}', '--date', 'date', '--value', 'value'];
      let files = 0;
      let most = 0;
      const fresh = () => join(home, `${files++}.db`);
      const compared = await inTurn({
        ours: () => {
          const { ms, megabytes } = timed([program, 'import', 'csv', table, ...described, '--mirror', fresh()], home);
          most = Math.max(most, megabytes);
          return ms;
        },
        theirs: () => timed(['--input-type=module', '-e', BARE, '--', table, fresh()], home).ms,
        rounds: 3,
        warmUps: 0,
      });
      if (most > GOAL_MEGABYTES) throw new Error(`it held ${most.toFixed(0)} MB`);
      const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
      const detail = `${seconds(compared.ours)} against ${seconds(compared.theirs)}, ${most.toFixed(0)} MB`;
      return { ...compared, detail };
    }),
};
