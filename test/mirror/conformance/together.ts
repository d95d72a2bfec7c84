import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../../support/platform.ts';
import { EURUSD, type FreshMirror, page, rate, texts } from '../support.ts';

/** Several programs on one mirror. */
export function togetherOf(fresh: FreshMirror): void {
  const writer = join(import.meta.dirname, '..', 'children', 'write.ts');
  const PAGES = 150;

  function writeThere(path: string, commits: string): Promise<string> {
    return new Promise((resolve) => {
      execFile(process.execPath, [writer, path, commits], (error, out, err) => resolve(error ? err : out));
    });
  }

  test('two programs write one mirror at once, and readers read it: nobody meets a locked file, nothing is lost', async () => {
    const { mirror, path, sql } = await fresh();
    const folder = freshFolder();
    const own = { ...EURUSD, scope: { base: 'GBP', quote: 'USD' } };
    const pages = (base: 'EUR' | 'GBP') =>
      Array.from({ length: PAGES }, (_, n) =>
        page([rate('2026-11-20', n), rate(`2025-01-${String(1 + (n % 28)).padStart(2, '0')}`, n)], {
          series: { ...EURUSD, scope: { base, quote: 'USD' } },
        }),
      );
    const commits = join(folder, 'commits.json');
    writeFileSync(commits, JSON.stringify(pages('EUR')));
    let done = false;
    const child = writeThere(path, commits).finally(() => {
      done = true;
    });
    for (const commit of pages('GBP')) {
      await mirror.commitPage(commit);
      await new Promise((resolve) => setImmediate(resolve));
    }
    let reads = 0;
    while (!done) {
      // Each snapshot sees whole commits: the two rows of a page carry one number.
      const rows = await mirror.snapshot(async (reader) => {
        await new Promise((resolve) => setImmediate(resolve));
        const [series] = await reader.find({ endpoint: 'forex', scope: EURUSD.scope, exact: true });
        return series ? reader.rows(series, {}) : [];
      });
      const newest = rows[0]?.columns.val;
      if (newest !== undefined) expect(rows.filter((one) => one.columns.val === newest)).toHaveLength(2);
      reads += 1;
    }
    expect(await child).toBe('done\n');
    expect(reads).toBeGreaterThan(0);
    for (const series of [EURUSD, own]) {
      expect((await texts(mirror, series))[0]).toBe(rate('2026-11-20', PAGES - 1));
    }
    expect(await sql('select count(*) as n, max(number) as last from commits')).toEqual([
      { n: 2 * PAGES, last: 2 * PAGES },
    ]);
    expect((await mirror.verify()).findings).toEqual([]);
  }, 60_000);
}
