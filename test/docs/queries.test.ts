// Queries in documents, over the file that they speak of: an excerpt of the consumer prices of the BLS.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDocument } from '../../scripts/documents.mjs';
import { duck, HAS_DUCK } from '../support/duck.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const CPI = join(import.meta.dirname, '../fixtures/official/bls-cpi-2024.txt');
/** Inflation over a year as the BLS published it for December 2023 and January 2024. */
const PUBLISHED = [
  ['2024-01-31', 3.1],
  ['2023-12-31', 3.4],
];

it('give the series that the command shows, and each date once', async () => {
  const at = testPlatform({ sleeping: 'waits' });
  await macro(`import bls-prices ${CPI} --quiet`, at);
  const { out } = await macro('announcements usd inflation --start 2022-01-01 --offline --format json', at);
  const shown = JSON.parse(out).data.map(({ date, val }: { date: string; val: number }) => [date, val]);
  expect(shown.slice(0, 2)).toEqual(PUBLISHED);

  const literals = /"(select date, val, released_at from v_announcements [^"]+)"\s+"([^"]+)"/;
  const [, first = '', further = ''] = literals.exec(readDocument('docs/notebooks.md')) ?? [];
  const { out: rows } = await macro(`sql "${first}${further} order by date desc" --format json`, at);
  const notebook = JSON.parse(rows).data.map(({ date, val }: { date: string; val: number }) => [date, val]);
  expect(notebook).toEqual(shown);

  const [, known = ''] =
    /```sql\n(select date, val from v_announcements_known[^`]+)```/.exec(readDocument('docs/lake.md')) ?? [];
  const folder = join(at.folder, 'lake');
  await macro(`lake export ${folder} --quiet`, at);
  if (!HAS_DUCK) return;
  const views = readFileSync(join(folder, 'views.sql'), 'utf8').replaceAll(/'(\w+\/part)/g, `'${folder}/$1`);
  const lake = await duck(`${views}\n${known} order by date desc`);
  expect(lake).toEqual(shown.map(([date, val]: [string, number]) => ({ date, val })));
});
