import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { freshFolder } from '../support/platform.ts';
import { builtLibrary, type Library } from './built-library.ts';
import { makeMirror } from './small-mirror.ts';
import type { OpenMirrorOptions } from './surface.d.ts';

let library: Library;
let made: string;

beforeAll(async () => {
  library = await builtLibrary();
  made = join(freshFolder(), 'made.db');
  await makeMirror(made);
});

async function opened(options?: OpenMirrorOptions) {
  const path = join(freshFolder(), 'own.db');
  copyFileSync(made, path);
  const mirror = await library.openMirror(path, options);
  onTestFinished(() => mirror.close());
  return { mirror, path };
}

const PAIR = { base: 'EUR', quote: 'USD' };
const WINDOW = { ...PAIR, start_date: '2026-07-02', end_date: '2026-07-03' };

test('a mirror tells what it holds, and since when', async () => {
  const { mirror, path } = await opened();
  expect([mirror.name, await mirror.kind()]).toEqual([path, 'real']);
  const checkedAt = new Date('2026-07-06T06:00:00Z');
  const series = { endpoint: 'forex', scope: PAIR, origin: 'https://svc.example', checkedAt };
  const range = { from: '2026-07-02', to: '2026-07-03', rows: 2, confirmedAt: checkedAt };
  expect(await mirror.series('forex')).toEqual([{ ...series, coverage: [range] }]);
  expect((await mirror.series()).map(({ endpoint }) => endpoint)).toEqual(['announcements', 'forex']);
  expect(await mirror.series('cot')).toEqual([]);
  await expect(mirror.series('fx')).rejects.toBeInstanceOf(library.UsageError);
});

test('an answer that is held whole says nothing, and one that is not says what is missing', async () => {
  const { mirror } = await opened({ hasKey: false });
  const whole = await mirror.forex(WINDOW);
  expect(whole.body.data.map(({ date, val }) => [date, val])).toEqual([
    ['2026-07-03', 1.25],
    ['2026-07-02', 1.5],
  ]);
  expect([whole.mirror, whole.synthetic, JSON.parse(whole.text)]).toEqual([undefined, false, whole.body]);
  const partial = await mirror.forex({ ...WINDOW, start_date: '2026-06-29' });
  const mark = { complete: false, missing: [{ from: '2026-06-29', to: '2026-07-01' }] };
  expect(partial.mirror).toMatchObject(mark);
  expect(JSON.parse(partial.text).mirror).toMatchObject(mark);
});

test('a reader with a key is not told that what was read without one is all', async () => {
  const query = { currency: 'USD', indicator: 'inflation', start_date: '2026-03-01', end_date: '2026-07-06' };
  const missing = async (options?: OpenMirrorOptions) =>
    (await (await opened(options)).mirror.announcements(query)).mirror?.missing;
  expect(await missing({ hasKey: false })).toBeUndefined();
  expect(await missing()).toEqual([{ from: '2026-03-01', to: '2026-04-06' }]);
});

test('rows of a partial answer come only where that is allowed', async () => {
  const { mirror } = await opened({ hasKey: false });
  const query = { ...WINDOW, start_date: '2026-06-29' };
  const taken = async (options?: { allowPartial: boolean }) => {
    const dates: string[] = [];
    for await (const { date } of mirror.forex.rows(query, options)) dates.push(date);
    return dates;
  };
  await expect(taken()).rejects.toMatchObject({
    name: 'IncompleteError',
    code: 'mirror_incomplete',
    extra: { mirror: { complete: false, missing: [{ from: '2026-06-29', to: '2026-07-01' }] } },
  });
  expect(await taken({ allowPartial: true })).toEqual(['2026-07-03', '2026-07-02']);
});

test('a question about a moment knows nothing that came later', async () => {
  const { mirror } = await opened({ hasKey: false });
  const later = await mirror.forex(WINDOW, { asOf: new Date('2026-07-06T06:00:00Z'), by: 'mirrored' });
  expect(later.body.data.length).toBe(2);
  const earlier = mirror.forex(WINDOW, { asOf: '2026-07-06T05:59:59Z', by: 'mirrored' });
  await expect(earlier).rejects.toBeInstanceOf(library.NotFoundError);
  await expect(mirror.forex(WINDOW, { asOf: 'long ago' })).rejects.toBeInstanceOf(library.UsageError);
});

test('a mirror that is not there is an error, and none is made', async () => {
  const path = join(freshFolder(), 'absent.db');
  await expect(library.openMirror(path)).rejects.toBeInstanceOf(library.MacroError);
  await expect(library.openMirror(path)).rejects.toBeInstanceOf(library.MacroError);
});
