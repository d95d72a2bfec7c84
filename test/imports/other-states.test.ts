import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { recogniseFormat } from '../../src/imports/formats.ts';
import { bytesOf, fileOf, refusalOf, textsOf } from './read-format.ts';

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

  it('the feed of the Treasury, which has an element for each maturity', () => {
    const entry = (day: string, ...yields: readonly string[]) =>
      `<entry><content type="application/xml"><m:properties><d:NEW_DATE m:type="Edm.DateTime">${day}T00:00:00</d:NEW_DATE>${yields.join('')}</m:properties></content></entry>`;
    const of = (name: string, val: string) => `<d:${name} m:type="Edm.Double">${val}</d:${name}>`;
    const feed =
      '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" ' +
      'xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns="http://www.w3.org/2005/Atom">' +
      entry('2026-08-14', of('BC_1_5MONTH', '4.08'), of('BC_10YEAR', '4.71'), of('BC_30YEARDISPLAY', '0')) +
      entry('2026-08-13', '<d:BC_1_5MONTH m:type="Edm.Double" m:null="true" />', of('BC_10YEAR', '4.70')) +
      '</feed>';
    const expected = {
      format: 'treasury',
      texts: {
        'USD/gov_bond_1_5m': ['{"date":"2026-08-14","val":4.08}'],
        'USD/gov_bond_10y': ['{"date":"2026-08-14","val":4.71}', '{"date":"2026-08-13","val":4.70}'],
      },
    };
    expect(told(feed, 'pages.xml')).toEqual(expected);
    const table = 'Date,"1.5 Month","10 Yr"\n08/14/2026,4.08,4.71\n08/13/2026,,4.70\n';
    expect(told(table)).toEqual(expected);
  });

  it('the rates of the ECB as XML', () => {
    const day = (time: string, ...rates: readonly string[]) =>
      `<Cube time='${time}'>${rates.map((one) => `<Cube currency='${one.slice(0, 3)}' rate='${one.slice(4)}'/>`).join('')}</Cube>`;
    const xml = (...days: readonly string[]) =>
      '<?xml version="1.0" encoding="UTF-8"?>\n<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" ' +
      'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject>' +
      `<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>${days.join('')}</Cube></gesmes:Envelope>`;
    const days = [day('2026-10-02', 'USD 1.1225', 'JPY 176.10'), day('2026-10-01', 'USD 1.1230')];
    expect(told(xml(...days), 'eurofxref-hist.xml')).toEqual({
      format: 'ecb',
      texts: {
        'EUR/USD': ['{"date":"2026-10-02","val":1.1225}', '{"date":"2026-10-01","val":1.1230}'],
        'EUR/JPY': ['{"date":"2026-10-02","val":176.10}'],
      },
    });
    const ecb = recogniseFormat(fileOf(xml(...days)));
    for (const [wrong, why] of [
      [day('2026-10-02', 'USD 1,1225'), "'1,1225' is no number of USD"],
      [day('2026-10-02', 'USD 0'), '0 of USD is not above zero'],
      [day('2026-02-30', 'USD 1.1'), "'2026-02-30' is no date"],
      [day('2026-10-02', 'US1 1.1'), "'US1' is no currency code"],
      [day('2026-10-02', 'USD 1.1', 'USD 1.2'), '2026-10-02 stands in the file twice'],
      ['<Cube><Cube currency="USD" rate="1.1"/></Cube>', 'has no day'],
    ] as const)
      expect(refusalOf(ecb, xml(wrong))).toContain(why);
    expect(refusalOf(ecb, xml(...days).slice(0, -20))).toContain('it is no XML');
  });

  it.each([
    [
      'of before 2026',
      'CURRENCY="USD" FX="EUR" UNIT="Currency:_Per_EUR"',
      'CURRENCY="JPY" FX="JPY" UNIT="Currency:_Per_USD"',
    ],
    ['of 2026', 'CURRENCY="EUR" FX="EUR" UNIT="Currency"', 'CURRENCY="JPY" FX="JPY" UNIT="Currency"'],
  ])('H.10 as XML %s', (_, euro, yen) => {
    const obs = (day: string, val: string, status = 'A') =>
      `<frb:Obs OBS_STATUS="${status}" OBS_VALUE="${val}" TIME_PERIOD="${day}" />`;
    const series = (name: string, facts: string, ...all: readonly string[]) =>
      `<kf:Series ${facts} FREQ="9" SERIES_NAME="${name}" UNIT_MULT="1"><frb:Annotations><common:Annotation>` +
      `<common:AnnotationText>Spot</common:AnnotationText></common:Annotation></frb:Annotations>${all.join('')}</kf:Series>`;
    const xml = (...all: readonly string[]) =>
      '<?xml version="1.0" encoding="UTF-8"?><message:MessageGroup xmlns:message="m" xmlns:common="c" ' +
      'xmlns:frb="http://www.federalreserve.gov/structure/compact/common" ' +
      'xmlns:kf="http://www.federalreserve.gov/structure/compact/H10_H10"><frb:DataSet id="H10">' +
      `${all.join('')}</frb:DataSet></message:MessageGroup>`;
    const whole = xml(
      series('RXI$US_N.B.EU', euro, obs('2007-01-02', '1.2500'), obs('2007-01-03', '-9999', 'ND')),
      series('RXI_N.B.JA', yen, obs('2007-01-02', '118.50'), obs('2007-01-03', '119.00')),
      series('RXI_N.B.VE', 'CURRENCY="VEB" FX="VEB" UNIT="Currency"', obs('2007-01-02', '2144')),
      series('RXI_N.M.JA', yen, obs('2007-01-31', '120')),
      series('JRXWTFB_N.B', 'CURRENCY="NA" UNIT="Index:_1997_Jan_100"', obs('2007-01-02', '107')),
    );
    const expected = {
      format: 'h10',
      texts: {
        'EUR/USD': ['{"date":"2007-01-02","val":1.2500}'],
        'USD/JPY': ['{"date":"2007-01-02","val":118.50}', '{"date":"2007-01-03","val":119.00}'],
      },
    };
    expect(told(whole, 'H10_data.xml')).toEqual(expected);
    expect(told(zipSync({ 'H10_data.xml': bytesOf(whole), 'H10_struct.xml': bytesOf('<a/>') }))).toEqual(expected);
    const h10 = recogniseFormat(fileOf(whole));
    expect(refusalOf(h10, xml(series('RXI_N.B.JA', yen, obs('2007-01-03', '-9999'))))).toContain('stands for no value');
    expect(refusalOf(h10, xml(series('RXI_N.B.JA', euro, obs('2007-01-03', '119'))))).toContain('do not agree');
    expect(refusalOf(h10, xml(series('RXI_N.M.JA', yen, obs('2007-01-31', '120'))))).toContain('no series such as');
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
