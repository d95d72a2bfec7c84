import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';
import { macro } from '../support/run.ts';

const RATES = 'Date,USD,JPY,\n2026-11-20,1.1502,180.1,\n2026-11-19,1.1490,180.2,\n';
const LATER = 'Date,USD,JPY,\n2026-11-20,1.1503,N/A,\n2026-11-19,1.1490,180.2,\n';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** What is the same for both engines; a server dates what it is brought by its own clock. */
async function listed(at: TestPlatform, mirror: string) {
  const { code, out, err } = await macro(`import list --format json ${mirror}`, at);
  expect([code, err]).toEqual([0, '']);
  const { data }: { data: Readonly<Record<string, unknown>>[] } = JSON.parse(out);
  return data.map(({ imported_at, ...one }) => [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(imported_at)), one]);
}

const engines = ['a file', ...(POSTGRES_BIN === undefined ? [] : ['a server'])];

describe.each(engines)('macro import list of a mirror in %s', (engine) => {
  it('tells what came from which file', async () => {
    const at = testPlatform();
    const mirror = engine === 'a file' ? '' : `--mirror ${await freshAddress()}`;
    const bring = async (name: string, text: string) => {
      writeFileSync(join(at.folder, name), text);
      expect((await macro(`import '${name}' --quiet ${mirror}`, at)).code).toBe(0);
    };
    await bring('the rates.csv', RATES);
    await bring('the rates.csv', RATES);
    await bring('later.csv', LATER);
    // It changes nothing, and is another file than the last one.
    await bring('same.csv', `${LATER}\n`);
    const both = { format: 'ecb', publisher: 'ECB', series: 2, address: null, undone_at: null };
    expect(await listed(at, mirror)).toEqual([
      [true, { ...both, id: 1, file: 'the rates.csv', added: 4, revised: 0, withdrawn: 0, sha256: digestOf(RATES) }],
      [true, { ...both, id: 2, file: 'later.csv', added: 0, revised: 1, withdrawn: 1, sha256: digestOf(LATER) }],
      [true, { ...both, id: 3, file: 'same.csv', added: 0, revised: 0, withdrawn: 0, sha256: digestOf(`${LATER}\n`) }],
    ]);
    const csv = await macro(`import list --format csv --fields file,sha256 --no-header ${mirror}`, at);
    expect(csv.out.split('\n')[0]).toBe(`the rates.csv,${digestOf(RATES)}`);
    expect((await macro(`mirror verify --quiet ${mirror}`, at)).code).toBe(0);
  });
});

it('macro import list without a mirror says how to fill one', async () => {
  const { code, err } = await macro('import list', testPlatform());
  expect([code, err]).toEqual([3, expect.stringContaining('macro import ecb')]);
});
