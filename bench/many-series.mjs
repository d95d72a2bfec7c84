// Mirrors of very many announcement series, whole and followed.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INDICATORS, MAIN_CURRENCIES } from '../src/contract/words/words.ts';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { seeded } from './support.mjs';

/** Whoever holds this key may see the rows. */
export const KEY = 'k-bench';
const access = `key:${createHash('sha256').update(KEY).digest('hex').slice(0, 12)}`;

const FREQUENCIES = [undefined, 'qoq', 'level', 'yoy', 'mom'];

/** Every indicator of every currency, and again in each frequency, up to the number; then under names that are none. */
export function scopesOf(count) {
  const scopes = [];
  for (let turn = 0; scopes.length < count; turn += 1)
    for (const indicator of INDICATORS)
      for (const currency of MAIN_CURRENCIES) {
        const frequency = turn < FREQUENCIES.length ? FREQUENCIES[turn] : `none${turn}`;
        if (scopes.length < count) scopes.push({ currency, indicator, ...(frequency && { frequency }) });
      }
  return scopes;
}

/** A series can be followed by its name only. */
const hasName = ({ frequency }) => FREQUENCIES.includes(frequency);

/** The words that a series is followed by. */
export const wordsOf = ({ currency, indicator, frequency }) =>
  `announcements ${currency} ${indicator}${frequency ? ` frequency=${frequency}` : ''}`.toLowerCase();

/**
 * Fills the mirror of a home: it held so many monthly rows of every series `ageMs` ago, which this resolves to. `alsoOf` gives one
 * more commit, of what all of them share. `areVaried`: each series walks at random on a scale of its own, released at its own hour.
 */
export async function fillAnnouncements(home, scopes, { origin, rows, ageMs = 60_000, alsoOf, areVaried = false }) {
  const at = Date.now() - ageMs;
  mkdirSync(join(home, 'mirrors'), { recursive: true });
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ tracks: scopes.filter(hasName).map(wordsOf), profiles: {} }),
  );
  const random = { number: seeded(1), bytes: (count) => new Uint8Array(count) };
  const platform = { clock: { now: () => at, sleep: async () => {} }, random };
  const path = join(home, 'mirrors', 'default.db');
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const common = { nature: 'real', access, request: 'GET', extent: 'adds', at };
  const history = monthly(rows, at);
  for (const [i, scope] of scopes.entries())
    await mirror.commitPage({
      ...common,
      series: { origin, endpoint: 'announcements', scope },
      question: wordsOf(scope),
      envelope: { text: JSON.stringify(scope), inputs: '' },
      rows: areVaried ? walk(history, seeded(i + 2)) : history,
      covered: { from: '1900-01-01', to: new Date(at).toISOString().slice(0, 10), rows },
      follows: { checked: true },
    });
  if (alsoOf) await mirror.commitPage(alsoOf(common));
  mirror.close();
  return history;
}

/** Monthly rows, newest first: the last days of months, each known from the tenth day of the one behind it. */
function monthly(count, now) {
  const day = new Date(now);
  return Array.from({ length: count }, (_, i) => {
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() - 1 - i];
    const date = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
    const value = { date, val: i, announcement_datetime: Date.UTC(year, month, 10, 13, 30) / 1000 };
    return { text: JSON.stringify(value), value };
  });
}

/** Usual values: percents, an index, thousands of people, millions of dollars; with the digits that publishers give. */
const SCALES = [
  { at: 2.1, step: 0.4, digits: 1 },
  { at: 100, step: 0.9, digits: 1 },
  { at: 215_000, step: 9000, digits: 0 },
  { at: -61_200, step: 4100, digits: 0 },
  { at: 0.35, step: 0.2, digits: 2 },
];
const HOURS = [0.5, 7, 9, 12.5, 13.5, 15, 23.5];

/** The rows with values of their own: a walk at random, and releases some days apart at the series' own hour. */
function walk(rows, random) {
  const { at, step, digits } = SCALES[Math.floor(random() * SCALES.length)];
  const hour = HOURS[Math.floor(random() * HOURS.length)];
  let now = at;
  return rows.map(({ value: { date } }) => {
    now += (random() + random() - 1) * step;
    const released = Date.parse(date) / 86_400_000 + 8 + Math.floor(random() * 12);
    const value = { date, val: Number(now.toFixed(digits)), announcement_datetime: released * 86_400 + hour * 3600 };
    return { text: JSON.stringify(value), value };
  });
}
