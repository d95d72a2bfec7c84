// How cost grows with what is held: npm run growth, or npm run growth -- rows for one of them. Prints tables for RESULTS.md and
// draws a picture of each beside them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byRows } from './growth/by-rows.mjs';
import { bySeries } from './growth/by-series.mjs';
import { bySubscribers } from './growth/by-subscribers.mjs';
import { picture } from './picture.mjs';
import { benchFolder } from './support.mjs';

/** Each tells its title, what it counts and the names of its figures, and measures those figures for one size. */
const DIMENSIONS = { rows: byRows, series: bySeries, subscribers: bySubscribers };

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(DIMENSIONS)) {
  const dimension = DIMENSIONS[name];
  if (dimension === undefined) throw new Error(`'${name}' is none of ${Object.keys(DIMENSIONS).join(', ')}`);
  const measured = [];
  for (const size of dimension.sizes) {
    const figures = await dimension.measure(size);
    measured.push({ size, figures });
    process.stderr.write(`${size} ${dimension.counts}: ${figures.map(shown).join(', ')}\n`);
  }
  process.stdout.write(tableOf(dimension, measured));
  writeFileSync(join(benchFolder, 'growth', `${name}.svg`), pictureOf(dimension, measured));
}

function tableOf({ title, counts, figures }, measured) {
  const lines = [
    [counts, ...figures],
    ['---', ...figures.map(() => '---')],
  ];
  for (const { size, figures: values } of measured) lines.push([size.toLocaleString('en'), ...values.map(shown)]);
  return `\n${title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`;
}

/** Sizes stand at equal steps, as they are: each is about ten times the one before. */
function pictureOf({ title, counts, figures }, measured) {
  const at = (i) => i / (measured.length - 1);
  return picture(title, {
    panels: figures.map((name, column) => ({
      title: `${name}: ${measured.map(({ figures: values }) => shown(values[column])).join(', ')}`,
      points: measured.map(({ figures: values }, i) => ({ x: at(i), y: values[column] })),
    })),
    ticks: measured.map(({ size }, i) => ({ x: at(i), text: `${size.toLocaleString('en')} ${counts}` })),
  });
}

function shown(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
