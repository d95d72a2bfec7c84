import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { listingFile } from '../../../../src/cli/print/file.ts';
import { asJsonText } from '../../../../src/contract/json/json.ts';
import type { ViewType } from '../../../../src/mirror/rules/views.ts';
import { duck, duckTypes, HAS_DUCK } from '../../../support/duck.ts';
import { freshFolder } from '../../../support/platform.ts';

/** Types and rows of a Parquet file of these rows. */
async function parquetOf(rows: readonly string[], types: Readonly<Record<string, ViewType>> = {}) {
  const texts = rows.map(asJsonText);
  const listing = { columns: [], rows: texts, types: new Map(Object.entries(types)), body: () => asJsonText('{}') };
  const shape = { fields: undefined, sort: undefined, reverse: false };
  const path = join(freshFolder(), 'rows.parquet');
  writeFileSync(path, await listingFile(listing, { ...shape, format: 'parquet', now: 0, withText: true }));
  return { types: await duckTypes(path), rows: await duck(`select * from '${path}'`) };
}

describe.skipIf(!HAS_DUCK)('a listing as Parquet', () => {
  it('keeps every digit of nanoseconds, whether the contract knows them or not', async () => {
    const rows = ['{"ns":1791981000123456789}', '{"ns":-9223372036854775808}', '{"ns":null}'];
    for (const types of [{}, { ns: 'integer' } as const])
      expect(await parquetOf(rows, types)).toEqual({
        types: { ns: 'BIGINT' },
        rows: [{ ns: '1791981000123456789' }, { ns: '-9223372036854775808' }, { ns: null }],
      });
  });

  it('has whole numbers that no column of numbers can hold as text', async () => {
    const rows = ['{"ns":9223372036854775808}', '{"ns":1}'];
    expect(await parquetOf(rows)).toEqual({
      types: { ns: 'VARCHAR' },
      rows: [{ ns: '9223372036854775808' }, { ns: '1' }],
    });
    expect(await parquetOf(rows, { ns: 'integer' })).toEqual({
      types: { ns: 'BIGINT', ns_text: 'VARCHAR' },
      rows: [
        { ns: null, ns_text: '9223372036854775808' },
        { ns: '1', ns_text: '1' },
      ],
    });
  });

  it('keeps the type that the contract says when one row has a text', async () => {
    const rows = ['{"date":"2026-11-20","val":1.10}', '{"date":"n/a","val":"withheld"}', '{"date":null,"val":null}'];
    expect(await parquetOf(rows, { date: 'date', val: 'real' })).toEqual({
      types: { date: 'DATE', date_text: 'VARCHAR', val: 'DOUBLE', val_text: 'VARCHAR' },
      rows: [
        { date: '2026-11-20', date_text: '2026-11-20', val: 1.1, val_text: '1.10' },
        { date: null, date_text: 'n/a', val: null, val_text: 'withheld' },
        { date: null, date_text: null, val: null, val_text: null },
      ],
    });
  });
});

it('a workbook has dates for Unix seconds and a title that stays true', async () => {
  const listing = {
    columns: ['at'],
    rows: [asJsonText('{"at":1767225600}')],
    types: new Map<string, ViewType>([['at', 'integer']]),
    times: new Set(['at']),
    body: () => asJsonText('{}'),
    view: { title: ['EUR/USD', 'checked 14 min ago'], lasting: ['EUR/USD', 'checked 2026-01-01T00:00:00Z'] },
  };
  const shape = { fields: undefined, sort: undefined, reverse: false };
  const parts = unzipSync(await listingFile(listing, { ...shape, format: 'xlsx', now: 1_767_225_600_000 }));
  const [rows, facts] = [1, 2].map((sheet) => strFromU8(parts[`xl/worksheets/sheet${sheet}.xml`] ?? new Uint8Array()));
  // 1 January 2026 is day 46023 of Excel.
  expect(rows).toMatch(/<c r="A2" s="\d"><v>46023<\/v>/);
  expect(facts).toContain('EUR/USD · checked 2026-01-01T00:00:00Z');
});
