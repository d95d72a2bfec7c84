import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraryTypes, surfaceText } from '../../scripts/library-types.mjs';

const types = await libraryTypes();

test('the exported types are those that are recorded: npm run gen records a change', () => {
  expect(surfaceText(types)).toBe(readFileSync(join(import.meta.dirname, 'surface.d.ts'), 'utf8'));
});

test('the exported types mention no module of ours', () => {
  expect(types.match(/^import .*|import\(.*|from '.*/gm)).toBeNull();
  expect(types).not.toContain('any;');
});
