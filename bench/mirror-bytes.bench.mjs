// Bytes of the whole file, system tables, digests and indexes included, for each byte of the texts of the current rows, after one
// row in twenty was revised. 41 series of 5,000 days, committed in pages of 100 as a sync does.
import { statSync } from 'node:fs';
import { MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { commitOf, platform, ratesOf, withFiles } from './mirror-support.mjs';
import { seeded } from './support.mjs';

const SERIES = 41;
const DAYS = 5000;
const PAGE = 100;
const REVISED = 20;

function* pagesOf(rows) {
  for (let start = 0; start < rows.length; start += PAGE) yield rows.slice(start, start + PAGE);
}

function revised({ value }) {
  const changed = { ...value, val: value.val + 0.01, close: value.close + 0.01 };
  return { text: JSON.stringify(changed), value: changed };
}

export default {
  name: 'mirror: bytes of the file for each byte of row text, rows of 200 bytes, one revision in twenty',
  goal: 1.4,
  run: () =>
    withFiles(async (path) => {
      const file = path();
      const mirror = await openMirror({ path: file, mappings: MAPPINGS, platform, mode: 'write' });
      const random = seeded(7);
      let texts = 0;
      for (let series = 0; series < SERIES; series += 1) {
        const rows = ratesOf(DAYS, { random });
        for (const page of pagesOf(rows)) await mirror.commitPage(commitOf(`Q${series}`, page));
        const later = rows.filter((_, i) => i % REVISED === 0).map(revised);
        for (const page of pagesOf(later)) await mirror.commitPage(commitOf(`Q${series}`, page, { extent: 'adds' }));
        texts += rows.reduce((sum, { text }) => sum + text.length, 0);
      }
      mirror.close();
      const { size } = statSync(file);
      const rows = SERIES * DAYS;
      return {
        ratio: size / texts,
        detail: `${(size / rows).toFixed(0)} bytes a row with ${(texts / rows).toFixed(0)} bytes of text`,
      };
    }),
};
