import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/cli/app/app.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { testPlatform } from '../../support/platform.ts';

// Rows are made while they are written. One that cannot be made must not leave what looks like a whole answer.

const FAILS = 'The mirror is broken behind row 20000.';

/** A listing of 20,000 rows that may break on its way: after more than one piece was written. */
function listing(breaks: boolean) {
  const rows = {
    length: 20_000,
    *[Symbol.iterator]() {
      for (let i = 0; i < 20_000; i += 1) yield asJsonText(`{"date":"2026-01-01","val":${i}}`);
      if (breaks) throw new Error(FAILS);
    },
  };
  return { columns: ['date', 'val'], known: ['date', 'val'], rows, body: () => asJsonText('{}') };
}

function print(options: Readonly<Record<string, string>>, breaks = true) {
  const { platform, folder, out } = testPlatform();
  writeFileSync(join(folder, 'old.txt'), 'what was there before\n');
  const app = createApp(platform, options, new AbortController().signal);
  return { printed: app.print(listing(breaks)), folder, out };
}

const HEADERS = { ndjson: 0, csv: 1, tsv: 1 };

describe.each(['ndjson', 'csv', 'tsv'] as const)('%s whose rows break', (format) => {
  it('fails, and leaves the file of before and nothing else', async () => {
    const { printed, folder } = print({ format, output: 'old.txt' });
    await expect(printed).rejects.toThrow(FAILS);
    expect(readFileSync(join(folder, 'old.txt'), 'utf8')).toBe('what was there before\n');
    expect(readdirSync(folder).filter((name) => name.includes('old'))).toEqual(['old.txt']);
  });

  it('replaces the file where none does', async () => {
    const { printed, folder } = print({ format, output: 'old.txt' }, false);
    await printed;
    expect(readFileSync(join(folder, 'old.txt'), 'utf8').trimEnd().split('\n').length).toBe(20_000 + HEADERS[format]);
  });

  it('fails, and makes no file', async () => {
    const { printed, folder } = print({ format, output: 'new.txt' });
    await expect(printed).rejects.toThrow(FAILS);
    expect(readdirSync(folder).filter((name) => name.includes('new'))).toEqual([]);
  });

  it('fails into a pipe, with whole rows only', async () => {
    const { printed, out } = print({ format });
    await expect(printed).rejects.toThrow(FAILS);
    expect(out() === '' || out().endsWith('\n')).toBe(true);
  });
});
