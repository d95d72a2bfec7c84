import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { canBePast } from '../../src/cli/commands/endpoint-commands.ts';
import { isOffline } from '../../src/contract/capabilities.ts';
import { methodName } from '../../src/library/questions.ts';
import { EACH, exampleOf, lineOf } from '../laws/wire.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';
import { builtLibrary, type Library } from './built-library.ts';
import type { Answer } from './surface.d.ts';

const OFFICIAL = join(import.meta.dirname, '../fixtures/official');

/** Sixty days of reference rates, 2026-01-16 to 2026-04-13. */
const RATES = 'ecb ecb-eurofxref-2026-04-13.csv';

/** The whole history up to the same day, where it is at hand. */
const WHOLE = resolve('../shared/data/ecb-reference-rates.csv');

const PAIR = { base: 'EUR', quote: 'USD' };

let library: Library;

beforeAll(async () => {
  library = await builtLibrary();
});

/** A mirror with these files, read by a program and at the terminal. */
async function mirrorOf(...files: readonly string[]) {
  const folder = freshFolder();
  const path = join(folder, 'own.db');
  const run = (line: string) =>
    macro(`${line} --mirror ${path}`, testPlatform({ folder, now: '2026-07-20T06:00:00Z' }));
  for (const words of files) {
    const [format, file = ''] = words.split(' ');
    expect((await run(`import ${format} ${resolve(OFFICIAL, file)}`)).code).toBe(0);
  }
  const mirror = await library.openMirror(path);
  onTestFinished(() => mirror.close());
  const atTerminal = async (line: string): Promise<unknown> =>
    JSON.parse((await run(`${line} --offline --allow-partial --format json`)).out);
  return { mirror, atTerminal };
}

test('a window that nobody gave ends on the day of the moment, with what was known then', async () => {
  const { mirror } = await mirrorOf(RATES);
  // The rate of 31 March comes at 16:00 in Frankfurt, 14:00 UTC. Lines of the file from 16 January to 30 March: 52.
  const { body, mirror: mark } = await mirror.forex(PAIR, { asOf: '2026-03-31T12:00:00Z' });
  expect(body).toMatchObject({ start_date: '2025-03-31', end_date: '2026-03-31', pagination: { total_count: 52 } });
  expect(body.data[0]).toMatchObject({ date: '2026-03-30', val: 1.1484 });
  expect(mark?.missing).toEqual([{ from: '2025-03-31', to: '2026-01-15' }]);
  const dates: string[] = [];
  for await (const row of mirror.forex.rows(PAIR, { asOf: new Date('2026-03-31T12:00:00Z'), allowPartial: true }))
    dates.push(row.date);
  expect([dates.length, dates[0], dates.at(-1)]).toEqual([52, '2026-03-30', '2026-01-16']);
});

test('the moment is given once', async () => {
  const { mirror } = await mirrorOf(RATES);
  const twice = mirror.curves({ currency: 'USD', as_of: '2026-03-30' }, { asOf: '2026-03-31' });
  await expect(twice).rejects.toBeInstanceOf(library.UsageError);
});

describe.skipIf(!existsSync(WHOLE))('the whole history of the reference rates', () => {
  test('answers at a moment as the terminal does', async () => {
    const { mirror, atTerminal } = await mirrorOf(`ecb ${WHOLE}`);
    // Counted in the file: its lines from a year before the moment up to the last day whose 16:00 in Frankfurt is over.
    for (const [asOf, count, newest, oldest] of [
      ['2021-06-30T12:00:00Z', 257, '2021-06-29', '2020-06-30'],
      ['2026-03-31T12:00:00Z', 255, '2026-03-30', '2025-03-31'],
    ] as const) {
      const { body, mirror: mark } = await mirror.forex(PAIR, { asOf });
      const dates: string[] = [];
      for await (const { date } of mirror.forex.rows(PAIR, { asOf })) dates.push(date);
      expect(body).toMatchObject({ pagination: { total_count: count } });
      expect([dates.length, dates[0], dates.at(-1)]).toEqual([count, newest, oldest]);
      expect(mark).toBeUndefined();
      expect(await atTerminal(`fx eur usd --as-of ${asOf}`)).toEqual(body);
    }
  });
});

const AT_MOMENT = '2026-09-15T12:00:00Z';

/** What a program and the terminal can both ask at a moment, beside its id. */
const PAST = EACH.filter(([, endpoint]) => isOffline(endpoint) && endpoint.cli && canBePast(endpoint));

describe.each(PAST)('%s', (id, endpoint) => {
  test.each(['public', 'captured'] as const)('is answered at a moment as at the terminal: %s', async (by) => {
    const { path, query } = exampleOf(endpoint);
    const mirrorPath = await sandboxPath(testPlatform().platform);
    const line = `${lineOf(endpoint, { path, query })} --as-of ${AT_MOMENT} --availability ${by} --mirror ${mirrorPath}`;
    const said = await macro(`${line} --offline --allow-partial --format json`, testPlatform({ now: Date.now() }));
    const mirror = await library.openMirror(mirrorPath);
    onTestFinished(() => mirror.close());
    const method: unknown = Reflect.get(mirror, methodName(id));
    if (typeof method !== 'function') throw new Error(`the library has no method for ${id}`);
    const answered = await Promise.resolve(method({ ...path, ...query }, { asOf: AT_MOMENT, by })).then(
      ({ body }: Answer<unknown>) => body,
      (error: { code: string }) => error.code,
    );
    expect(answered).toEqual(
      said.out === '' ? JSON.parse(said.err.trim().split('\n').at(-1) ?? '').code : JSON.parse(said.out),
    );
  });
});
