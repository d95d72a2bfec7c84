import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDocument } from '../../scripts/documents.mjs';

const src = join(import.meta.dirname, '../../src');

/** Names that nobody sets by hand: the build, a schedule and a self-test do. */
const OWN = ['MACRO_VERSION', 'MACRO_SCHEDULER', 'MACRO_SELFTEST_PART'];

it('every variable of ours stands in docs/settings.md', () => {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap(
      (path) => readFileSync(join(src, path), 'utf8').match(/\b(?:MACRO|FXMACRODATA|FXMD)(?:_[A-Z]+)+\b/g) ?? [],
    );
  const text = readDocument('docs/settings.md');
  expect(new Set(names).size).toBeGreaterThan(8);
  expect([...new Set(names)].filter((name) => !OWN.includes(name) && !text.includes(`\`${name}\``))).toEqual([]);
});
