import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  /** Page that is asked first. */
  readonly page?: { readonly path: string; readonly body: string };
}

const text = (...lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

const EUROSTAT = [
  'DATAFLOW,LAST UPDATE,freq,unit,coicop,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG',
  ...['2025-11,128.86', '2025-12,129.10', '2026-01,128.33', '2026-02,128.97'].map(
    (cells) => `ESTAT:PRC_HICP_MIDX(1.0),01/04/26 11:00:00,M,I15,CP00,EA20,${cells},`,
  ),
];

const H10 = [
  '"Series Description","AUSTRALIA -- SPOT EXCHANGE RATE, US$/AUSTRALIAN $"',
  '"Unit:","Currency:_Per_AUD"',
  '"Multiplier:","1"',
  '"Currency:","USD"',
  '"Unique Identifier: ","H10/H10/RXI$US_N.B.AL"',
  '"Time Period","RXI$US_N.B.AL"',
  '2026-11-16,0.6512',
  '2026-11-17,0.6488',
  '2026-11-18,0.6501',
  '2026-11-19,ND',
  '2026-11-20,0.6495',
];

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
    path: '/datadownload/Output.aspx?rel=H10&series=60f32914ab61dfab590e0e470153e3ae&lastobs=&from=&to=&filetype=csv&label=include&layout=seriescolumn&type=package',
    body: () => text(...H10),
    revision: ['0.6495', '0.6496'],
  },
  {
    words: 'h15',
    now: '2022-03-14T22:00:00Z',
    path: '/datadownload/Output.aspx?rel=H15&series=bf17364827e38702b42a58cf8eaa3f78&lastobs=&from=&to=&filetype=csv&label=include&layout=seriescolumn&type=package',
    body: () => fixture('frb-h15-2022-03.csv'),
    revision: ['2022-03-11,0.17', '2022-03-11,0.18'],
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
    path: '/eurostat/api/dissemination/sdmx/2.1/data/prc_hicp_midx/M.I15.CP00.EA20?format=SDMX-CSV',
    body: () => text(...EUROSTAT),
    revision: ['128.97', '128.98'],
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
  const { words, path, body, revision, page } = one;

  it('is planned, fetched, confirmed, revised, and left alone after every fault', async () => {
    const at = await worldOf(one);
    const { publisher, run } = at;
    const whole = body();
    if (page) publisher.offer(page.path, page.body);
    publisher.offer(path, { body: whole, etag: '"1"' });

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
    publisher.offer(path, { body: corrected, etag: '"2"' });
    const revised = JSON.parse((await run(`sync ${words} --format json`)).out);
    expect([revised.outcome, revised.rows.added, revised.rows.vanished]).toEqual(['complete', 0, 0]);
    expect(revised.rows.revised).toBeGreaterThan(0);
  });
});

it('every official format says how it is fetched, and those that are not here are fetched by hand or have tests of their own', () => {
  const tested = CASES.map(({ words }) => words.split(' ')[0]);
  const others = IMPORT_FORMATS.filter(({ id }) => !tested.includes(id));
  expect(IMPORT_FORMATS.filter(({ download }) => !download)).toEqual([]);
  expect(others.map(({ id }) => id).sort()).toEqual(['alfred', 'alfred-periods', 'bank-rate', 'ecb', 'fred-md']);
});
