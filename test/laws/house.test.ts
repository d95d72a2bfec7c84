import { describe, expect, it } from 'vitest';
import { fullestFolders, importCycles, repeatedNames } from '../../scripts/house.mjs';

describe('the house', () => {
  it('has at most twenty files at the root of a folder', () => {
    expect(fullestFolders().filter(({ files }) => files > 20)).toEqual([]);
    expect(fullestFolders().length).toBeGreaterThan(50);
  });

  it('has every exported name once', () => {
    expect(repeatedNames()).toEqual([]);
  });

  it('has no more import cycles than are still to be cut, types included', () => {
    expect(importCycles().length).toBeLessThanOrEqual(16);
  });
});
