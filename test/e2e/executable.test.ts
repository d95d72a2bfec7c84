import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ensureBuilt, runBuilt } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { startServing } from '../support/serving.ts';

const root = join(import.meta.dirname, '../..');
// Nothing of the checkout is beside it.
const folder = freshFolder();
/** A home for lines that only read. */
let home = '';
const executable = join(folder, process.platform === 'win32' ? 'macro.exe' : 'macro');

beforeAll(async () => {
  await ensureBuilt();
  execFileSync(process.execPath, [join(root, 'scripts', 'executable.mjs'), folder], { stdio: 'ignore' });
  home = homeWithRates();
}, 180_000);

/** Runs it as somebody who has no Node: in a folder of its own, with nothing in the environment but a home. */
function run(words: readonly string[], home: string, input = ''): SpawnSyncReturns<string> {
  return spawnSync(executable, words, { cwd: home, env: { MACRO_HOME: home }, input, encoding: 'utf8' });
}

/** A home with a mirror of two days of rates. */
function homeWithRates(): string {
  const home = freshFolder();
  const file = 'Date,USD,JPY,\n2026-11-20,1.1502,178.20,\n2026-11-19,1.1490,N/A,\n';
  expect(run(['import', 'ecb', '-', '--quiet'], home, file)).toMatchObject({ status: 0, stderr: '' });
  return home;
}

test('it is the program, and not the Node that it is made of', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(run(['--version'], freshFolder())).toMatchObject({ status: 0, stdout: `macro ${version}\n`, stderr: '' });
});

test.each([
  'fx eur usd --offline --indicators all --format json',
  'sql select~date,~val_text~from~v_fx~order~by~1,~2',
  'mirror verify --format json',
  'fx eur nothing --offline',
  'schedule status',
  'manual quota',
  'completion bash',
  '--help',
])('it answers %s as the program does', (line) => {
  const words = line.split(' ').map((word) => word.replaceAll('~', ' '));
  const { status, stdout, stderr } = runBuilt(words, { MACRO_HOME: home });
  expect(run(words, home)).toMatchObject({ status, stdout, stderr });
});

test('a driver that somebody changed is not loaded but written anew, for nobody else to change', () => {
  const home = homeWithRates();
  const driver = join(home, 'cache', 'driver.node');
  const whole = readFileSync(driver);
  writeFileSync(`${driver}.other`, Buffer.alloc(whole.length));
  execFileSync('mv', ['-f', `${driver}.other`, driver]);
  expect(run(['sql', 'select count(*) as rows from v_fx', '--format', 'csv'], home).stdout).toBe('rows\n3\n');
  expect(readFileSync(driver).equals(whole)).toBe(true);
  expect(statSync(driver).mode & 0o777).toBe(0o500);
});

test('it serves', async () => {
  const server = await startServing(['--open'], { MACRO_HOME: homeWithRates() }, [executable]);
  onTestFinished(() => server.stop());
  const answer = await fetch(`${server.origin}/v1/forex/EUR/USD?start_date=2026-11-01`);
  const body = (await answer.json()) as { data: readonly { date: string; val: number }[] };
  expect(body.data.map(({ date, val }) => [date, val])).toEqual([
    ['2026-11-20', 1.1502],
    ['2026-11-19', 1.149],
  ]);
});
