// Measured comparisons, never part of the tests: `npm run bench`, or `npm run bench -- technicals` for some of them. With
// `--autocannon` the rows about `serve` are asked by a load generator that is not ours.
//
// Every file bench/<name>.bench.mjs is one row of the table. It exports, as its default:
//
//   {
//     name: string,        what is compared, in the words of the goal
//     goal: number,        the ratio that must not be exceeded: ours / theirs, so less than 1 is faster
//     run(): Promise<{ ratio: number, spread?: [number, number], detail: string }>
//   }
//
// The spread has the middle half of the ratios of single turns between its ends.
//
// A row sets up its own inputs, runs both sides in turn (support.mjs has `alternate` and `inTurn` for that) and never touches the
// network beyond loopback. TypeScript is bundled on the fly with `loadSource`. A row that cannot run here throws; the
// table says why, and the command fails, as it does when a goal is missed.
import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { benchFolder } from './support.mjs';

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const files = readdirSync(benchFolder)
  .filter((file) => file.endsWith('.bench.mjs'))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .sort();

const rows = [];
for (const file of files) {
  const { default: bench } = await import(pathToFileURL(`${benchFolder}/${file}`).href);
  const row = await measure(bench);
  rows.push(row);
  // Rows take minutes: what is measured is told at once, apart from the table.
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${file}: ${row.cells[1]} of ${row.cells[3]}\n`);
}
process.stdout.write(table([['name', 'measured', 'middle half', 'goal', 'ok'], ...rows.map(({ cells }) => cells)]));
for (const { note } of rows) process.stdout.write(`  ${note}\n`);
if (rows.length === 0) process.stderr.write(`No bench matches ${wanted.join(' ')}.\n`);
process.exitCode = rows.length > 0 && rows.every(({ ok }) => ok) ? 0 : 1;

async function measure({ name, goal, run }) {
  try {
    const { ratio, spread, detail } = await run();
    const ok = ratio <= goal;
    const middle = spread ? spread.map((end) => end.toFixed(2)).join(' to ') : '-';
    return {
      ok,
      cells: [name, `${ratio.toFixed(2)}x`, middle, `<= ${goal}x`, ok ? 'yes' : 'NO'],
      note: `${name}: ${detail}`,
    };
  } catch (error) {
    return { ok: false, cells: [name, '-', '-', `<= ${goal}x`, 'NO'], note: `${name}: did not run: ${error.message}` };
  }
}

function table(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, i) => cell.padEnd(widths[i]))
          .join(' | ')
          .trimEnd()}\n`,
    )
    .join('');
}
