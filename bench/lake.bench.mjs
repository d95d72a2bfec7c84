// The lake of five million announcements beside `macro mirror export` of the same rows; MACRO_BENCH_ROWS takes fewer.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { fillAnnouncements, scopesOf, wordsOf } from './many-series.mjs';
import { environment, megabytesOf, program, withHome } from './start-support.mjs';

const ROWS = Number(process.env.MACRO_BENCH_ROWS ?? 5_000_000);
const ROWS_OF_SERIES = 720;
const SERVICE = 'https://bench.invalid';

export default {
  name: 'macro lake export, against macro mirror export of the same rows',
  goal: 2,
  run: () =>
    withHome(async (home) => {
      const scopes = scopesOf(Math.ceil(ROWS / ROWS_OF_SERIES));
      await fillAnnouncements(home, scopes, { origin: SERVICE, rows: ROWS_OF_SERIES, areVaried: true });
      const lake = join(home, 'lake');
      const file = join(home, 'rows.parquet');
      const own = measured(['lake', 'export', lake, '--quiet'], home);
      const other = measured(['mirror', 'export', 'announcements', '-o', file, '--quiet'], home);
      const { files } = JSON.parse(readFileSync(join(lake, 'manifest.json'), 'utf8'));
      const sum = (name) => files.reduce((all, one) => all + one[name], 0);
      const size = [sum('bytes') / sum('rows'), statSync(file).size / sum('rows')].map((one) => one.toFixed(1));
      const [duck, macro] = [await askDuck(lake, scopes[0]), askMacro(home, scopes[0])].map(
        (one) => `${one.toFixed(2)} s`,
      );
      return {
        ratio: own.seconds / other.seconds,
        detail: `${sum('rows')} rows: ${shown(own)}, ${size[0]} bytes a row; mirror export ${shown(other)}, ${size[1]} bytes a row; one series as of a moment: DuckDB ${duck}, macro ${macro}`,
      };
    }),
};

function measured(words, home) {
  const start = performance.now();
  const megabytes = megabytesOf(words, home);
  return { seconds: (performance.now() - start) / 1000, megabytes };
}

const shown = ({ seconds, megabytes }) => `${seconds.toFixed(1)} s and ${megabytes.toFixed(0)} MB`;

async function askDuck(lake, { currency, indicator }) {
  const views = readFileSync(join(lake, 'views.sql'), 'utf8').replaceAll(/'([^'\n]+\.parquet)'/g, `'${lake}/$1'`);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(views);
  const start = performance.now();
  await connection.runAndReadAll(
    `select date, val from v_announcements_known where currency = '${currency}' and indicator = '${indicator}' and known_from <= '2020-06-30'
      and (known_to is null or known_to > '2020-06-30') and not is_withdrawn`,
  );
  return (performance.now() - start) / 1000;
}

function askMacro(home, scope) {
  const start = performance.now();
  const words = [
    program,
    ...wordsOf(scope).split(' '),
    '--as-of',
    '2020-06-30T00:00:00Z',
    '--all',
    '--offline',
    '--allow-partial',
    '--quiet',
    '--base-url',
    SERVICE,
  ];
  const { status, stderr } = spawnSync(process.execPath, words, { env: environment(home) });
  if (status !== 0) throw new Error(`macro ended with ${status}: ${stderr}`);
  return (performance.now() - start) / 1000;
}
