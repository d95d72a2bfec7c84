import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, testPlatform } from '../../support/platform.ts';
import { macro } from '../../support/run.ts';

const RATES = join(import.meta.dirname, '../../fixtures/official/ecb-eurofxref-2026-04-13.csv');

test('Markdown has the indicators that were asked for, on standard output and in a file', async () => {
  const folder = freshFolder();
  const run = (line: string) => macro(line, testPlatform({ folder, now: '2026-04-14T06:00:00Z' }));
  expect((await run(`import ecb ${RATES}`)).code).toBe(0);
  const asked = 'fx eur usd --start 2026-03-30 --end 2026-03-31 --offline --allow-partial';
  // The 20 rates up to 31 March, from the 4th on, add up to 23.0979 in the file; those up to the 30th to 23.1087.
  const rows = ['| 2026-03-31 | 1.1498 | 1.154895 |', '| 2026-03-30 | 1.1484 | 1.155435 |'];
  const table = `${['| date | val | sma_20 |', '| --- | ---: | ---: |', ...rows].join('\n')}\n`;
  expect((await run(`${asked} --indicators sma_20 --format md`)).out).toBe(table);
  expect((await run(`${asked} --indicators sma_20 -o ${join(folder, 'x.md')}`)).code).toBe(0);
  expect(readFileSync(join(folder, 'x.md'), 'utf8')).toBe(table);
  const [, , plain] = (await run(`${asked} --format md`)).out.split('\n');
  expect(plain).toBe('| 2026-03-31 | 1.1498 |');
});

test('a table has columns for indicators that were named, and none for all of them', async () => {
  const folder = freshFolder();
  const run = (line: string) =>
    macro(
      line,
      testPlatform({ folder, now: '2026-04-14T06:00:00Z', terminal: true, columns: 80, env: { NO_COLOR: '1' } }),
    );
  expect((await run(`import ecb ${RATES}`)).code).toBe(0);
  const asked = 'fx eur usd --start 2026-03-30 --end 2026-03-31 --offline --allow-partial';
  const table = async (indicators: string) => {
    const { out } = await run(`${asked} --indicators ${indicators}`);
    return out.split('\n').filter((line) => /^(date|2026|No room)/.test(line));
  };
  expect(await table('sma_20')).toEqual([
    'date           val    sma_20',
    '2026-03-31  1.1498  1.154895',
    '2026-03-30  1.1484  1.155435',
  ]);
  expect(await table('all')).toEqual(['date           val', '2026-03-31  1.1498', '2026-03-30  1.1484']);
});
