// What the rows about `import ecb` share.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { benchFolder } from './support.mjs';

const project = join(benchFolder, '..');

/** One import of a file of rates into a new mirror, as text of a module, so that a process can do that and nothing else. */
const IMPORT = `
  import { readFileSync } from 'node:fs';
  import { ecb } from './src/imports/formats/ecb.ts';
  import { runImport } from './src/imports/import.ts';
  import { openFile } from './src/imports/read/open-file.ts';
  import { surveyFile } from './src/imports/survey.ts';
  import { openMirror } from './src/mirror/sqlite/open.ts';
  import { MAPPINGS } from './src/endpoints/index.ts';
  import { nodePlatform } from './src/platform/node.ts';
  const opened = (file) => openFile({ name: 'rates.csv', pieces: () => [readFileSync(file)] });
  export const linesOf = (file) => ecb.read(opened(file));
  export async function importInto(path, file) {
    const mirror = await openMirror({ path, mappings: MAPPINGS, platform: nodePlatform(), mode: 'write' });
    try {
      const now = Date.now();
      await runImport({ surveys: [surveyFile(ecb, opened(file), now)], mirror, now });
    } finally {
      await mirror.close();
    }
  }`;

/** Calls `work` with the address of the bundle and a maker of fresh paths; what it leaves behind is removed. */
export async function withImport(work) {
  // Inside the project, because the native part of better-sqlite3 is found from there only.
  const folder = mkdtempSync(join(project, 'node_modules', '.macro-bench-'));
  try {
    const outfile = join(folder, 'import.mjs');
    await build({
      stdin: { contents: IMPORT, resolveDir: project, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node22',
      format: 'esm',
      minifySyntax: true,
      external: ['better-sqlite3', 'undici', 'csv-parse', 'saxes'],
      logLevel: 'silent',
    });
    let files = 0;
    return await work(pathToFileURL(outfile).href, () => join(folder, `${files++}.db`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
