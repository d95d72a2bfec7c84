// A served mirror that misses most of a year: four months of rates, imported from a file in the form of the ECB's.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, runBuilt } from '../../support/built.ts';
import { freshFolder } from '../../support/platform.ts';
import { type Serving, startServing } from '../../support/serving.ts';

/** The question that the mirror can answer in part. */
export const WINDOW = { start: '2024-01-01', end: '2024-12-31' };

export interface HoledMirror {
  readonly env: Record<string, string>;
  readonly serving: Serving;
}

/** Serves it with `words`. */
export async function serveHoled(words: readonly string[] = []): Promise<HoledMirror> {
  await ensureBuilt();
  const home = freshFolder();
  const env = { MACRO_HOME: home, MACRO_MIRROR: join(home, 'rates.db') };
  const rates = join(home, 'rates.csv');
  const days = Array.from({ length: 120 }, (_, day) => new Date(Date.UTC(2024, 2, 1 + day)).toISOString().slice(0, 10));
  const lines = days.map((date, i) => `${date},${(1.05 + (i % 17) / 100).toFixed(4)},`);
  writeFileSync(rates, ['Date,USD,', ...lines.reverse(), ''].join('\n'));
  const done = runBuilt(['import', 'ecb', rates], env);
  if (done.status !== 0) throw new Error(done.stderr);
  return { env, serving: await startServing(words, env) };
}
