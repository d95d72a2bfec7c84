// What the rows about bulk answers share: a mirror with 100,000 days of one pair, which the program writes into a file.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, megabytesOf, program, withHome } from './start-support.mjs';
import { seeded } from './support.mjs';

const ROWS = 100_000;
const FIRST_DAY = Date.UTC(1750, 0, 1);
const ROUNDS = 7;

/**
 * Seconds and megabytes of `macro fx eur usd --all -o FILE`, each against its goal: the worse of both is the ratio. Seconds are
 * the median of several processes, memory is that of the worst one.
 */
export function measureBulk({ ending, words = [], goalSeconds, goalMegabytes }) {
  return withHome((home) => {
    fillMirror(home);
    const file = join(home, `rows.${ending}`);
    const asked = ['fx', 'eur', 'usd', '--all', '--start', '1750-01-01', '--offline', '--allow-partial', '--quiet'];
    const told = Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      const megabytes = megabytesOf([...asked, ...words, '-o', file], home);
      return { seconds: (performance.now() - start) / 1000, megabytes };
    });
    const seconds = told.map((one) => one.seconds).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    const megabytes = Math.max(...told.map((one) => one.megabytes));
    return {
      ratio: Math.max(seconds / goalSeconds, megabytes / goalMegabytes),
      detail: `${seconds.toFixed(2)} s and ${megabytes.toFixed(0)} MB, the goals being ${goalSeconds} s and ${goalMegabytes} MB`,
    };
  });
}

function fillMirror(home) {
  const random = seeded(15);
  const lines = Array.from({ length: ROWS }, (_, day) => {
    const date = new Date(FIRST_DAY + day * 86_400_000).toISOString().slice(0, 10);
    return `EUR,USD,${date},${(0.5 + random()).toFixed(5)}\n`;
  });
  const table = join(home, 'table.csv');
  writeFileSync(table, `base,quote,date,value\n${lines.join('')}`);
  const described = ['--as', 'fx {base} {quote}', '--date', 'date', '--value', 'value'];
  const args = [program, 'import', 'csv', table, ...described];
  const child = spawnSync(process.execPath, args, { env: environment(home) });
  if (child.status !== 0) throw new Error(`the import failed: ${child.stderr}`);
}
