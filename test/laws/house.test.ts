import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  endpointIds,
  exceptions,
  idsInGeneralCode,
  importCycles,
  lonelyFiles,
  longFiles,
  repeatedNames,
  replacedWords,
  shortFiles,
  unresolvedNames,
  unusedExports,
} from '../../scripts/house.mjs';

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

  it('has no file above 400 lines', () => {
    expect(longFiles()).toEqual([]);
  });

  // `npm run house -- --write` takes out of the lists what no longer occurs; nothing is added to them.
  it('has no file under 40 lines without three importers, loading on demand or a list of its kind', () => {
    expect(shortFiles()).toEqual(exceptions().short);
  });

  it('has no file that would fit into the only file that imports it', () => {
    expect(lonelyFiles()).toEqual(exceptions().lonely);
  });

  it('calls no endpoint by its id in general code', async () => {
    expect(idsInGeneralCode(await endpointIds())).toEqual(exceptions().ids);
  });

  it('names things by its vocabulary', () => {
    expect(replacedWords()).toEqual(exceptions().words);
  });

  it('has every name of code that a comment or a document mentions', () => {
    expect(unresolvedNames()).toEqual([]);
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
