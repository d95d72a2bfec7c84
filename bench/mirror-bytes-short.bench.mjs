// Bytes of the whole file for each byte of the texts of its rows, for the shortest rows that there are: daily euro rates.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { withRates } from './start-support.mjs';

export default {
  name: 'mirror: bytes of the file for each byte of row text, imported rates',
  goal: 2,
  run: () =>
    withRates(async (home) => {
      const file = join(home, 'mirrors', 'default.db');
      const db = new Database(file, { readonly: true });
      const { rows, texts } = db.prepare('select count(*) rows, sum(length(row)) texts from v_fx').get();
      db.close();
      const { size } = statSync(file);
      const detail = `${(size / rows).toFixed(0)} bytes a row with ${(texts / rows).toFixed(0)} bytes of text`;
      return { ratio: size / texts, detail };
    }),
};
