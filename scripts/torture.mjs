// Faults of every kind for as long as there is time: npm run torture -- --minutes 20 --seed 7. The tests of test/torture do it;
// `npm test` runs a sample of them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

/** Kinds of fault on both engines, and test files that run at once. */
const KINDS = 20;
const WORKERS = 2;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
    only: { type: 'string' },
    round: { type: 'string' },
  },
});
const { minutes, seed, only, round } = values;
for (const [name, value] of Object.entries({ minutes, seed, round }))
  if (value !== undefined && !/^\d+(\.\d+)?$/.test(value)) {
    process.stderr.write(`--${name} is a number, not ${value}.\n`);
    process.exit(2);
  }

const folder = mkdtempSync(join(tmpdir(), 'macro-torture-counts-'));
const ledger = join(folder, 'counts.ndjson');
writeFileSync(ledger, '');
const share = (Number(minutes) * 60 * WORKERS) / KINDS;
const begun = Date.now();
try {
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'all', 'test/torture'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      MACRO_TORTURE_SECONDS: String(only === undefined ? share : Number(minutes) * 60),
      MACRO_TORTURE_SEED: seed,
      MACRO_TORTURE_COUNTS: ledger,
      ...(only !== undefined && { MACRO_TORTURE_ONLY: only }),
      ...(round !== undefined && { MACRO_TORTURE_ROUND: round }),
    },
  });
  process.stdout.write(`\n${listing()}\n`);
  const took = ((Date.now() - begun) / 60_000).toFixed(1);
  const end = status === 0 ? 'no violation' : 'VIOLATIONS, each with the line that repeats it above';
  process.stdout.write(`seed ${seed}, ${took} minutes: ${end}\n`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** One line a kind: its counts. */
function listing() {
  const lines = readFileSync(ledger, 'utf8').trim().split('\n').filter(Boolean);
  const kinds = lines.map((line) => JSON.parse(line)).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  const width = Math.max(0, ...kinds.map(({ kind }) => kind.length));
  return kinds.map(({ kind, counts }) => `${kind.padEnd(width)}  ${told(counts)}`).join('\n');
}

function told(counts) {
  return Object.entries(counts)
    .map(([what, many]) => `${many} ${what}`)
    .join(', ');
}
