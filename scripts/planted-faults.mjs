// Plants each of these faults in a copy of the sources, and expects the tests that are named with it to fail: npm run planted.
// `npm run planted -- cursor lake` plants those whose name has one of the words.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FAULTS, placeOf } from './faults-to-plant.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const words = process.argv.slice(2);
const chosen = FAULTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'macro-planted-'));
let isGood = chosen.length > 0;
try {
  for (const name of ['src', 'test', 'scripts', 'bin', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const before = failedOf(all);
  say(before.length === 0, ['without a fault the tests are green', ...before].join('\n'));
  for (const fault of chosen) {
    let path;
    try {
      path = placeOf(fault, folder);
    } catch (error) {
      say(false, error.message);
      continue;
    }
    const good = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      good.replace(fault.from, () => fault.to),
    );
    // One test that notices is enough.
    const [noticed] = failedOf(fault.tests, ['--bail', '1']);
    writeFileSync(path, good);
    say(noticed !== undefined, `${fault.name}: ${noticed ?? 'no test fails'}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isGood ? 0 : 1;

/** The tests that fail in the copy; a run that reports nothing is no answer. */
function failedOf(tests, options = []) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const report = join(folder, 'report.json');
  const given = ['--project', 'all', '--reporter', 'json', '--outputFile', report, ...options];
  rmSync(report, { force: true });
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', ...given, ...tests], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const { numTotalTests, testResults } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  if (!numTotalTests) throw new Error(`The tests did not run:\n${stdout}${stderr}`);
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName);
    return status === 'failed' && failed.length === 0 ? [name] : failed;
  });
}

function say(ok, text) {
  isGood &&= ok;
  process.stdout.write(`${ok ? 'ok     ' : 'PROBLEM'} ${text}\n`);
}
