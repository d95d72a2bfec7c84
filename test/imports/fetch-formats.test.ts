import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { IMPORT_FORMATS } from '../../src/imports/formats.ts';
import { createNodeFetch } from '../../src/platform/node-network.ts';
import { testPlatform } from '../support/platform.ts';
import { type Fault, type LoopbackPublisher, startPublisher } from '../support/publisher.ts';
import { macro } from '../support/run.ts';

const here = import.meta.dirname;
const fixture = (name: string) => readFileSync(join(here, '../fixtures/official', name));
const SHARED = join(here, '../../../shared/data/official');

/** A file of a publisher at its path, and what a revision of it changes. */
interface Published {
  readonly words: string;
  readonly now: string;
  readonly path: string;
  readonly body: () => Buffer;
  /** Bytes of a value, and what the publisher corrects them to; left out of a workbook. */
  readonly revision?: readonly [from: string, to: string];
  /** Name of the file in the archive that is offered, beside a description of its structure. */
  readonly member?: string;
  /** Page that is asked first. */
  readonly page?: { readonly path: string; readonly body: string };
}

const text = (...lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

const EUROSTAT = [
  'DATAFLOW,LAST UPDATE,freq,unit,coicop18,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG,CONF_STATUS',
  ...['2025-11,100.86', '2025-12,101.10', '2026-01,100.33', '2026-02,100.97'].map(
    (cells) => `ESTAT:PRC_HICP_MINR(1.0),01/04/26 11:00:00,M,I25,TOTAL,EA,${cells},,`,
  ),
];

/** Made up, in the form of the data service. */
const KEY_RATES = [
  'KEY,FREQ,REF_AREA,CURRENCY,PROVIDER_FM,INSTRUMENT_FM,PROVIDER_FM_ID,DATA_TYPE_FM,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE',
  ...['2024-06-12,3.75', '2024-09-18,3.5', '2024-10-23,3.25', '2024-12-18,3'].map(
    (cells) => `FM.B.U2.EUR.4F.KR.DFR.LEV,B,U2,EUR,4F,KR,DFR,LEV,${cells},A,"Deposit facility, rate"`,
  ),
];

/** A release of the Board as XML: what of it is read, and averages beside it. */
const board = (release: string, series: string, observations: readonly string[], attributes: string) => [
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
  '<message:MessageGroup xmlns:message="http://www.SDMX.org/resources/SDMXML/schemas/v1_0/message" ' +
    'xmlns:frb="http://www.federalreserve.gov/structure/compact/common">',
  `<frb:DataSet id="${release}" xmlns:kf="http://www.federalreserve.gov/structure/compact/${release}_${release}">`,
  `<kf:Series ${attributes} FREQ="9" SERIES_NAME="${series}" UNIT_MULT="1"  >`,
  ...observations.map((cells) => {
    const [day, value, status = 'A'] = cells.split(',');
    return `<frb:Obs OBS_STATUS="${status}" OBS_VALUE="${value}" TIME_PERIOD="${day}" />`;
  }),
  '</kf:Series>',
  `<kf:Series ${attributes} FREQ="129" SERIES_NAME="${series.replace('.B', '.M')}" UNIT_MULT="1"  >`,
  '<frb:Obs OBS_STATUS="A" OBS_VALUE="99" TIME_PERIOD="2026-10-31" />',
  '</kf:Series>',
  '</frb:DataSet>',
  '</message:MessageGroup>',
];

const H10 = board(
  'H10',
  'RXI$US_N.B.AL',
  ['2026-11-16,0.6512', '2026-11-17,0.6488', '2026-11-18,0.6501', '2026-11-19,-9999,ND', '2026-11-20,0.6495'],
  'CURRENCY="AUD" FX="AUD" UNIT="Currency"',
);

const H15 = board(
  'H15',
  'RIFLGFCY10_N.B',
  ['2026-11-16,4.70', '2026-11-17,4.68', '2026-11-18,4.63', '2026-11-19,4.65'],
  'CURRENCY="NA" UNIT="Percent:_Per_Year"',
);

/** Made up. */
const EXR = [
  'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS',
  ...['2026-11-17,1.1512', '2026-11-18,1.1498', '2026-11-19,1.1505', '2026-11-20,1.1495'].map(
    (cells) => `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,${cells},A`,
  ),
];

const CASES: readonly Published[] = [
  {
    words: 'ecb-data usd',
    now: '2026-11-20T22:00:00Z',
    path: '/service/data/EXR/D.USD.EUR.SP00.A?format=csvdata',
    body: () => text(...EXR),
    revision: ['1.1495', '1.1496'],
  },
  {
    words: 'bundesbank usd',
    now: '2022-04-14T20:00:00Z',
    path: '/rest/download/BBEX3/D.USD.EUR.BB.AC.000?format=csv&lang=en',
    body: () => fixture('bbk-eur-usd-2022-04-de.csv'),
    revision: ['2022-04-14;1,0878', '2022-04-14;1,0879'],
  },
  {
    words: 'bank-of-canada',
    now: '2017-02-01T00:00:00Z',
    path: '/valet/observations/group/FX_RATES_DAILY/csv?start_date=2017-01-03',
    body: () => fixture('boc-fx-daily-2017-01.csv'),
    revision: ['"1.6388"', '"1.6389"'],
  },
  {
    words: 'rba',
    now: '2024-12-18T10:00:00Z',
    path: '/statistics/tables/csv/f11.1-data.csv',
    body: () => fixture('rba-f11.1-2024-12.csv'),
    revision: ['96.87,0.6010', '96.87,0.6011'],
  },
  {
    words: 'nbp start=2022',
    now: '2022-12-30T14:00:00Z',
    path: '/dane/kursy/Archiwum/archiwum_tab_a_2022.csv',
    body: () => fixture('nbp-table-a-2022-12.csv'),
    revision: ['20221230;0,1271;4,4018', '20221230;0,1271;4,4019'],
  },
  {
    words: 'h10',
    now: '2026-11-24T22:00:00Z',
    path: '/releases/h10/data/FRB_h10_xml.zip',
    body: () => text(...H10),
    member: 'H10_data.xml',
    revision: ['0.6495', '0.6496'],
  },
  {
    words: 'h15',
    now: '2026-11-20T22:00:00Z',
    path: '/releases/h15/data/FRB_h15_xml.zip',
    body: () => text(...H15),
    member: 'H15_data.xml',
    revision: ['4.65', '4.66'],
  },
  {
    words: 'treasury start=2022',
    now: '2022-03-12T00:00:00Z',
    path: '/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/2022/all?type=daily_treasury_yield_curve&field_tdr_date_value=2022&page&_format=csv',
    body: () => fixture('treasury-par-yields-2022-03.csv'),
    revision: ['02/14/2022,0.03', '02/14/2022,0.04'],
  },
  {
    words: 'boc-yields',
    now: '2021-07-15T22:00:00Z',
    path: '/valet/observations/group/bond_yields_all/csv',
    body: () => fixture('boc-bond-yields-2021-07.csv'),
    revision: ['"1.73","0.45"', '"1.73","0.46"'],
  },
  {
    words: 'fred unrate',
    now: '2026-03-30T23:00:00Z',
    path: '/graph/fredgraph.csv?id=UNRATE',
    body: () => fixture('fred-unrate-2026.csv'),
    revision: ['2026-02-01,4.4', '2026-02-01,4.5'],
  },
  {
    words: 'cftc-legacy start=2025',
    now: '2025-01-25T00:00:00Z',
    path: '/files/dea/history/deacot2025.zip',
    body: () => fixture('cftc-legacy-2025-01.txt'),
    revision: ['  609492', '  609493'],
  },
  {
    words: 'cftc-financial start=2026',
    now: '2026-06-13T00:00:00Z',
    path: '/files/dea/history/fut_fin_txt_2026.zip',
    body: () => fixture('cftc-financial-2026-06.txt'),
  },
  {
    words: 'eurostat-prices',
    now: '2026-04-02T00:00:00Z',
    path: '/eurostat/api/dissemination/sdmx/2.1/data/prc_hicp_minr/M.I25.TOTAL.EA?format=SDMX-CSV',
    body: () => text(...EUROSTAT),
    revision: ['100.97', '100.98'],
  },
  {
    words: 'ecb-series FM.B.U2.EUR.4F.KR.DFR.LEV',
    now: '2025-01-08T12:00:00Z',
    path: '/service/data/FM/B.U2.EUR.4F.KR.DFR.LEV?format=csvdata',
    body: () => text(...KEY_RATES),
    revision: ['2024-12-18,3,', '2024-12-18,3.1,'],
  },
  {
    words: 'bank-rate',
    now: '2025-12-20T12:00:00Z',
    path: '/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=02/Jan/1975&Dateto=now&SeriesCodes=IUDBEDR&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N',
    body: () => text('DATE,IUDBEDR', '15 Dec 2025,4', '16 Dec 2025,4', '17 Dec 2025,4', '18 Dec 2025,3.75'),
    revision: ['3.75', '3.85'],
  },
  {
    words: 'sonia',
    now: '2024-01-10T00:00:00Z',
    path: '/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=02/Jan/1997&Dateto=now&SeriesCodes=IUDSOIA&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N',
    body: () =>
      text('DATE,IUDSOIA', '02 Jan 2024,5.1866', '03 Jan 2024,5.1871', '04 Jan 2024,5.1870', '05 Jan 2024,5.1869'),
    revision: ['5.1869', '5.1868'],
  },
  {
    words: 'bls-prices',
    now: '2026-09-20T00:00:00Z',
    path: '/pub/time.series/cu/cu.data.1.AllItems',
    body: () =>
      text(
        'series_id        \tyear\tperiod\t       value\tfootnote_codes\r',
        ...['M05', 'M06', 'M07', 'M08'].map((month, at) => `CUUR0000SA0      \t2026\t${month}\t     32${at}.465\t\r`),
      ),
    revision: ['323.465', '323.466'],
  },
  {
    words: 'philadelphia employMvMd',
    now: '2024-04-10T00:00:00Z',
    path: '/-/media/FRBP/Assets/Surveys-And-Data/real-time-data/data-files/xlsx/employMvMd.xlsx',
    body: () => readFileSync(join(SHARED, 'philadelphia-fed/employMvMd.xlsx')),
  },
  {
    words: 'pink-sheet',
    now: '2026-11-20T00:00:00Z',
    path: '/doc/74e8-0050012026/related/CMO-Historical-Data-Monthly.xlsx',
    page: {
      path: '/en/research/commodity-markets',
      body: '<html><a href="/about">x</a> <a class="b" href="/doc/74e8-0050012026/related/CMO-Historical-Data-Monthly.xlsx">Monthly</a></html>',
    },
    body: () => readFileSync(join(SHARED, 'world-bank/CMO-Historical-Data-Monthly.xlsx')),
  },
];

const FAULTS: readonly (readonly [Fault, RegExp])[] = [
  ['html', /page of the web|is none of|names no file/],
  ['empty', /is empty/],
  ['half', /shorter than the last time|cannot be imported|is none of|names no file/],
  ['cut gzip', /is packed and was cut off/],
  ['cut body', /Cannot get an answer/],
  ['elsewhere', /redirected to another place/],
  ['forbidden', /\(403\)/],
];

interface World {
  readonly publisher: LoopbackPublisher;
  readonly world: ReturnType<typeof testPlatform>;
  readonly run: (line: string) => ReturnType<typeof macro>;
}

async function worldOf({ words, now }: Published): Promise<World> {
  const publisher = await startPublisher();
  const env = { MACRO_PUBLISHERS_FILE: 'publishers.json' };
  const world = testPlatform({ now, fetch: createNodeFetch(), env });
  const [format = ''] = words.split(' ');
  const setting = { address: `${publisher.origin}/`, contact: 'a@example.com' };
  writeFileSync(join(world.folder, 'publishers.json'), JSON.stringify({ [format]: setting }));
  return { publisher, world, run: (line) => macro(line, world) };
}

/** Everything that the mirror tells of itself. */
async function stored({ run }: World): Promise<readonly string[]> {
  const lines = ['import list --format json', 'mirror status --format json', 'mirror verify --format json'];
  const told: string[] = [];
  for (const line of lines) told.push((await run(line)).out);
  return told;
}

const isThere = ({ words }: Published) =>
  !['philadelphia', 'pink-sheet'].includes(words.split(' ')[0] ?? '') || existsSync(SHARED);

describe.for(CASES.filter(isThere))('$words', (one) => {
  const { words, path, body, revision, page, member } = one;
  const packed = (whole: Buffer) =>
    member === undefined
      ? whole
      : zipSync({ [member]: whole, [member.replace('data', 'struct')]: Buffer.from('<a/>') });

  it('is planned, fetched, confirmed, revised, and left alone after every fault', async () => {
    const at = await worldOf(one);
    const { publisher, run } = at;
    const whole = body();
    if (page) publisher.offer(page.path, page.body);
    publisher.offer(path, { body: packed(whole), etag: '"1"' });

    const { out: planned } = await run(`sync --plan ${words} --format json`);
    const rows: { reason: string; requests: number; why: string }[] = JSON.parse(planned).data;
    expect(rows.map(({ reason, requests, why }) => [reason, requests, why])).toEqual([
      [page ? 'page' : 'file', 1, 'never fetched'],
    ]);
    expect(publisher.asked).toEqual([]);

    const first = await run(`sync ${words} --format json`);
    expect([first.code, first.err]).toEqual([0, '']);
    expect(publisher.asked).toEqual(page ? [page.path, path] : [path]);
    expect(publisher.headers()['user-agent']).toMatch(/^macro-data\/[\d.]+ \(\+https:\/\/\S+?(; a@example\.com)?\)$/);
    expect([publisher.headers().cookie, publisher.headers()['x-api-key']]).toEqual([undefined, undefined]);
    const [brought] = JSON.parse(first.out).data;
    expect(brought.added).toBeGreaterThan(0);

    at.world.clock.jump(3_600_000);
    const again = JSON.parse((await run(`sync ${words} --format json`)).out);
    expect([again.outcome, again.rows]).toEqual(['complete', { added: 0, revised: 0, vanished: 0, unchanged: 0 }]);
    expect(publisher.headers()['if-none-match']).toBe('"1"');
    const { data: listed } = JSON.parse((await run('import list --format json')).out);
    expect(listed.map(({ address }: { address: string }) => address)).toEqual([`${publisher.origin}${path}`]);

    const before = await stored(at);
    for (const [fault, words2] of FAULTS) {
      publisher.fail(fault);
      const failed = await run(`import ${words.replace(/ start=(\d+)/, ' --start $1')}`);
      expect([fault, failed.code, failed.err]).toEqual([
        fault,
        expect.toBeOneOf([6, 7]),
        expect.stringMatching(words2),
      ]);
      expect(await stored(at)).toEqual(before);
    }
    publisher.fail(undefined);

    if (!revision) return;
    const [from, to] = revision;
    const corrected = Buffer.from(whole.toString('latin1').replace(from, to), 'latin1');
    expect(corrected.equals(whole)).toBe(false);
    publisher.offer(path, { body: packed(corrected), etag: '"2"' });
    const revised = JSON.parse((await run(`sync ${words} --format json`)).out);
    expect([revised.outcome, revised.rows.added, revised.rows.vanished]).toEqual(['complete', 0, 0]);
    expect(revised.rows.revised).toBeGreaterThan(0);
  });
});

it('every official format says how it is fetched, and those that are not here are fetched by hand or have tests of their own', () => {
  const tested = CASES.map(({ words }) => words.split(' ')[0]);
  const others = IMPORT_FORMATS.filter(({ id }) => !tested.includes(id));
  expect(IMPORT_FORMATS.filter(({ download }) => !download)).toEqual([]);
  expect(others.map(({ id }) => id).sort()).toEqual(['alfred', 'alfred-periods', 'ecb', 'fred-md']);
});

it('the page of imports says of every address when it was last seen in use, and by what evidence', () => {
  const page = readFileSync(join(here, '../../docs/imports.md'), 'utf8');
  const seen = [...page.matchAll(/^- `([a-z\d-]+)`: \d{4}(?:-\d\d-\d\d)?, \S/gm)].map(([, id]) => id);
  expect(seen).toEqual(IMPORT_FORMATS.flatMap(({ id, download }) => (download?.address ? id : [])));
});
