// The newest five rows of a pair through the view, against the same rows straight from the table, in a mirror of 40 pairs.
// Each question opens the file anew, as another program does.
import Database from 'better-sqlite3';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { commitOf, platform, ratesOf, withFiles } from './mirror-support.mjs';
import { alternate } from './support.mjs';

const PAIRS = 40;
const DAYS = 5_500;
const REPEATS = 100;

const VIEW = "select date, val from v_fx where base = 'EUR' and quote = 'Q20' order by date desc limit 5";
const TABLE = `select date, val from fx_daily
  where series = (select id from series where endpoint = 'forex' and scope = '{"base":"EUR","quote":"Q20"}')
  order by date desc limit 5`;

async function fill(path) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  for (let pair = 0; pair < PAIRS; pair += 1) await mirror.commitPage(commitOf(`Q${pair}`, ratesOf(DAYS)));
  mirror.close();
}

/** Asks in a connection of its own. */
function ask(path, sql) {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare(sql).all();
  db.close();
  return rows;
}

/** Milliseconds of one question in a connection that is open. */
async function askOpen(path, sql) {
  const db = new Database(path, { readonly: true });
  const question = db.prepare(sql);
  question.all();
  const start = performance.now();
  for (let i = 0; i < REPEATS; i += 1) question.all();
  const took = (performance.now() - start) / REPEATS;
  db.close();
  return took;
}

export default {
  name: 'views: newest 5 rows of a pair out of 220,000, vs straight from the table',
  goal: 1.5,
  run: () =>
    withFiles(async (path) => {
      const file = path();
      await fill(file);
      const [shown, stored] = [VIEW, TABLE].map((sql) => JSON.stringify(ask(file, sql)));
      if (shown !== stored) throw new Error(`${shown} is not ${stored}`);
      const compared = await alternate({
        ours: () => ask(file, VIEW),
        theirs: () => ask(file, TABLE),
      });
      const [open, direct] = [await askOpen(file, VIEW), await askOpen(file, TABLE)];
      const alone = `without opening ${open.toFixed(3)} ms against ${direct.toFixed(3)} ms`;
      return {
        ...compared,
        detail: `${compared.ours.toFixed(2)} ms against ${compared.theirs.toFixed(2)} ms, opening included; ${alone}`,
      };
    }),
};
