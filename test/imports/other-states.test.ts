import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { bytesOf, fileOf, textsOf } from './read-format.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/official', name), 'latin1');

/** What is read of a file by the format that it is recognised as. */
function told(content: string | Uint8Array, name = 'file.csv') {
  const format = recogniseFormat(fileOf(content, name));
  return { format: format.id, texts: textsOf(format, content) };
}

describe('files of the same publishers in another state are read as well', () => {
  it('the archive of the Treasury, whose years have two digits', () => {
    const archive = 'Date,"1 Mo","10 Yr"\n1/2/24,5.55,3.95\n12/29/00,5.89,5.12\n1/2/90,,7.94\n';
    expect(told(archive)).toEqual({
      format: 'treasury',
      texts: {
        'USD/gov_bond_1m': ['{"date":"2024-01-02","val":5.55}', '{"date":"2000-12-29","val":5.89}'],
        'USD/gov_bond_10y': [
          '{"date":"2024-01-02","val":3.95}',
          '{"date":"2000-12-29","val":5.12}',
          '{"date":"1990-01-02","val":7.94}',
        ],
      },
    });
  });

  it('a curve of the Treasury with maturities that are new', () => {
    const year = 'Date,"1 Mo","1.5 Month","4 Mo"\n02/14/2025,4.37,,4.33\n02/18/2025,4.36,4.35,4.34\n';
    expect(told(year).texts).toEqual({
      'USD/gov_bond_1m': ['{"date":"2025-02-14","val":4.37}', '{"date":"2025-02-18","val":4.36}'],
      'USD/gov_bond_1_5m': ['{"date":"2025-02-18","val":4.35}'],
      'USD/gov_bond_4m': ['{"date":"2025-02-14","val":4.33}', '{"date":"2025-02-18","val":4.34}'],
    });
  });

  it('SONIA as an address of the database gives it', () => {
    const { format, texts } = told('DATE,IUDSOIA\n02 Jan 2024,5.1866\n03 Jan 2024,5.1871\n');
    expect([format, texts['GBP/risk_free_rate']]).toEqual([
      'sonia',
      ['{"date":"2024-01-02","val":5.1866}', '{"date":"2024-01-03","val":5.1871}'],
    ]);
  });

  it.each([
    ['cftc-legacy', 'cftc-legacy-2025-01.txt', 'deafut.txt'],
    ['cftc-financial', 'cftc-financial-2026-06.txt', 'FinFutWk.txt'],
  ])('%s: a week without a header is that of the year', (id, name, weekly) => {
    const year = fixture(name);
    expect(told(year.slice(year.indexOf('\n') + 1), weekly)).toEqual({ format: id, texts: told(year).texts });
  });

  it('vintages of ALFRED in a ZIP, beside a text about them', () => {
    const vintages = fixture('alfred-payems-change-2021.csv');
    const packed = zipSync({ 'README.txt': bytesOf('About'), 'vintages_starting_2021-02-05.csv': bytesOf(vintages) });
    expect(told(packed, 'PAYEMS.zip')).toEqual(told(vintages));
  });

  it('prices of consumption, whose later vintages may be of 10:00 in New York', () => {
    const file = 'observation_date,PCEPI_20250926,PCEPI_20251205,PCEPI_20260122\n2025-08-01,126.9,127.0,127.1\n';
    const [row = ''] = told(file, 'alfredgraph.csv').texts['USD/pce/level'] ?? [];
    const { revisions } = JSON.parse(row);
    // 2025-09-26T12:30Z, 2025-12-05T15:00Z and 2026-01-22T15:00Z.
    expect(revisions.map(({ epoch, val }: { epoch: number; val: number }) => [epoch, val])).toEqual([
      [1_758_889_800, 126.9],
      [1_764_946_800, 127],
      [1_769_094_000, 127.1],
    ]);
  });
});
