// Plants each of these faults in a copy of the sources, and expects the tests that are named with it to fail: npm run planted.
// `npm run planted -- cursor` plants those whose name has the word.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What is planted where, and who must notice. */
const FAULTS = [
  {
    name: 'a cursor that moves before its event is done',
    file: 'src/events/consume/consume.ts',
    from: `    const isDone = await attempt(parts, options, event);
    await retrying(clock, () => journal.moveConsumer(name, event.position, clock.now()));`,
    to: `    await retrying(clock, () => journal.moveConsumer(name, event.position, clock.now()));
    const isDone = await attempt(parts, options, event);`,
    tests: ['test/consume', 'test/cli/consuming.test.ts'],
  },
  {
    name: 'a revision that is overwritten',
    file: 'src/mirror/sqlite/rows/row-changes.ts',
    from: '      keep.run(revision, ended, markOf(digest), series, ...of);\n',
    to: '',
    tests: ['test/mirror/conformance.test.ts', 'test/mirror/crash.test.ts'],
  },
  {
    name: 'a signature over JSON that was written anew',
    file: 'src/webhooks/receive/verify.ts',
    from: '    const digest = signatureDigest({ timestamp, eventId, body }, secret);',
    to: `    const again = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString())));
    const digest = signatureDigest({ timestamp, eventId, body: again }, secret);`,
    tests: ['test/webhooks/verify.test.ts', 'test/torture/deliveries.test.ts'],
  },
  {
    name: 'a warm-up that is computed over a hole',
    file: 'src/derive/fx/pairs/indicators.ts',
    from: '      if (reaching(last - first - i) >= BARS_NEEDED[field]) continue;',
    to: '      if (reaching(last - first - i) >= 0) continue;',
    tests: ['test/derive/forex', 'test/laws/part-held.test.ts'],
  },
  {
    name: 'a cache that outlives a commit',
    file: 'src/source/memory/mirror-memory.ts',
    from: '    if (number === undefined || current.number !== number) current = freshState(number);',
    to: '    if (number === undefined || current.number === undefined) current = freshState(number);',
    tests: ['test/source/memory.test.ts', 'test/source/kept.test.ts', 'test/laws/memory.test.ts'],
  },
];

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
      say(false, `${fault.name}: ${fault.file} has its place no more; plant it anew in scripts/planted-faults.mjs`);
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
