// The whole end-to-end proof of test/e2e/interface.test.ts: every question, where `npm test` takes a part of them.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/e2e/interface.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, MACRO_PROVE: 'all' },
});
process.exitCode = status ?? 1;
