// Changes the sources one place at a time and expects a test to fail: npm run mutate -- signatures paging. Without a name, every area
// of areas.mjs, which takes hours. Prints what no test noticed, then a table. survivors.md gives the reasons of those that may stay.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AREAS } from './areas.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const stryker = join(folder, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in AREAS));
if (unknown.length > 0) {
  process.stderr.write(`There is no area ${unknown.join(', ')}. Areas: ${Object.keys(AREAS).join(', ')}.\n`);
  process.exit(2);
}
if (!existsSync(stryker))
  execFileSync('npm', ['ci', '--ignore-scripts', '--silent'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

const lines = [];
for (const name of asked.length > 0 ? asked : Object.keys(AREAS)) {
  const { status } = spawnSync(process.execPath, [stryker, 'run', 'bench/mutation/stryker.config.mjs'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, MACRO_MUTATION_AREA: name },
  });
  if (status !== 0) {
    process.stderr.write(`Stryker ended with ${status} in ${name}.\n`);
    process.exit(1);
  }
  lines.push(lineOf(name));
}
process.stdout.write(`\n| area | mutants | killed | timed out | survived | score |\n|---|---|---|---|---|---|\n`);
process.stdout.write(`${lines.join('\n')}\n`);

/** Prints what survived in an area; its line of the table. What no test reaches counts as survived, what does not load not at all. */
function lineOf(name) {
  const { files } = JSON.parse(readFileSync(join(folder, 'reports', `${name}.json`), 'utf8'));
  const count = { Killed: 0, Timeout: 0, Survived: 0, NoCoverage: 0 };
  for (const [path, { source, mutants }] of Object.entries(files))
    for (const { status, location, replacement } of mutants) {
      if (!(status in count)) continue;
      count[status] += 1;
      if (status === 'Survived' || status === 'NoCoverage')
        process.stdout.write(`${path}:${location.start.line}: ${textAt(source, location)} -> ${shown(replacement)}\n`);
    }
  const noticed = count.Killed + count.Timeout;
  const missed = count.Survived + count.NoCoverage;
  const score = ((100 * noticed) / (noticed + missed)).toFixed(1);
  return `| ${[name, noticed + missed, count.Killed, count.Timeout, missed, `${score} %`].join(' | ')} |`;
}

/** The text between two places, which count lines and columns from 1. */
function textAt(source, { start, end }) {
  const picked = source.split('\n').slice(start.line - 1, end.line);
  picked[picked.length - 1] = picked.at(-1).slice(0, end.column - 1);
  return shown(picked.join('\n').slice(start.column - 1));
}

function shown(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}
