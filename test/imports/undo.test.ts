import { describe, expect, it } from 'vitest';
import type { SeriesRef } from '../../src/contract/hooks.ts';
import type { Availability } from '../../src/contract/time/moments.ts';
import { ecb } from '../../src/imports/formats/ecb.ts';
import { csvFormat } from '../../src/imports/generic/csv-format.ts';
import { readMapping } from '../../src/imports/generic/mapping.ts';
import { runImport } from '../../src/imports/import.ts';
import { importsIn, planUndo, runUndo } from '../../src/imports/past-imports.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { serverMirror } from '../mirror/postgres/support.ts';
import { testMirror } from '../mirror/support.ts';
import { POSTGRES_BIN } from '../support/postgres.ts';
import { surveyOf } from './read-format.ts';

const at = (instant: string) => Date.parse(instant);
const FIRST = at('2026-11-20T18:00:00Z');
const SECOND = at('2026-11-21T18:00:00Z');
const UNDONE = at('2026-11-22T18:00:00Z');
const AGAIN = at('2026-11-23T18:00:00Z');
const NOW = at('2026-11-24T18:00:00Z');

/** Rates of three days, and a file that withdraws the first, corrects the second and adds a fourth. */
const OLD = 'Date,USD,\n2026-11-16,1.11,\n2026-11-17,1.12,\n2026-11-18,1.13,\n';
const NEW = 'Date,USD,\n2026-11-16,N/A,\n2026-11-17,1.22,\n2026-11-18,1.13,\n2026-11-19,1.14,\n';
const OLD_ROWS = ['2026-11-16 1.11', '2026-11-17 1.12', '2026-11-18 1.13'];
const NEW_ROWS = ['2026-11-17 1.22', '2026-11-18 1.13', '2026-11-19 1.14'];

const EURUSD: SeriesRef = { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } };

async function bring(mirror: Mirror, text: string, now: number, name = 'rates.csv') {
  await runImport({ surveys: [surveyOf(ecb, text, { now, name })], mirror, now });
}

async function undo(mirror: Mirror, id: number, now: number) {
  const plan = await planUndo(mirror, id, now);
  await runUndo(mirror, plan);
  return [plan.withdrawn, plan.restored];
}

const idsOf = async (mirror: Mirror) => importsIn(await mirror.files.fileCommits()).map(({ id }) => id);

async function rowsOf(mirror: Mirror, moment?: number, by: Availability = 'public', key = EURUSD) {
  const [series] = await mirror.find(key);
  if (!series) throw new Error('the series is gone');
  const rows = await mirror.rows(series, moment === undefined ? {} : { asOf: { at: moment, by } });
  return rows.map(({ text }) => [JSON.parse(text).date, JSON.parse(text).val].join(' ')).sort();
}

async function proofsOf(mirror: Mirror) {
  const [series] = await mirror.find(EURUSD);
  if (!series) throw new Error('the series is gone');
  return [series.checkedAt, await mirror.coveredRanges(series, 'keyed')];
}

async function requireSound(mirror: Mirror) {
  expect((await mirror.verify()).findings).toEqual([]);
}

const engines = [
  ['a file', testMirror],
  ...(POSTGRES_BIN === undefined ? [] : [['a server', serverMirror] as const]),
] as const;

describe.each(engines)('an import that is undone in %s', (_, fresh) => {
  it('gives back what it replaced and withdrew, and takes away what it added', async () => {
    const { mirror } = await fresh();
    await bring(mirror, OLD, FIRST);
    const before = await proofsOf(mirror);
    await bring(mirror, NEW, SECOND, 'new.csv');
    const [, second = 0] = await idsOf(mirror);
    expect(await rowsOf(mirror)).toEqual(NEW_ROWS);
    expect(await undo(mirror, second, UNDONE)).toEqual([2, 2]);
    expect(await rowsOf(mirror)).toEqual(OLD_ROWS);
    expect(await proofsOf(mirror)).toEqual(before);
    await requireSound(mirror);
  });

  it('stays what this mirror knew, and is nothing that the public ever knew', async () => {
    const { mirror } = await fresh();
    await bring(mirror, OLD, FIRST);
    await bring(mirror, NEW, SECOND);
    const [, second = 0] = await idsOf(mirror);
    await undo(mirror, second, UNDONE);
    expect(await rowsOf(mirror, SECOND - 1, 'mirrored')).toEqual(OLD_ROWS);
    expect(await rowsOf(mirror, UNDONE - 1, 'mirrored')).toEqual(NEW_ROWS);
    expect(await rowsOf(mirror, UNDONE, 'mirrored')).toEqual(OLD_ROWS);
    for (const moment of [FIRST - 1, SECOND, UNDONE - 1, UNDONE, NOW])
      expect(await rowsOf(mirror, moment)).toEqual(OLD_ROWS);
    expect(await rowsOf(mirror, at('2026-11-17T00:00:00Z'))).toEqual(OLD_ROWS.slice(0, 1));
    const [series] = await mirror.find(EURUSD);
    if (!series) throw new Error('the series is gone');
    const change = { from: { at: FIRST, by: 'public' }, to: { at: NOW, by: 'public' }, limit: 9 } as const;
    expect(await mirror.differences(series, change)).toEqual([]);
  });

  it('comes back with its file', async () => {
    const { mirror } = await fresh();
    await bring(mirror, NEW, FIRST);
    const proven = await proofsOf(mirror);
    const [first = 0] = await idsOf(mirror);
    expect(await undo(mirror, first, UNDONE)).toEqual([3, 0]);
    expect([await rowsOf(mirror), await proofsOf(mirror)]).toEqual([[], [0, []]]);
    expect(await rowsOf(mirror, UNDONE - 1)).toEqual([]);
    await bring(mirror, NEW, AGAIN);
    expect(await rowsOf(mirror)).toEqual(NEW_ROWS);
    // They were public when they were published, as before.
    expect(await rowsOf(mirror, SECOND)).toEqual(NEW_ROWS);
    expect(await rowsOf(mirror, UNDONE, 'mirrored')).toEqual([]);
    const [, coveredRanges] = await proofsOf(mirror);
    // 2026-11-16 is a Monday: nothing is published of the weekend before it.
    expect(coveredRanges).toEqual([{ from: '2026-11-14', to: '2026-11-19', rows: 3, checkedAt: AGAIN }]);
    expect(proven[1]).toEqual([{ from: '2026-11-14', to: '2026-11-19', rows: 3, checkedAt: FIRST }]);
    await requireSound(mirror);
  });

  it('is refused where a later one speaks of the same dates, until that one is undone', async () => {
    const { mirror } = await fresh();
    await bring(mirror, OLD, FIRST);
    await bring(mirror, NEW, SECOND);
    const [first = 0, second = 0] = await idsOf(mirror);
    await expect(undo(mirror, first, UNDONE)).rejects.toMatchObject({
      code: 'bad_undo',
      hint: `Undo it first: macro import undo ${second}`,
    });
    await undo(mirror, second, UNDONE);
    await undo(mirror, first, AGAIN);
    expect([await rowsOf(mirror), await proofsOf(mirror)]).toEqual([[], [0, []]]);
    for (const moment of [FIRST, SECOND, UNDONE, NOW]) expect(await rowsOf(mirror, moment)).toEqual([]);
    expect(await rowsOf(mirror, UNDONE - 1, 'mirrored')).toEqual(NEW_ROWS);
    expect(await rowsOf(mirror, AGAIN - 1, 'mirrored')).toEqual(OLD_ROWS);
    await requireSound(mirror);
    for (const id of [first, 999]) await expect(undo(mirror, id, NOW)).rejects.toMatchObject({ code: 'bad_undo' });
  });

  it('is refused where a later file confirmed its rows and changed none', async () => {
    const { mirror } = await fresh();
    await bring(mirror, OLD, FIRST);
    await bring(mirror, `${OLD}\n`, SECOND, 'same.csv');
    const [first = 0, second = 0] = await idsOf(mirror);
    await expect(undo(mirror, first, UNDONE)).rejects.toMatchObject({ code: 'bad_undo' });
    expect(await undo(mirror, second, UNDONE)).toEqual([0, 0]);
    expect(await undo(mirror, first, AGAIN)).toEqual([3, 0]);
    await requireSound(mirror);
  });

  it('leaves later files of other dates alone, and what they cover', async () => {
    const { mirror } = await fresh();
    await bring(mirror, OLD, FIRST);
    await bring(mirror, 'Date,USD,\n2026-11-19,1.14,\n', SECOND, 'day.csv');
    const [first = 0] = await idsOf(mirror);
    expect((await proofsOf(mirror))[1]).toContainEqual(
      expect.objectContaining({ from: '2026-11-14', to: '2026-11-19' }),
    );
    await undo(mirror, first, UNDONE);
    expect(await rowsOf(mirror)).toEqual(['2026-11-19 1.14']);
    expect(await proofsOf(mirror)).toEqual([
      SECOND,
      [{ from: '2026-11-19', to: '2026-11-19', rows: 1, checkedAt: SECOND }],
    ]);
    for (const moment of [SECOND, UNDONE]) expect(await rowsOf(mirror, moment)).toEqual(['2026-11-19 1.14']);
    await requireSound(mirror);
  });

  it('gives back a text that a still later import, undone as well, had left as it was', async () => {
    const { mirror } = await fresh();
    await bring(mirror, OLD, FIRST);
    await bring(mirror, OLD.replace('1.13', '1.33'), SECOND);
    await bring(mirror, OLD.replace('1.11', '1.31'), SECOND + 1);
    const [, second = 0, third = 0] = await idsOf(mirror);
    await undo(mirror, third, UNDONE);
    await undo(mirror, second, AGAIN);
    expect(await rowsOf(mirror)).toEqual(OLD_ROWS);
    for (const moment of [SECOND, SECOND + 1, UNDONE, AGAIN, NOW])
      expect(await rowsOf(mirror, moment)).toEqual(OLD_ROWS);
    await requireSound(mirror);
  });

  it('takes its vintages along, which come back with the file', async () => {
    const { mirror } = await fresh();
    const key = { endpoint: 'announcements', scope: { currency: 'USD', indicator: 'unemployment' } };
    const mapping = readMapping({
      as: 'announcements usd unemployment',
      date: 'Month',
      value: 'Rate',
      vintage: 'Known',
    });
    const format = csvFormat(mapping, () => ({ ...key, envelope: {}, vintages: 'revisions' }));
    const table = (...lines: readonly string[]) => ['Month,Rate,Known', ...lines, ''].join('\n');
    const load = (text: string, now: number) => runImport({ surveys: [surveyOf(format, text, { now })], mirror, now });
    const august = '2026-08-31,4.3,2026-09-04T12:30:00Z';
    const wrong = table(august, '2026-08-31,9.9,2026-10-02T12:30:00Z');
    await load(table(august), FIRST);
    await load(wrong, SECOND);
    const [, second = 0] = await idsOf(mirror);
    const october = at('2026-10-03T00:00:00Z');
    expect(await rowsOf(mirror, october, 'public', key)).toEqual(['2026-08-31 9.9']);
    await undo(mirror, second, UNDONE);
    for (const moment of [october, SECOND, UNDONE])
      expect(await rowsOf(mirror, moment, 'public', key)).toEqual(['2026-08-31 4.3']);
    expect(await rowsOf(mirror, SECOND, 'mirrored', key)).toEqual(['2026-08-31 9.9']);
    const [series] = await mirror.find(key);
    if (!series) throw new Error('the series is gone');
    expect((await mirror.vintages(series, [])).map(({ text }) => JSON.parse(text).val)).toEqual([4.3]);
    await load(wrong, AGAIN);
    expect(await rowsOf(mirror, NOW, 'public', key)).toEqual(['2026-08-31 9.9']);
    await requireSound(mirror);
  });
});
