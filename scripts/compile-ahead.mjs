// Has the functions that every question runs compiled together with their file. Node keeps on disk what was compiled while a
// file was loaded, and nothing that was compiled later: those functions would be compiled anew at each start.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledEarly } from './compile-early.mjs';
import { environmentOf, QUESTIONS, ratesWithoutMeaning } from './typical-questions.mjs';

const FEWEST_LINES = 15;

/** Rewrites the bundle in `folder`, with the same meaning. */
export function compileAhead(folder) {
  const home = mkdtempSync(join(tmpdir(), 'macro-build-'));
  try {
    for (const [file, ran] of functionsThatRan(folder, home)) {
      const path = join(folder, file);
      writeFileSync(path, compiledEarly(readFileSync(path, 'utf8'), ran));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Files of the bundle, and from where to where in them the functions stand that the questions ran. */
function functionsThatRan(folder, home) {
  const rates = join(home, 'rates.csv');
  writeFileSync(rates, ratesWithoutMeaning());
  run({ folder, home }, ['import', 'ecb', rates]);
  const watched = join(home, 'watched');
  mkdirSync(watched);
  for (const words of QUESTIONS) {
    const answer = run({ folder, home }, words, { NODE_V8_COVERAGE: watched });
    // Without rows it would not run what every row goes through.
    if (answer.split('\n').length < FEWEST_LINES) throw new Error(`macro ${words.join(' ')} has no rows: ${answer}`);
  }
  const ran = new Map();
  for (const told of readdirSync(watched)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(watched, told), 'utf8')).result) {
      if (!url.startsWith(pathToFileURL(folder).href)) continue;
      const places = functions.map(({ ranges: [whole] }) => whole).filter(({ count }) => count > 0);
      const before = ran.get(basename(url)) ?? [];
      ran.set(basename(url), [...before, ...places.map(({ startOffset, endOffset }) => [startOffset, endOffset])]);
    }
  }
  return ran;
}

function run({ folder, home }, words, more = {}) {
  const program = `const { main, nodePlatform } = await import(${JSON.stringify(pathToFileURL(join(folder, 'main.js')).href)});
    process.exit(await main(${JSON.stringify(words)}, nodePlatform()));`;
  const env = { ...environmentOf(home, join(home, 'rates.db')), ...more };
  const given = ['--input-type=module', '-e', program];
  const child = spawnSync(process.execPath, given, { env, cwd: home, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`macro ${words.join(' ')} failed: ${child.stderr}`);
  return child.stdout;
}
