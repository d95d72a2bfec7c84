import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { strToU8, zipSync } from 'fflate';
import { beforeAll, expect, it } from 'vitest';
import { ensureBuilt, PROGRAM } from '../support/built.ts';
import { freshFolder } from '../support/platform.ts';
import { digestOf, startPublisher } from '../support/publisher.ts';

beforeAll(ensureBuilt);

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/official', name), 'latin1');

/** Cells of a file as nobody of the program reads them. */
const cellsIn = (text: string, separator = ',') =>
  text.split(/\r?\n/).map((line) => line.split(separator).map((cell) => cell.replaceAll('"', '').trim()));

// What the publishers have. Decisions of central banks in the form of their services; the rest are excerpts of their files.

const ECB = fixture('ecb-eurofxref-2024-12.csv');
const TREASURY = fixture('treasury-par-yields-2022-03.csv');
const H15 = fixture('frb-h15-2022-03.csv');
const CFTC = fixture('cftc-financial-2026-06.txt');
const BLS = fixture('bls-cpi-2024.txt');
const PACKED = zipSync({ 'eurofxref-hist.csv': strToU8(ECB) });
const VINTAGES = cellsIn(fixture('alfred-payems-change-2021.csv'));
const KEY_RATES = ['2024-06-12,3.75', '2024-09-18,3.5', '2024-10-23,3.25', '2024-12-18,3'];
/** Each weekday, as the database has them. */
const BANK_RATE = Array.from({ length: 101 }, (_, place) => new Date(Date.UTC(2024, 6, 31 + place)))
  .filter((day) => day.getUTCDay() % 6 > 0)
  .map((day) => {
    const date = day.toISOString().slice(0, 10);
    const month = day.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
    const rate = date < '2024-08-01' ? '5.25' : date < '2024-11-07' ? '5' : '4.75';
    return `${date.slice(8)} ${month} ${date.slice(0, 4)},${rate}`;
  });
const FED_FUNDS = ['2024-09-18,5.50', '2024-09-19,5.00', '2024-09-20,5.00', '2024-09-21,5.00', '2024-09-22,5.00'];
/** Made up: Taiwan dollars for a dollar. */
const TAIWAN = ['2024-12-16,32.4800', '2024-12-17,32.5100', '2024-12-18,32.5300'];

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

/** The table of H.15 as the Board gives the release since it ends its Data Download Program. */
function boardXml(table: string): string {
  const rows = cellsIn(table);
  const [ids = []] = rows.filter(([first]) => first === 'Time Period');
  const days = rows.filter(([first]) => /^\d{4}-/.test(first ?? ''));
  const series = ids.slice(1).map((id, at) => {
    const observed = days.map((cells) => {
      const text = cells[at + 1];
      const isMissing = text === 'ND' || text === '';
      return `<frb:Obs OBS_STATUS="${isMissing ? 'ND' : 'A'}" OBS_VALUE="${isMissing ? '-9999' : text}" TIME_PERIOD="${cells[0]}" />`;
    });
    return `<kf:Series CURRENCY="NA" FREQ="9" SERIES_NAME="${id}" UNIT="Percent:_Per_Year" UNIT_MULT="1">${observed.join('')}</kf:Series>`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?><message:MessageGroup xmlns:message="m" xmlns:frb="f" ' +
    'xmlns:kf="http://www.federalreserve.gov/structure/compact/H15_H15"><frb:DataSet id="H15">' +
    `${series.join('')}</frb:DataSet></message:MessageGroup>`
  );
}

/** A file of ALFRED with the vintages that were asked for. */
function vintagesOf(days: readonly string[]): string {
  const [header = []] = VINTAGES;
  const places = days.map((day) => header.indexOf(`PAYEMS_CHG_${day.replaceAll('-', '')}`));
  return lines(
    ...VINTAGES.filter((cells) => cells.length > 1).map((cells) =>
      [cells[0] === 'DATE' ? 'observation_date' : cells[0], ...places.map((place) => cells[place])].join(','),
    ),
  );
}

async function tour() {
  const publisher = await startPublisher();
  const folder = freshFolder();
  const at = (path: string) => `${publisher.origin}${path}`;
  const sites = ['ecb', 'h15', 'alfred', 'fred', 'bls-prices', 'ecb-series', 'bank-rate'];
  const settings = {
    ...Object.fromEntries(sites.map((id) => [id, { address: at('/'), contact: 'desk@example.com' }])),
    // Of a file for each year the tour has one.
    treasury: { address: at('/treasury-2022.csv') },
    'cftc-financial': { address: at('/fut_fin_2026.txt') },
  };
  writeFileSync(join(folder, 'publishers.json'), JSON.stringify(settings));
  const env = { PATH: process.env.PATH, MACRO_HOME: folder, MACRO_PUBLISHERS_FILE: join(folder, 'publishers.json') };
  const macro = async (...words: readonly string[]) => {
    const done = await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env, cwd: folder }).catch(
      (error: { code?: number; stdout?: string; stderr?: string }) => error,
    );
    return { code: 'code' in done ? (done.code ?? 0) : 0, out: String(done.stdout), err: String(done.stderr) };
  };
  /** Rows of an answer, by the words of its first line. */
  const rows = async (line: string) => {
    const { code, out, err } = await macro(...line.split(' '), '--format', 'csv');
    const [titles = [], ...found] = cellsIn(out.trim());
    return { code, err, rows: found, titles };
  };
  return { publisher, folder, macro, rows };
}

/** The vintages of ALFRED that a run asks for: twelve in a file, one of which was in the file before. */
const VINTAGE_DAYS = (VINTAGES[0] ?? [])
  .slice(1)
  .map((title) => title.replace(/^.*_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))
  .sort();

function offerAll({ publisher }: Awaited<ReturnType<typeof tour>>): void {
  publisher.offer('/stats/eurofxref/eurofxref-hist.zip', { body: PACKED, etag: '"1"' });
  publisher.offer('/treasury-2022.csv', TREASURY);
  publisher.offer('/releases/h15/data/FRB_h15_xml.zip', { body: zipSync({ 'H15_data.xml': strToU8(boardXml(H15)) }) });
  publisher.offer('/fut_fin_2026.txt', CFTC);
  publisher.offer('/pub/time.series/cu/cu.data.1.AllItems', BLS);
  publisher.offer('/graph/fredgraph.csv?id=DFEDTARU', lines('observation_date,DFEDTARU', ...FED_FUNDS));
  publisher.offer('/graph/fredgraph.csv?id=DEXTAUS', lines('observation_date,DEXTAUS', ...TAIWAN));
  publisher.offer(
    '/service/data/FM/B.U2.EUR.4F.KR.DFR.LEV?format=csvdata',
    lines('KEY,FREQ,TIME_PERIOD,OBS_VALUE', ...KEY_RATES.map((cells) => `FM.B.U2.EUR.4F.KR.DFR.LEV,B,${cells}`)),
  );
  publisher.offer(
    '/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=02/Jan/1975&Dateto=now&SeriesCodes=IUDBEDR&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N',
    lines('DATE,IUDBEDR', ...BANK_RATE),
  );
  publisher.offer(
    '/series/downloaddata?seid=PAYEMS_CHG',
    `<select id="form_selected_vintage_dates">${VINTAGE_DAYS.map((day) => `<option value="${day}">${day}</option>`).join('')}</select>`,
  );
  for (const asked of [VINTAGE_DAYS.slice(0, 11), VINTAGE_DAYS.slice(10)])
    publisher.offer(
      `/graph/alfredgraph.csv?id=${asked.map(() => 'PAYEMS_CHG').join(',')}&vintage_date=${asked.join(',')}`,
      vintagesOf(asked),
    );
}

const SOURCES = [
  'ecb',
  'treasury',
  'h15',
  'cftc-financial',
  'bls-prices',
  'fred DEXTAUS DFEDTARU',
  'ecb-series FM.B.U2.EUR.4F.KR.DFR.LEV',
  'bank-rate',
  'alfred PAYEMS_CHG vintages=2021-01',
];

/** The numbers of a column of a table of dates, by their date. */
function columnOf(text: string, title: string): ReadonlyMap<string, number> {
  const [header = [], ...rows] = cellsIn(text);
  const place = header.indexOf(title);
  return new Map(rows.map((cells) => [cells[0] ?? '', Number(cells[place])]));
}

it('answers questions of an analyst from what publishers have, and from nothing else', {
  timeout: 120_000,
}, async () => {
  const at = await tour();
  const { publisher, folder, macro, rows } = at;
  offerAll(at);
  expect((await macro('track', 'add', SOURCES.join(', '))).code).toBe(0);
  const first = await macro('sync', '--format', 'json');
  expect([first.code, JSON.parse(first.out).outcome]).toEqual([0, 'complete']);
  const asked = publisher.asked.length;

  // 1. Rates with indicators.
  const euro = columnOf(ECB, 'USD');
  const twenty = [...euro.values()].slice(0, 20);
  const { rows: rates } = await rows('fx eur usd --indicators sma_20 --start 2024-12-18 --fields date,val,sma_20');
  expect(rates.map(([date, val]) => [date, Number(val)])).toEqual([['2024-12-18', euro.get('2024-12-18')]]);
  expect(Number(rates[0]?.[2])).toBeCloseTo(twenty.reduce((sum, one) => sum + one, 0) / 20, 6);

  // 2. A cross over two publishers.
  const cross = await rows('fx eur twd --start 2024-12-16 --end 2024-12-18 --fields date,val');
  expect(cross.rows.map(([date, val]) => [date, Number(val).toFixed(4)])).toEqual(
    TAIWAN.toReversed().map((cells) => {
      const [date = '', taiwan] = cells.split(',');
      return [date, (Number(euro.get(date)) * Number(taiwan)).toFixed(4)];
    }),
  );
  expect(cross.err).toContain('EUR/TWD is computed from EUR/USD,USD/TWD.');

  // 3. Payrolls as first printed and as revised, as rows, as a triangle and as a picture.
  const months = '--start 2021-10-01 --end 2021-12-31';
  const change = (month: string, day: string) => {
    const place = VINTAGES[0]?.indexOf(`PAYEMS_CHG_${day.replaceAll('-', '')}`) ?? -1;
    return VINTAGES.find(([date]) => date === month)?.[place] ?? expect.fail();
  };
  const [november, december, january] = ['2021-11-05', '2021-12-03', '2022-01-07'];
  const triangle = [
    ['2021-12-31', '', '', change('2021-12-01', january)],
    ['2021-11-30', '', change('2021-11-01', december), change('2021-11-01', january)],
    ['2021-10-31', change('2021-10-01', november), change('2021-10-01', december), change('2021-10-01', january)],
  ];
  const payrolls = `announcements usd non_farm_payrolls_change ${months}`;
  const down = await rows(`${payrolls} --triangle`);
  const each = await rows(`${payrolls} --revisions all --fields date,val,known_at,is_first_release`);
  expect(each.rows.filter(([date]) => date === '2021-10-31')).toEqual([
    ['2021-10-31', change('2021-10-01', november), '2021-11-05T12:30:00Z', 'true'],
    ['2021-10-31', change('2021-10-01', december), '2021-12-03T13:30:00Z', 'false'],
    ['2021-10-31', change('2021-10-01', january), '2022-01-07T13:30:00Z', 'false'],
  ]);
  // A release whose file has no vintage before it may not be the first.
  const firsts = new Map(each.rows.flatMap(([date = '', val, , isFirst]) => (isFirst === 'true' ? [[date, val]] : [])));
  expect([down.titles, ...down.rows]).toEqual([
    ['date', 'first_print', november, december, january],
    ...triangle.map(([date = '', ...vintages]) => [date, firsts.get(date) ?? '', ...vintages]),
  ]);
  const drawn = await macro(...`${payrolls} --triangle --output vintages.svg`.split(' '));
  // A line for each vintage; the scale has 700 at 88 and 100 at 428.
  const heights = [...readFileSync(join(folder, 'vintages.svg'), 'utf8').matchAll(/<path d="([^"]*)"/g)].map(
    ([, path = '']) =>
      [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Math.round(700 - ((Number(y) - 88) / 340) * 600)),
  );
  const printed = (vintage: number) => triangle.flatMap((cells) => Number(cells[vintage]) || []).reverse();
  expect([drawn.code, heights]).toEqual([0, [printed(1), printed(2), printed(3)]]);

  // 4. Inflation as it was known at a moment, by the real time of its release.
  writeFileSync(
    join(folder, 'bls.csv'),
    'Reference Month,Release Date,Release Time\nDecember 2023,"Jan. 11, 2024",08:30 AM\nJanuary 2024,"Feb. 13, 2024",08:30 AM\n',
  );
  const prices = new Map(cellsIn(BLS, '\t').map(([, year, month, index]) => [`${year}-${month}`, Number(index)]));
  const overYear = (year: number, month: string) =>
    ((Number(prices.get(`${year}-${month}`)) / Number(prices.get(`${year - 1}-${month}`)) - 1) * 100).toFixed(1);
  const newestAt = async (moment: string) => {
    const found = await rows(
      `announcements usd inflation --start 2023-11-01 --end 2024-01-31 --as-of ${moment} --fields date,val`,
    );
    return found.rows[0];
  };
  expect(await newestAt('2024-02-20T12:00:00Z')).toEqual(['2023-12-31', overYear(2023, 'M12')]);
  const brought = await macro('import', 'calendar', 'bls.csv', '--as', 'usd inflation', '--zone', 'America/New_York');
  expect(brought.code).toBe(0);
  expect(await newestAt('2024-02-13T13:29:59Z')).toEqual(['2023-12-31', overYear(2023, 'M12')]);
  expect(await newestAt('2024-02-13T13:30:00Z')).toEqual(['2024-01-31', overYear(2024, 'M01')]);

  // 5. The surprise of a release: no publisher has forecasts, and the answer says so.
  const surprise = await rows(`${payrolls} --forecasts --surprise --fields date,val`);
  expect([surprise.code, surprise.err]).toEqual([
    0,
    expect.stringContaining(
      'Forecasts are left out: the mirror has none of USD, and no publisher offers any. With a service: macro sync predictions usd non_farm_payrolls_change',
    ),
  ]);

  // 6. A yield curve on a date.
  const [maturities = [], ...curves] = cellsIn(TREASURY);
  const newest = curves.find(([date]) => date === '03/11/2022') ?? expect.fail();
  const curve = await rows('curve usd --date 2022-03-11 --fields maturity,val');
  expect(curve.rows.map(([maturity, val]) => [maturity, Number(val)])).toEqual(
    maturities.slice(1).flatMap((title, place) => {
      const text = newest[place + 1] ?? '';
      return text === '' ? [] : [[title.replace(' Mo', 'M').replace(' Yr', 'Y'), Number(text)]];
    }),
  );

  // 7. Positions of traders.
  const [counts = [], ...reports] = cellsIn(CFTC.replaceAll(/"[^"]*"/g, (quoted) => quoted.replaceAll(',', ' ')));
  const euroReports = reports.filter((cells) => cells[counts.indexOf('CFTC_Contract_Market_Code')] === '099741');
  const positions = await rows(
    'cot eur --report tff_futures --start 2026-01-01 --fields date,leveraged_funds_long,leveraged_funds_short',
  );
  expect(positions.rows).toEqual(
    euroReports.map((cells) =>
      ['Report_Date_as_YYYY-MM-DD', 'Lev_Money_Positions_Long_All', 'Lev_Money_Positions_Short_All'].map(
        (title) => cells[counts.indexOf(title)],
      ),
    ),
  );

  // 8. Policy rates of three central banks.
  const decided = async (line: string) => (await rows(`announcements ${line} --fields date,val`)).rows;
  expect(await decided('eur policy_rate --start 2024-06-12 --end 2024-12-18')).toEqual(
    KEY_RATES.toReversed().map((cells) => cells.split(',')),
  );
  expect(await decided('gbp policy_rate --start 2024-08-01 --end 2024-11-08')).toEqual([
    ['2024-11-07', '4.75'],
    ['2024-08-01', '5'],
  ]);
  expect(await decided('usd fred_dfedtaru --start 2024-09-18 --end 2024-09-22')).toEqual(
    FED_FUNDS.toReversed().map((cells) => cells.split(',')),
  );

  // 9. The same yield by its origins.
  const [ids = [], ...yields] = cellsIn(H15).filter(([text = '']) => text === 'Time Period' || /^\d{4}-/.test(text));
  const compared = await rows('compare usd gov_bond_10y --origins --start 2022-03-09 --end 2022-03-11');
  const treasury = columnOf(TREASURY, '10 Yr');
  expect(compared.rows.map((cells) => cells.slice(0, 3))).toEqual(
    ['2022-03-11', '2022-03-10', '2022-03-09'].map((date) => {
      const board = yields.find(([day]) => day === date)?.[ids.indexOf('RIFLGFCY10_N.B')];
      const [year, month, day] = date.split('-');
      return [date, treasury.get(`${month}/${day}/${year}`)?.toFixed(2), board];
    }),
  );

  // 10. A number down to the bytes that it stood in.
  const [why] = (await rows('why eur/usd 2024-12-18 --fields val,request')).rows;
  expect(why?.[0]).toBe('1.0496');
  expect(why?.[1]).toContain(`sha256:${digestOf(PACKED)} from ${publisher.origin}/stats/eurofxref/eurofxref-hist.zip`);

  // Nobody was asked again.
  expect(publisher.asked.length).toBe(asked);
});
