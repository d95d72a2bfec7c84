// A mirror of more and more announcement series, of twenty rows each: a question about one of them as a process of its own and
// to `serve`, and what `status` takes, which tells about all of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillAnnouncements, KEY, scopesOf, wordsOf } from '../many-series.mjs';
import { startMacro, stop } from '../serve-programs.mjs';
import { meanTime } from '../serve-slowest.mjs';
import { buildProgram, processTime } from '../start-support.mjs';

const ROWS = 20;
const ORIGIN = 'https://bench.invalid';

export const bySeries = {
  title: 'A mirror of announcement series',
  counts: 'series',
  figures: ['question at a terminal, ms', 'page of `serve`, ms', '`macro status`, ms'],
  sizes: [20, 200, 2_000, 20_000],
  async measure(count) {
    buildProgram();
    process.env.MACRO_API_KEY = KEY;
    const home = mkdtempSync(join(tmpdir(), 'macro-bench-'));
    try {
      const scopes = scopesOf(count);
      await fillAnnouncements(home, scopes, { origin: ORIGIN, rows: ROWS });
      const [{ currency, indicator }] = scopes;
      const words = [...wordsOf(scopes[0]).split(' '), '--offline', '--base-url', ORIGIN];
      const asked = await processTime(words, home);
      const status = await processTime(['status', '--format', 'json'], home);
      const server = await startMacro(home, ['--no-quota']);
      const page = await meanTime(server, (i) => [
        `/v1/announcements/${currency}/${indicator}?limit=${1 + (i % ROWS)}&n=${i}`,
      ]);
      await stop(server);
      return [asked, page, status];
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};
