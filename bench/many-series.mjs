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
 * more commit, of what all of them share.
 */
export async function fillAnnouncements(home, scopes, { origin, rows, ageMs = 60_000, alsoOf }) {
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
  for (const scope of scopes)
    await mirror.commitPage({
      ...common,
      series: { origin, endpoint: 'announcements', scope },
      question: wordsOf(scope),
      envelope: { text: JSON.stringify(scope), inputs: '' },
      rows: history,
      proof: { from: '1900-01-01', to: new Date(at).toISOString().slice(0, 10), rows },
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
