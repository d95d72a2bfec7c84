// What `npm test` takes a part of: every question of the end-to-end proof of test/e2e/interface.test.ts, every form of an answer,
// and the properties with many more draws, which no run had before.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const tests = join(root, 'test');
const drawn = readdirSync(tests, { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => readFileSync(join(tests, name), 'utf8').includes('/support/properties.ts'));
const { status } = spawnSync(process.execPath, [vitest, 'run', ...drawn.map((name) => join('test', name))], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, MACRO_PROVE: 'all' },
});
process.exitCode = status ?? 1;
