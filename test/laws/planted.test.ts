import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FAULTS, placeOf } from '../../scripts/faults-to-plant.mjs';

it.each(FAULTS)('$name has one place where it can be planted, and tests that are there', (fault) => {
  expect(existsSync(placeOf(fault, '.'))).toBe(true);
  expect(fault.tests.filter((path) => !existsSync(path))).toEqual([]);
});
