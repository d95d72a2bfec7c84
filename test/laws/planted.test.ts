import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FAULTS } from '../../scripts/faults-to-plant.mjs';

it.each(FAULTS)('$name has one place where it can be planted, and tests that are there', ({ file, from, tests }) => {
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
});
