import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fullestFolders, importCycles, repeatedNames, unusedExports } from '../../scripts/house.mjs';

const root = join(import.meta.dirname, '../..');

describe('the house', () => {
  // An ignored folder is neither committed nor linted, and nothing says so.
  it('has no folder of sources that git ignores', () => {
    const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
    const folders = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => ignored.includes(`${name}/`) || ignored.includes(name))).toEqual([]);
  });

  it('has at most twenty files at the root of a folder', () => {
    expect(fullestFolders().filter(({ files }) => files > 20)).toEqual([]);
    expect(fullestFolders().length).toBeGreaterThan(50);
  });

  it('has every exported name once', () => {
    expect(repeatedNames()).toEqual([]);
  });

  it('exports no function and no constant that nobody else uses', () => {
    expect(unusedExports()).toEqual([]);
  });

  it('has no import cycle, types included', () => {
    expect(importCycles()).toEqual([]);
  });
});
