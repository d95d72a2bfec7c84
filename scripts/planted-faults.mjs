// Plants each of these faults in a copy of the sources, and expects the tests that are named with it to fail: npm run planted.
// `npm run planted -- cursor` plants those whose name has the word.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS } from './faults-to-plant.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const word = process.argv[2] ?? '';
const chosen = FAULTS.filter(({ name }) => name.includes(word));
const folder = mkdtempSync(join(tmpdir(), 'macro-planted-'));
let isGood = chosen.length > 0;
try {
  for (const name of ['src', 'test', 'scripts', 'bin', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
  say(failedOf(all) === 0, 'without a fault the tests are green');
  for (const fault of chosen) {
    const path = join(folder, fault.file);
    const good = readFileSync(path, 'utf8');
    if (good.split(fault.from).length !== 2) {
      say(false, `${fault.name}: ${fault.file} has its place no more; plant it anew in scripts/faults-to-plant.mjs`);
      continue;
    }
    writeFileSync(
      path,
      good.replace(fault.from, () => fault.to),
    );
    const failed = failedOf(fault.tests);
    writeFileSync(path, good);
    say(failed > 0, `${fault.name}: ${failed} tests fail`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isGood ? 0 : 1;

/** How many tests fail in the copy; a run that tells no count is no answer. */
function failedOf(tests) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const words = [vitest, 'run', '--project', 'all', ...tests];
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 });
  const counts = /^(\d+) passed, (\d+) failed/m.exec(stdout);
  if (!counts || Number(counts[1]) + Number(counts[2]) === 0) throw new Error(`The tests did not run:\n${stdout}`);
  return Number(counts[2]);
}

function say(ok, text) {
  isGood &&= ok;
  process.stdout.write(`${ok ? 'ok     ' : 'PROBLEM'} ${text}\n`);
}
