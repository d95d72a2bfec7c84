import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitsOf } from '../../src/imports/commits.ts';
import { formatNamed, recogniseFormat } from '../../src/imports/formats.ts';
import { fileOf, refusalOf, surveyOf, textsOf } from './read-format.ts';

const named = (id: string) => formatNamed(id) ?? expect.fail(id);

describe('small things that publishers change every few years', () => {
  it('a last line of the ECB without an end is whole, and one that is cut off is refused', () => {
    // As of 2018-01-24: until May 2024 the file had no line end.
    const ecb = 'Date,USD,JPY,\n1999-01-05,1.179,130.96,\n1999-01-04,1.1789,133.73,';
    expect(textsOf(named('ecb'), ecb)).toEqual({
      'EUR/USD': ['{"date":"1999-01-05","val":1.179}', '{"date":"1999-01-04","val":1.1789}'],
      'EUR/JPY': ['{"date":"1999-01-05","val":130.96}', '{"date":"1999-01-04","val":133.73}'],
    });
    expect(refusalOf(named('ecb'), ecb.slice(0, -1))).toMatch(/^Line 3 /);
    expect(refusalOf(named('ecb'), ecb.slice(0, -'133.73,'.length))).toMatch(/^Line 3 /);
    const bare = 'Date,USD,JPY\n1999-01-05,1.179,130.96\n1999-01-04,1.1789,';
    expect(refusalOf(named('ecb'), bare)).toContain('it ends within its last line');
  });

  it('a last line of full width without an end is whole, unless its last number is shorter than the one above', () => {
    const fred = (last: string) => `observation_date,UNRATE\n2026-01-01,4.3\n2026-02-01,${last}`;
    expect(textsOf(named('fred'), fred('4.4'))['USD/unemployment']?.at(-1)).toBe('{"date":"2026-02-28","val":4.4}');
    expect(textsOf(named('fred'), fred('10.4'))['USD/unemployment']?.at(-1)).toBe('{"date":"2026-02-28","val":10.4}');
    for (const cut of ['', '4']) expect(refusalOf(named('fred'), fred(cut))).toContain('ends within its last');
  });

  it('the multiplier of the Bundesbank is one in any case of its letters', () => {
    // Excerpt of the export of 2026-01-09.
    const file = (multiplier: string) =>
      `"",BBEX3.D.USD.EUR.BB.AC.000,BBEX3.D.USD.EUR.BB.AC.000_FLAGS\nunit multiplier,${multiplier},\n2010-01-04,1.4389,\n2010-01-05,1.4442,\n`;
    for (const one of ['one', 'One'])
      expect(textsOf(named('bundesbank'), file(one))).toEqual({
        'EUR/USD': ['{"date":"2010-01-04","val":1.4389}', '{"date":"2010-01-05","val":1.4442}'],
      });
    expect(refusalOf(named('bundesbank'), file('hundreds'))).toContain("its dimension is 'hundreds' and not one.");
  });

  // The form of 2026; values made up.
  const H10_NOW = [
    '"Series Description","Australian Dollar","Euro-Area Euro","Japanese Yen","Venezuelan Bolivar"',
    '"Unit:","Currency","Currency","Currency","Currency"',
    '"Multiplier:","1","1","1","1"',
    '"Currency:","AUD","EUR","JPY","VEB"',
    '"Unique Identifier:","H10/H10/RXI$US_N.B.AL","H10/H10/RXI$US_N.B.EU","H10/H10/RXI_N.B.JA","H10/H10/RXI_N.B.VES"',
    '"Time Period","RXI$US_N.B.AL","RXI$US_N.B.EU","RXI_N.B.JA","RXI_N.B.VES"',
    '2026-09-30,0.6500,1.1500,150.2500,850.5000',
    '2026-10-01,0.6510,ND,150.5000,851.2500',
    '',
  ];

  it.each([
    ['of 2026, whose Currency is the other one', H10_NOW],
    ['with fewer lines of facts', H10_NOW.filter((line) => !/^"(?:Unit|Multiplier)/.test(line))],
  ])('H.10 %s', (_, lines) => {
    expect(textsOf(named('h10'), lines.join('\n'))).toEqual({
      'AUD/USD': ['{"date":"2026-09-30","val":0.6500}', '{"date":"2026-10-01","val":0.6510}'],
      'EUR/USD': ['{"date":"2026-09-30","val":1.1500}'],
      'USD/JPY': ['{"date":"2026-09-30","val":150.2500}', '{"date":"2026-10-01","val":150.5000}'],
    });
  });

  it('H.10 without labels has the ids alone, and they say the direction', () => {
    const short = 'Time Period,RXI$US_N.B.EU,RXI_N.B.SZ,JRXWTFB_N.B\n2026-09-30,1.1500,0.8,120\n';
    expect(recogniseFormat(fileOf(short)).id).toBe('h10');
    expect(textsOf(named('h10'), short)).toEqual({
      'EUR/USD': ['{"date":"2026-09-30","val":1.1500}'],
      'USD/CHF': ['{"date":"2026-09-30","val":0.8}'],
    });
    // Its numbers are of three currencies in turn, and the file says the first of them.
    expect(Object.keys(textsOf(named('h10'), short.replace('N.B.SZ', 'N.B.VE')))).toEqual(['EUR/USD']);
    expect(refusalOf(named('h10'), short.replace('N.B.SZ', 'N.B.XX'))).toContain('do not agree');
  });

  it('H.10 is refused with a multiplier that its values would need', () => {
    const [facts = '', unit = '', , ...rest] = H10_NOW;
    const file = (multiplier: string) => [facts, unit, `"Multiplier:","1","${multiplier}","1","1"`, ...rest].join('\n');
    for (const multiplier of ['1000', '0.01', '0.00999999978'])
      expect(refusalOf(named('h10'), file(multiplier))).toContain(`RXI$US_N.B.EU is times '${multiplier}'`);
    // The values of sterling are dollars for a pound, whatever its multiplier says.
    const sterling = file('0.00999999978').replaceAll('N.B.EU', 'N.B.UK').replace('"EUR"', '"GBP"');
    expect(Object.keys(textsOf(named('h10'), sterling))).toContain('GBP/USD');
  });

  it('the Treasury has no value of a maturity before its first day: cells of such a file have moved', () => {
    // A public file of 2023 that somebody saved anew: without a cell for 4 Mo, all values stand a column to the left.
    const file = (day: string) =>
      `Date,3 Mo,4 Mo,6 Mo,1 Yr\n10/19/22,4.07,4.32,4.45,4.6\n10/18/22,4.04,,4.39,4.5\n${day}\n`;
    expect(textsOf(named('treasury'), file('10/17/22,4,,4.34,4.5'))['USD/gov_bond_4m']).toEqual([
      '{"date":"2022-10-19","val":4.32}',
    ]);
    expect(refusalOf(named('treasury'), file('12/31/21,0.06,0.19,0.39,0.73'))).toMatch(
      /^Line 4 .* it has 4 Mo on 2021-12-31, and the Treasury has that maturity since 2022-10-19/,
    );
  });

  it('Bank Rate of the Bank of England has a line for each change, in two spellings of days', () => {
    const page = 'Date Changed,Rate\r\n18-Dec-25,3.75\r\n7-Aug-25,4\r\n20-Jan-75,11.25\r\n';
    const rows = [
      '{"date":"2025-12-18","val":3.75}',
      '{"date":"2025-08-07","val":4}',
      '{"date":"1975-01-20","val":11.25}',
    ];
    expect(recogniseFormat(fileOf(page)).id).toBe('bank-rate');
    expect(textsOf(named('bank-rate'), page)).toEqual({ 'GBP/policy_rate': rows });
    const older = '"Date Changed","Rate"\n"18 Dec 25","3.75"\n"07 Aug 25","4"\n"20 Jan 75","11.25"';
    expect(textsOf(named('bank-rate'), older)).toEqual({ 'GBP/policy_rate': rows });
    expect(refusalOf(named('bank-rate'), older.replace('07 Aug 25', '31 Jun 25'))).toMatch(/^Line 3 .*is no date/);
  });

  it('the database of the Bank of England has several codes, lines about them, and Bank Rate for each day', () => {
    const several = 'DATE,IUDSOIA,IUDBEDR\n18 Dec 2025,3.9671,3.75\n19 Dec 2025,,3.75\n';
    expect(recogniseFormat(fileOf(several)).id).toBe('sonia');
    const { 'GBP/risk_free_rate': rates } = textsOf(named('sonia'), several);
    expect(rates).toEqual(['{"date":"2025-12-18","val":3.9671}']);
    const described = `SERIES,DESCRIPTION\nIUDSOIA,Daily rate\n\n${several.replaceAll('IUDBEDR', 'IUDERB7')}`;
    expect(recogniseFormat(fileOf(described)).id).toBe('sonia');
    expect(textsOf(named('sonia'), described)['GBP/risk_free_rate']).toEqual(rates);

    const days = ['16 Dec 2025,4', '17 Dec 2025,4.00', '18 Dec 2025,3.75', '19 Dec 2025,3.75'];
    const change = { 'GBP/policy_rate': ['{"date":"2025-12-18","val":3.75}'] };
    for (const order of [days, days.toReversed()]) {
      const daily = ['DATE,IUDBEDR', ...order, ''].join('\n');
      expect(recogniseFormat(fileOf(daily)).id).toBe('bank-rate');
      expect(textsOf(named('bank-rate'), daily)).toEqual(change);
    }
    const twice = 'DATE,IUDBEDR,IUDBEDR\n17 Dec 2025,4,5\n18 Dec 2025,3.75,5\n';
    expect(refusalOf(named('bank-rate'), twice)).toMatch(/^Line 1 .* the column IUDBEDR stands there twice/);
    // Nobody knows whether the oldest day changed the rate, so the file says nothing of it.
    const cut = ['17 Dec 2025,', '18 Dec 2025,3.75', '19 Dec 2025,3.75', '20 Dec 2025,', '22 Dec 2025,4'];
    for (const order of [cut, cut.toReversed()]) {
      const lines = named('bank-rate').read(fileOf(['DATE,IUDBEDR', ...order, ''].join('\n')));
      expect([...new Set([...lines].map(({ date }) => date))].sort()).toEqual([
        '2025-12-19',
        '2025-12-20',
        '2025-12-22',
      ]);
    }
    // The database begins before the first change of the list.
    const whole = ['02 Jan 1975,11.5', '10 Jan 1975,11.5', '17 Jan 1975,11.5', '20 Jan 1975,11.25'];
    for (const order of [whole, whole.toReversed()])
      expect(textsOf(named('bank-rate'), ['DATE,IUDBEDR', ...order, ''].join('\n'))).toEqual({
        'GBP/policy_rate': ['{"date":"1975-01-20","val":11.25}'],
      });
    // Between these two the rate may have changed on any day, and more than once.
    for (const order of [
      ['01 Aug 2024,5', '07 Nov 2024,4.75'],
      ['07 Nov 2024,5', '01 Aug 2024,5'],
    ])
      expect(refusalOf(named('bank-rate'), ['DATE,IUDBEDR', ...order, ''].join('\n'))).toMatch(
        /^Line 3 .*must have all days between/,
      );
  });

  it('Eurostat has prices in a new data set since 2026, with or without a time of its update', () => {
    const file = (update: string) =>
      [
        'DATAFLOW,LAST UPDATE,freq,unit,coicop18,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG',
        `ESTAT:PRC_HICP_MINR(1.0),${update},M,I25,TOTAL,EA,2026-08,103.15,`,
        `ESTAT:PRC_HICP_MINR(1.0),${update},M,I25,TOTAL,EA,2026-09,103.81,e`,
        `ESTAT:PRC_HICP_MINR(1.0),${update},M,I25,CP01,EA,2026-09,104.1,e`,
        '',
      ].join('\n');
    const knownAt = (update: string) => {
      const found = textsOf(named('eurostat-prices'), file(update))['EUR/inflation/level'] ?? [];
      return found.map((row) => [JSON.parse(row).val, JSON.parse(row).revisions[0].epoch]);
    };
    expect(recogniseFormat(fileOf(file('17/09/26'))).id).toBe('eurostat-prices');
    const [timed, dated] = ['2026-10-02T09:00:00Z', '2026-10-03T12:00:00Z'].map((at) => Date.parse(at) / 1000);
    expect(knownAt('02/10/26 11:00:00')).toEqual([
      [103.15, timed],
      [103.81, timed],
    ]);
    expect(knownAt('02/10/26')).toEqual([
      [103.15, dated],
      [103.81, dated],
    ]);
    for (const update of ['02/10/26 25:61:00', '02/10/26 24:00:00', '29/03/26 02:30:00', '30/02/26'])
      expect(refusalOf(named('eurostat-prices'), file(update))).toMatch(/^Line 2 .*(no time of|do not show|no date)/);
    // A confidential value is `:`, and a forecast is none.
    const [kept] = knownAt('02/10/26');
    for (const [text, flag] of [
      [':', 'c'],
      ['103.81', 'f'],
      ['103.81', 'bf'],
    ] as const)
      expect(
        textsOf(named('eurostat-prices'), file('02/10/26').replace('09,103.81,e', `09,${text},${flag}`))[
          'EUR/inflation/level'
        ]?.map((row) => [JSON.parse(row).val, JSON.parse(row).revisions[0].epoch]),
      ).toEqual([kept]);
    const [title = '', august = '', september = ''] = file('02/10/26').split('\n');
    expect(refusalOf(named('eurostat-prices'), [title, september, august, ''].join('\n'))).toMatch(
      /^Line 3 .*: 2026-08-01 stands behind 2026-09-01/,
    );
  });

  it('the CFTC had another title above the same dates until 2012', () => {
    const year = readFileSync(join(import.meta.dirname, '../fixtures/official/cftc-financial-2026-06.txt'), 'latin1');
    const old = year.replace('Report_Date_as_YYYY-MM-DD', 'Report_Date_as_MM_DD_YYYY');
    expect(old).not.toBe(year);
    expect(recogniseFormat(fileOf(old)).id).toBe('cftc-financial');
    expect(textsOf(named('cftc-financial'), old)).toEqual(textsOf(named('cftc-financial'), year));
  });

  it('the Bank of Canada has bills and CORRA in tables of the same form', () => {
    const valet = (ids: string, ...lines: string[]) =>
      [
        '"TERMS AND CONDITIONS"',
        '"https://www.bankofcanada.ca/terms/"',
        '',
        '"OBSERVATIONS"',
        `"date",${ids}`,
        ...lines,
        '',
      ].join('\n');
    // Its files of 2021-07-14.
    const money = valet(
      '"CL.CDN.MOST.1DL","AVG.INTWO","TB.CDN.30D.MID","TB.CDN.1Y.MID"',
      '"1997-08-12","","3.2500","",""',
      '"2021-07-14","","0.2000","0.16","0.28"',
    );
    expect(recogniseFormat(fileOf(money)).id).toBe('boc-yields');
    expect(textsOf(named('boc-yields'), money)).toEqual({
      'CAD/risk_free_rate': ['{"date":"1997-08-12","val":3.2500}', '{"date":"2021-07-14","val":0.2000}'],
      'CAD/gov_bond_1m': ['{"date":"2021-07-14","val":0.16}'],
      'CAD/gov_bond_1y': ['{"date":"2021-07-14","val":0.28}'],
    });
    const corra = valet('"AVG.INTWO","CORRA_TOTAL_VOLUME"', '"2021-07-14","0.2000","16352677959"');
    expect(textsOf(named('boc-yields'), corra)).toEqual({
      'CAD/risk_free_rate': ['{"date":"2021-07-14","val":0.2000}'],
    });
  });
});

describe('rates from the data service of the ECB', () => {
  const HEADER = 'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS';
  const line = (code: string, date: string, rate: string) =>
    `EXR.D.${code}.EUR.SP00.A,D,${code},EUR,SP00,A,${date},${rate},A`;
  const sdmx = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

  it('are read by the names of the columns, and a missing one is no rate', () => {
    const file = sdmx(
      line('USD', '2024-01-02', '1.0956'),
      line('USD', '2024-01-03', 'NaN'),
      line('GBP', '2024-01-02', '0.8643'),
    );
    expect(recogniseFormat(fileOf(file)).id).toBe('ecb-data');
    expect(textsOf(named('ecb-data'), file)).toEqual({
      'EUR/USD': ['{"date":"2024-01-02","val":1.0956}'],
      'EUR/GBP': ['{"date":"2024-01-02","val":0.8643}'],
    });
  });

  it('are read from a table of the Data Portal', () => {
    const table =
      '"DATE","TIME PERIOD","US dollar/Euro (EXR.D.USD.EUR.SP00.A)"\n"1999-01-04","04 Jan 1999","1.1789"\n"1999-01-05","05 Jan 1999","1.1790"\n';
    expect(recogniseFormat(fileOf(table)).id).toBe('ecb-data');
    expect(textsOf(named('ecb-data'), table)).toEqual({
      'EUR/USD': ['{"date":"1999-01-04","val":1.1789}', '{"date":"1999-01-05","val":1.1790}'],
    });
    const averages = table.replace('SP00.A)', 'SP00.A) - Modified value (Quarterly)');
    expect(refusalOf(named('ecb-data'), averages)).toContain('keys of daily rates');
  });

  it.each([
    [
      'averages of months',
      sdmx(line('USD', '2024-01-02', '1.0956').replaceAll('.D.', '.M.')),
      /^Line 2 .*is no daily rate of the euro/,
    ],
    [
      'changes alone',
      sdmx(line('USD', '2024-01-02', '1.0956'), line('USD', '2024-03-01', '1.08')),
      /^Line 3 .*must have all days between/,
    ],
    [
      'two states of a day',
      sdmx(line('USD', '2024-01-02', '1.0956'), line('USD', '2024-01-02', '1.08')),
      /^Line 3 .*stands in the file twice/,
    ],
  ])('are refused as %s', (_, file, message) => {
    expect(refusalOf(named('ecb-data'), file)).toMatch(message);
  });

  it('are series by their key where they are no daily rates: changes of key rates, and values of periods', () => {
    const keyed = (...lines: string[]) => ['KEY,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS', ...lines, ''].join('\n');
    const told = (file: string) => {
      expect(recogniseFormat(fileOf(file)).id).toBe('ecb-series');
      return textsOf(named('ecb-series'), file);
    };
    const changes = { 'EUR/policy_rate': ['{"date":"2024-06-12","val":3.75}', '{"date":"2024-09-18","val":3.5}'] };
    const key = (letter: string) => `FM.${letter}.U2.EUR.4F.KR.DFR.LEV,${letter}`;
    expect(told(keyed(`${key('B')},2024-06-12,3.75,A`, `${key('B')},2024-09-18,3.5,A`))).toEqual(changes);
    const days = ['2024-06-11,4', '2024-06-12,3.75', '2024-06-13,3.75', '2024-06-14,3.5', '2024-06-15,3.50'];
    const daily = (...listed: string[]) => keyed(...listed.map((cells) => `${key('D')},${cells},A`));
    expect(told(daily(...days))['EUR/policy_rate']).toEqual([
      '{"date":"2024-06-12","val":3.75}',
      '{"date":"2024-06-14","val":3.5}',
    ]);
    expect(refusalOf(named('ecb-series'), daily('2024-06-11,4', '2024-06-12,3.75', '2024-09-18,3.5'))).toMatch(
      /^Line 4 .*must have all days between/,
    );
    expect(
      told(
        keyed(
          'ICP.M.U2.N.000000.4.ANR,M,2025-10,2.1,E',
          'ICP.M.U2.N.000000.4.ANR,M,2025-11,,M',
          'YC.B.U2.EUR.4F.G_N_A.SV_C_YM.SR_10Y,B,2026-10-02,2.71,A',
          'EXR.M.USD.EUR.SP00.A,M,2024-01,1.0905,A',
        ),
      ),
    ).toEqual({
      'EUR/ecb_icp_m_u2_n_000000_4_anr': ['{"date":"2025-10-31","val":2.1}'],
      'EUR/ecb_yc_b_u2_eur_4f_g_n_a_sv_c_ym_sr_10y': ['{"date":"2026-10-02","val":2.71}'],
      'EUR/ecb_exr_m_usd_eur_sp00_a': ['{"date":"2024-01-31","val":1.0905}'],
    });
    const portal =
      '"DATE","TIME PERIOD","Unemployment (LFSI.Q.I10.S.UNEHRT.TOTAL0.15_74.T)"\n"2000-03-31","2000Q1","9.5"\n';
    expect(told(portal)).toEqual({ 'EUR/ecb_lfsi_q_i10_s_unehrt_total0_15_74_t': ['{"date":"2000-03-31","val":9.5}'] });
    expect(refusalOf(named('ecb-series'), portal.replace('LFSI.Q', 'LFSI.M'))).toContain("'2000Q1' is no month");
    expect(refusalOf(named('ecb-series'), keyed('ILM.W.U2.C.A.Z5.EUR,W,2024-W05,1,A'))).toContain("values of 'W'");
    const twice = keyed(`${key('B')},2024-06-12,3.75,A`, `${key('B')},2024-06-12,3.5,A`);
    expect(refusalOf(named('ecb-series'), twice)).toContain('2024-06-12 stands behind 2024-06-12');
  });

  it('have the unit that the file states, with its multiplier, and the title as their name', () => {
    const M3 = 'BSI.M.U2.Y.V.M30.X.1.U2.2300.Z01.E';
    const stated = (...lines: string[]) =>
      [
        'KEY,FREQ,TIME_PERIOD,OBS_VALUE,OBS_STATUS,OBS_CONF,DECIMALS,TITLE,UNIT,UNIT_MULT',
        ...lines.map((cells) => `${M3},M,${cells}`),
        '',
      ].join('\n');
    const file = stated('2026-08,17215318,A,F,0,Monetary aggregate M3,EUR,6', '2026-09,,M,F,0,,EUR,6');
    const [series] = [...surveyOf(named('ecb-series'), file).series.values()];
    expect(series?.series.envelope).toMatchObject({ unit: 'EUR mn', name: 'Monetary aggregate M3' });
    expect(textsOf(named('ecb-series'), file)).toEqual({
      'EUR/ecb_bsi_m_u2_y_v_m30_x_1_u2_2300_z01_e': ['{"date":"2026-08-31","val":17215318}'],
    });
    const refused = (...lines: string[]) => refusalOf(named('ecb-series'), stated(...lines));
    expect(refused('2026-08,1,A,F,0,,EUR,6', '2026-09,1,A,F,0,,EUR,9')).toMatch(
      /^Line 3 .* is in 'EUR bn' here and in 'EUR mn' above/,
    );
    expect(refused('2026-08,1,A,F,0,,EUR,2')).toMatch(/^Line 2 .*its UNIT_MULT is '2' for 'EUR'/);
    expect(refused('2026-08,1,A,F,0,,PCPA,3')).toMatch(/^Line 2 .*its UNIT_MULT is '3' for 'PCPA'/);
    // A number beside the status of a missing one contradicts it; a forecast is no observation.
    expect(refused('2026-08,0,M,F,0,,EUR,6')).toMatch(/^Line 2 .*0 stands beside the status M/);
    expect(textsOf(named('ecb-series'), stated('2026-08,1,A,F,0,,EUR,6', '2026-12,2,F,F,0,,EUR,6'))).toEqual({
      'EUR/ecb_bsi_m_u2_y_v_m30_x_1_u2_2300_z01_e': ['{"date":"2026-08-31","val":1}'],
    });
    const rate = (unit: string) => `${HEADER},UNIT,UNIT_MULT\n${line('JPY', '2024-01-02', '155.5')},${unit}\n`;
    expect(textsOf(named('ecb-data'), rate('JPY,0'))).toEqual({ 'EUR/JPY': ['{"date":"2024-01-02","val":155.5}'] });
    expect(refusalOf(named('ecb-data'), rate('JPY,3'))).toMatch(/^Line 2 .*is in 'JPY k', not in JPY/);
  });

  it('cover the dates of their own currency alone', () => {
    const survey = surveyOf(
      named('ecb-data'),
      sdmx(line('HRK', '2022-12-29', '7.5365'), line('HRK', '2022-12-30', '7.5365'), line('USD', '2026-10-01', '1.1')),
    );
    const commits = [...commitsOf(survey, { now: Date.parse('2026-11-22T00:00:00Z'), isHeld: () => true })];
    expect(commits.map(({ series, window }) => [series.scope.quote, window])).toEqual([
      ['HRK', { from: '2022-12-29', to: '2022-12-30' }],
      ['USD', { from: '2026-10-01', to: '2026-10-01' }],
    ]);
  });
});
