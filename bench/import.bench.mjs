// `import ecb` of the official history (about 220,000 rates) into a fresh mirror, file bytes to committed rows with
// revisions, envelope and proof, against a bare prepared insert of the same rows, already parsed, in one transaction.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { build } from 'esbuild';
import { alternate, benchFolder } from './support.mjs';

const project = join(benchFolder, '..');
const FILE = join(project, '../shared/data/ecb-reference-rates.csv');
const MAX_MEGABYTES = 250;

// Bundled as releases are, for what a process holds counts here; inside the project, where the native part is found.
async function bundleSources(folder) {
  const outfile = join(folder, 'import.mjs');
  await build({
    stdin: {
      contents: `
        export { ecb } from './src/imports/ecb.ts';
        export { runImport } from './src/imports/import.ts';
        export { openMirror } from './src/mirror/open.ts';
        export { MAPPINGS } from './src/endpoints/index.ts';
        export { nodePlatform } from './src/platform/node.ts';`,
      resolveDir: project,
    },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    minifySyntax: true,
    external: ['better-sqlite3', 'undici'],
    logLevel: 'silent',
  });
  return pathToFileURL(outfile).href;
}

/** Brings the file into a new mirror at `path` and answers how many rows it gave. */
export async function importInto(path, { ecb, runImport, openMirror, MAPPINGS, nodePlatform }) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: nodePlatform(), mode: 'write' });
  try {
    const bytes = readFileSync(FILE);
    const { rows } = await runImport({ importer: ecb, bytes, mirror, now: Date.now(), request: 'bench' });
    return rows;
  } finally {
    mirror.close();
  }
}

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

function parsedRows({ ecb }) {
  const rows = [];
  for (const { scope, rows: given } of ecb.read(readFileSync(FILE)))
    for (const { value, text } of given) rows.push([scope.quote, value.date, value.val, text]);
  return rows;
}

/** Most memory that a process held which did nothing but one import. */
function megabytesOfOneImport(path, bundle) {
  const code = `
    const { importInto } = await import(${JSON.stringify(import.meta.url)});
    await importInto(${JSON.stringify(path)}, await import(${JSON.stringify(bundle)}));
    process.stdout.write(String(process.resourceUsage().maxRSS / 1024));`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`the import failed: ${child.stderr}`);
  return Number(child.stdout);
}

export default {
  name: 'import of the official euro rates, vs a bare insert of the same rows',
  // At least 0.3 times the rows a second of the bare insert.
  goal: 3.3,
  async run() {
    if (!existsSync(FILE)) throw new Error('the official file is not here');
    const folder = mkdtempSync(join(project, 'node_modules', '.macro-bench-'));
    try {
      const bundle = await bundleSources(folder);
      const sources = await import(bundle);
      const rows = parsedRows(sources);
      let files = 0;
      const fresh = () => join(folder, `${files++}.db`);
      const { ratio, oursMs, theirsMs } = await alternate({
        ours: () => importInto(fresh(), sources),
        theirs: () => insertBare(fresh(), rows),
        rounds: 5,
        warmUps: 1,
      });
      const megabytes = megabytesOfOneImport(fresh(), bundle);
      if (megabytes > MAX_MEGABYTES) throw new Error(`it held ${megabytes.toFixed(0)} MB, above ${MAX_MEGABYTES} MB`);
      const speed = (ms) => `${(rows.length / ms).toFixed(0)} k rows/s`;
      return { ratio, detail: `${speed(oursMs)} against ${speed(theirsMs)}, ${megabytes.toFixed(0)} MB at most` };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
