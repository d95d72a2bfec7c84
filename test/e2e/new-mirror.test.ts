import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { freshAddress, POSTGRES_BIN } from '../support/postgres.ts';

beforeAll(ensureBuilt);

/** Programs that begin at once: every second one only reads, and finds a mirror or none. */
const PROGRAMS = 8;

interface Ended {
  readonly reads: boolean;
  readonly code: number;
  readonly err: string;
}

/** The variable that says where the mirror is: in folders of our own, which are made, or on a server. */
type Place = { readonly MACRO_HOME: string } | { readonly MACRO_MIRROR: string };

function run(folder: string, place: Place, reads: boolean): Promise<Ended> {
  const words = reads ? ['mirror', 'status'] : ['import', 'ecb', join(folder, 'rates.csv')];
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...words, '--quiet'], { env: { ...env, ...place } }, (error, _out, err) =>
      resolve({ reads, code: error ? Number(error.code) : 0, err }),
    );
  });
}

async function failuresOf(placeOf: (folder: string) => Promise<Place>): Promise<readonly Ended[]> {
  const folder = freshFolder();
  writeFileSync(join(folder, 'rates.csv'), 'Date,USD,\n2026-11-20,1.1502,\n');
  const place = await placeOf(folder);
  const ended = await Promise.all(Array.from({ length: PROGRAMS }, (_, i) => run(folder, place, i % 2 === 1)));
  return ended.filter(({ reads, code }) => code !== 0 && !(reads && code === 3));
}

it.each([1, 2, 3])(
  'programs that make one new file together all succeed, round %i',
  async () => {
    expect(await failuresOf(async (folder) => ({ MACRO_HOME: join(folder, 'new') }))).toEqual([]);
  },
  120_000,
);

it.skipIf(POSTGRES_BIN === undefined)(
  'programs that make one new schema together all succeed',
  async () => {
    expect(await failuresOf(async () => ({ MACRO_MIRROR: await freshAddress() }))).toEqual([]);
  },
  120_000,
);
