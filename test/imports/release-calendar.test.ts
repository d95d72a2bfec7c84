// Real release times out of calendar files, in place of those that importers assume.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFile } from '../../src/imports/read/open-file.ts';
import { readCalendarFile } from '../../src/imports/releases/import-calendar.ts';
import { ALL_PAYROLLS, chosenPayrolls } from '../support/payrolls.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const fileOf = (name: string, text: string) => openFile({ name, pieces: () => [new TextEncoder().encode(text)] });
const read = (text: string, zone?: string) =>
  readCalendarFile(fileOf('calendar', text), zone).map(({ at, title, period }) => [
    at === undefined ? undefined : new Date(at * 1000).toISOString(),
    title,
    period,
  ]);

const ICS = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'DTSTART;TZID=US-Eastern:20210806T083000',
  'SUMMARY:Employment Situation for July 20',
  ' 21',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART:20210903T124500Z',
  'SUMMARY:Employment Situation for August 2021',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART:20210903T140000Z',
  'SUMMARY:Employment Situation of Veterans for 2021',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART;VALUE=DATE:20211008',
  'SUMMARY:Employment Situation',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART:20210907T120000Z',
  'STATUS:CANCELLED',
  'SUMMARY:Employment Situation',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'DTSTART:20210914T123000Z',
  'SUMMARY:Consumer Price Index\\, August 2021',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

describe('a calendar file', () => {
  it('of iCalendar has the times of its zones, days alone, and no cancelled event', () => {
    expect(read(ICS)).toEqual([
      ['2021-08-06T12:30:00.000Z', 'Employment Situation for July 2021', '2021-07-31'],
      ['2021-09-03T12:45:00.000Z', 'Employment Situation for August 2021', '2021-08-31'],
      ['2021-09-03T14:00:00.000Z', 'Employment Situation of Veterans for 2021', undefined],
      [undefined, 'Employment Situation', undefined],
      ['2021-09-14T12:30:00.000Z', 'Consumer Price Index, August 2021', '2021-08-31'],
    ]);
  });

  it('of the Bureau of Economic Analysis ends its lines with two carriage returns and folds its titles', () => {
    const file = [
      'BEGIN:VCALENDAR',
      'PRODID://BEA-Release-Calendar-Subscription//',
      'BEGIN:VEVENT',
      'SUMMARY:Gross Domestic Product\\, 4th Quarter and Year 2026 (Advance Estima',
      ' te)',
      'DTSTART;VALUE=DATE-TIME:20270128T133000Z',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\r\n');
    expect(read(file)).toEqual([
      [
        '2027-01-28T13:30:00.000Z',
        'Gross Domestic Product, 4th Quarter and Year 2026 (Advance Estimate)',
        '2026-12-31',
      ],
    ]);
  });

  it('of a table copied from the schedule of the Bureau of Labor Statistics has its dates and hours', () => {
    const table = [
      'Reference Month,Release Date,Release Time',
      'October 2026,"Nov. 10, 2026",08:30 AM',
      'May 2026,"June 10, 2026",08:30 AM',
      'August 2026,"Sept. 29, 2026",1:05 p.m.',
      '',
    ].join('\n');
    expect(read(table, 'America/New_York')).toEqual([
      ['2026-11-10T13:30:00.000Z', '', '2026-10-31'],
      ['2026-06-10T12:30:00.000Z', '', '2026-05-31'],
      ['2026-09-29T17:05:00.000Z', '', '2026-08-31'],
    ]);
    expect(() => read(table.replace('08:30 AM', '13:30 AM'), 'America/New_York')).toThrow('is no time such as');
  });

  it('of a table has times with an offset, or of a zone, and periods in several spellings', () => {
    expect(read('datetime,period\n2021-09-03T08:45-04:00,2021-08\n2021-10-28T12:30:00Z,2021-Q3\n')).toEqual([
      ['2021-09-03T12:45:00.000Z', '', '2021-08-31'],
      ['2021-10-28T12:30:00.000Z', '', '2021-09-30'],
    ]);
    expect(read('Date,Time,Event\n2021-01-28,08:30,GDP of 4th quarter 2020\n', 'America/New_York')).toEqual([
      ['2021-01-28T13:30:00.000Z', 'GDP of 4th quarter 2020', undefined],
    ]);
  });

  it.each(['25:61', '24:00', '08:60', '13:00 PM', '02:30'])(
    'is refused with a time that no clock shows: %s',
    (clock) => {
      // Clocks of New York went from 02:00 to 03:00 on this day.
      expect(() => read(`date,time\n2021-03-14,${clock}\n`, 'America/New_York')).toThrow(
        /no time|clocks of America\/New_York do not show/,
      );
    },
  );

  it('has the later one of two times that a clock shows in autumn', () => {
    expect(read('date,time\n2021-11-07,01:30\n', 'America/New_York')[0]?.[0]).toBe('2021-11-07T06:30:00.000Z');
    expect(read('BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20211107T053000Z\nEND:VEVENT\n')[0]?.[0]).toBe(
      '2021-11-07T05:30:00.000Z',
    );
  });

  it.each([
    ['date,time\n2021-01-28,08:30\n', 'its time names no zone'],
    ['datetime\n2021-01-28T24:00:00Z\n', "'2021-01-28T24:00:00Z' is no time"],
    ['datetime\n2021-02-30T08:30:00Z\n', "'2021-02-30T08:30:00Z' is no time"],
    ['date,value\n2021-01-28,1\n', 'its header has no times'],
    ['datetime\n28.01.2021 08:30\n', 'is no time such as'],
    ['datetime,period\n2021-01-28T08:30Z,winter\n', 'is no period such as'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20210128T083000Z\n', 'was cut off'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20210128T256100Z\nEND:VEVENT\n', "'25:61:00' is no time of a day"],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20210230T083000Z\nEND:VEVENT\n', 'is no time such as'],
  ])('is refused where it does not say what it must: %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

/** Releases came 15 minutes late in September, and at the usual time in August. */
async function world(order: readonly ('values' | 'calendar')[]) {
  const at = testPlatform({ now: '2026-11-22T09:00:00Z' });
  writeFileSync(join(at.folder, 'alfredgraph.csv'), chosenPayrolls(...ALL_PAYROLLS));
  writeFileSync(join(at.folder, 'bls.ics'), ICS);
  const lines = {
    values: 'import alfredgraph.csv --quiet',
    calendar:
      "import calendar bls.ics --as 'usd non_farm_payrolls_change' --match 'employment situation' --format json --quiet",
  };
  const answers: string[] = [];
  for (const one of order) {
    const { code, out, err } = await macro(lines[one], at);
    expect([code, err]).toEqual([0, '']);
    answers.push(out);
  }
  return { at, answers };
}

const LINE =
  'announcements usd non_farm_payrolls_change --start 2021-07-01 --end 2021-08-31 --offline --quiet --allow-partial';

describe.each([
  { name: 'the calendar first', order: ['calendar', 'values'] as const },
  { name: 'the calendar last', order: ['values', 'calendar'] as const },
  { name: 'the values again', order: ['values', 'calendar', 'values'] as const },
])('real release times, $name', ({ order }) => {
  it('are those of the vintages, whichever file came first', async () => {
    const { at } = await world(order);
    const { out } = await macro(`${LINE} --revisions all --format csv`, at);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',').slice(0, 3).join(',')),
    ).toEqual([
      'date,val,known_at',
      '2021-08-31,235,2021-09-03T12:45:00Z',
      '2021-08-31,366,2021-10-08T12:30:00Z',
      '2021-08-31,483,2021-11-05T12:30:00Z',
      '2021-07-31,943,2021-08-06T12:30:00Z',
      '2021-07-31,1053,2021-09-03T12:45:00Z',
      '2021-07-31,1091,2021-10-08T12:30:00Z',
    ]);
  });

  it('decide what was known when', async () => {
    const { at } = await world(order);
    const valuesAt = async (moment: string) => {
      const { out } = await macro(`${LINE} --format csv --fields date,val --as-of ${moment}`, at);
      return out.trimEnd().split('\n').slice(1);
    };
    expect([await valuesAt('2021-09-03T12:44:59Z'), await valuesAt('2021-09-03T12:45:00Z')]).toEqual([
      ['2021-07-31,943'],
      ['2021-08-31,235', '2021-07-31,1053'],
    ]);
  });

  it('are no assumed times, as those of later vintages still are', async () => {
    const { at } = await world(order);
    const { out } = await macro(`${LINE} --format json`, at);
    const { data, data_quality: quality } = JSON.parse(out);
    expect([
      data.map((row: Record<string, unknown>) => [row.date, row.announcement_datetime, row.publication_time_status]),
      quality.assumed_release_time_count,
    ]).toEqual([
      [
        ['2021-08-31', Date.parse('2021-09-03T12:45:00Z') / 1000, 'confirmed'],
        ['2021-07-31', Date.parse('2021-08-06T12:30:00Z') / 1000, 'confirmed'],
      ],
      2,
    ]);
  });
});

it('counts what it did, and tells of events without a time', async () => {
  const { answers } = await world(['values', 'calendar']);
  const { data } = JSON.parse(answers[1] ?? '');
  expect(data).toEqual([
    {
      file: 'bls.ics',
      currency: 'usd',
      indicators: 'non_farm_payrolls_change',
      releases: 2,
      retimed: 4,
      from: '2021-08-06T12:30:00Z',
      to: '2021-09-03T12:45:00Z',
    },
  ]);
});

it('tells what comes next', async () => {
  const at = testPlatform({ now: '2026-11-22T09:00:00Z' });
  writeFileSync(
    join(at.folder, 'releases.csv'),
    'datetime,period\n2026-12-04T13:30:00Z,2026-11\n2027-01-08T13:30:00Z,2026-12\n',
  );
  expect((await macro("import calendar releases.csv --as 'usd non_farm_payrolls,unemployment' --quiet", at)).code).toBe(
    0,
  );
  const { out } = await macro('next usd unemployment --offline --format json --quiet --allow-partial', at);
  const rows: Record<string, unknown>[] = JSON.parse(out).data;
  expect(rows.map(({ announcement_datetime: time, period, confirmed }) => [time, period, confirmed])).toEqual([
    ['2026-12-04T13:30:00Z', '2026-11-30', true],
    ['2027-01-08T13:30:00Z', '2026-12-31', true],
  ]);
});

it('a mirror with real times verifies, lists the file, and undoes the values but not the calendar', async () => {
  const { at } = await world(['values', 'calendar']);
  const { out } = await macro('import list --format json', at);
  const listed: Record<string, unknown>[] = JSON.parse(out).data;
  expect(listed.map(({ id, format, file }) => [id, format, file])).toEqual([
    [1, 'alfred', 'alfredgraph.csv'],
    [2, 'calendar', 'bls.ics'],
  ]);
  expect((await macro('import undo 2', at)).err).toBe(
    'macro: Import 2 is a calendar: values of other files have its times.\n' +
      'Import the right calendar: its times take the place of these.\n',
  );
  expect((await macro('mirror verify --quiet', at)).code).toBe(0);
  expect((await macro('import undo 1 --quiet', at)).code).toBe(0);
  expect([(await macro(LINE, at)).code, (await macro('mirror verify --quiet', at)).code]).toEqual([3, 0]);
  expect((await macro('import alfredgraph.csv --quiet', at)).code).toBe(0);
  const again = await macro(`${LINE} --format csv --fields date,val --as-of 2021-09-03T12:44:59Z`, at);
  expect(again.out).toBe('date,val\n2021-07-31,943\n');
});

it('a value that a rule dates has the time of the release of its period', async () => {
  const values = 'date,cpi\n2021-07,1\n2021-08,2\n';
  const rule = "--release-rule 'month end +20d 08:30 America/New_York'";
  const as = "--as 'announcements usd inflation' --date date --value cpi --date-format YYYY-MM --period month";
  const lines = [
    `import csv cpi.csv ${as} ${rule} --quiet`,
    "import calendar cpi-times.csv --as 'usd inflation' --quiet",
  ];
  const answers: unknown[] = [];
  for (const order of [lines, lines.toReversed()]) {
    const at = testPlatform({ now: '2026-11-22T09:00:00Z' });
    writeFileSync(join(at.folder, 'cpi.csv'), values);
    writeFileSync(join(at.folder, 'cpi-times.csv'), 'datetime,period\n2021-09-14T12:30:00Z,2021-08\n');
    for (const line of order) expect((await macro(line, at)).code).toBe(0);
    const ask = 'announcements usd inflation --start 2021-07-01 --end 2021-08-31 --offline --quiet --allow-partial';
    const known = async (moment: string) =>
      (await macro(`${ask} --format csv --fields date,val --as-of ${moment}`, at)).out.trimEnd().split('\n').slice(1);
    const { data_quality: quality } = JSON.parse((await macro(`${ask} --format json`, at)).out);
    answers.push([
      await known('2021-09-14T12:29:59Z'),
      await known('2021-09-14T12:30:00Z'),
      quality.assumed_release_time_count,
    ]);
  }
  // 31 August and 20 days are 20 September, by the rule; the release was six days before.
  const expected = [['2021-07-31,1'], ['2021-08-31,2', '2021-07-31,1'], 1];
  expect(answers).toEqual([expected, expected]);
});

it('are those of unrevised prices too: nothing is missing up to the next release, and why names the file', async () => {
  const at = testPlatform({ now: '2026-11-22T09:00:00Z' });
  // Made up. Months before 1988 are on another base, and known with its first index all at once.
  const lines = Array.from({ length: 44 * 12 }, (_, n) => {
    const month = `${1980 + Math.floor(n / 12)}\tM${String((n % 12) + 1).padStart(2, '0')}`;
    return `CUUR0000SA0      \t${month}\t     ${(100 + n / 2).toFixed(1)}\t`;
  });
  const header = 'series_id        \tyear\tperiod\t       value\tfootnote_codes';
  writeFileSync(join(at.folder, 'cu.data.1.AllItems'), [header, ...lines, ''].join('\r\n'));
  const times = ['2023-12-12T13:30:00Z,2023-11', '2024-01-11T13:30:00Z,2023-12'];
  writeFileSync(join(at.folder, 'cpi.csv'), ['datetime,period', ...times, ''].join('\n'));
  for (const line of ['import cu.data.1.AllItems', "import calendar cpi.csv --as 'usd inflation'"])
    expect((await macro(`${line} --quiet`, at)).err).toBe('');
  const ask = 'announcements usd inflation --start 2023-11-01 --end 2023-12-31 --quiet --format csv --fields date,val';
  const known = async (moment: string) => {
    const { code, out } = await macro(`${ask} --as-of ${moment}`, at);
    return [code, ...out.trimEnd().split('\n').slice(1)];
  };
  // 6 of 357 is 1.7 %, 6 of 357.5 as well.
  expect(await known('2024-01-11T13:29:59Z')).toEqual([0, '2023-11-30,1.7']);
  expect(await known('2024-01-11T13:30:00Z')).toEqual([0, '2023-12-31,1.7', '2023-11-30,1.7']);
  const { data } = JSON.parse((await macro('why usd/inflation 2023-12-31 --format json --quiet', at)).out);
  const yearly = data.find(({ series }: { series: string }) => series === 'announcements usd inflation');
  expect(yearly).toMatchObject({
    ...{ val: 1.7, public: '2024-01-11T13:30:00Z', how: '363.5 / 357.5 - 1; dated by a calendar of releases' },
    ...{ request: expect.stringMatching(/^import bls-prices cu\.data\.1\.AllItems sha256:/) },
    ended: { request: expect.stringMatching(/^import retime /) },
  });
});

describe('the releases that a calendar file lists', () => {
  const FILE = [
    'datetime,period,event',
    '2026-11-06T13:30:00Z,2026-10,Employment Situation',
    '2026-12-04T13:30:00Z,2026-11,Employment Situation',
    '2027-01-08T13:30:00Z,2026-12,Employment Situation',
    '',
  ].join('\n');

  it('are whole for its indicators between its first and its last day, and say nothing of others', async () => {
    const at = testPlatform({ now: '2026-11-22T09:00:00Z' });
    writeFileSync(join(at.folder, 'releases.csv'), FILE);
    const type = async (line: string) => {
      const { code, out } = await macro(`${line} --format json --quiet`, at);
      const { data, mirror } = JSON.parse(out);
      return { code, times: (data ?? []).map((row: Record<string, unknown>) => row.announcement_datetime), mirror };
    };
    await macro("import calendar releases.csv --as 'usd non_farm_payrolls'", at);
    const [december, january] = ['2026-12-04T13:30:00Z', '2027-01-08T13:30:00Z'];
    expect(await type('next usd non_farm_payrolls')).toEqual({ code: 0, times: [december, january] });
    expect(await type('next usd non_farm_payrolls --limit 1')).toEqual({ code: 0, times: [december] });
    expect(await type('next usd')).toMatchObject({ code: 10, times: [december, january] });
    const window = '--start 2026-12-01 --end 2026-12-31';
    expect(await type(`calendar usd --indicator non_farm_payrolls ${window}`)).toMatchObject({ code: 0 });
    expect(await type(`calendar usd ${window}`)).toMatchObject({ code: 10 });
    const missing = [{ from: Date.UTC(2027, 0, 9) / 1000, to: Date.UTC(2027, 1, 1) / 1000 - 1 }];
    expect(await type('calendar usd --indicator non_farm_payrolls --start 2027-01-01 --end 2027-01-31')).toMatchObject({
      code: 10,
      mirror: { missing },
    });
  });

  it('are two where two periods come out at once', async () => {
    const at = testPlatform({ now: '2026-11-22T09:00:00Z' });
    writeFileSync(join(at.folder, 'releases.csv'), FILE.replace('2026-11-06', '2026-12-04'));
    await macro("import calendar releases.csv --as 'usd non_farm_payrolls'", at);
    const { out } = await macro('calendar usd --indicator non_farm_payrolls --format csv --fields date --quiet', at);
    expect(out.trimEnd().split('\n').slice(1).sort()).toEqual(['2026-10-31', '2026-11-30', '2026-12-31']);
  });

  it('are not whole on a day that has no time', async () => {
    const at = testPlatform({ now: '2026-11-22T09:00:00Z' });
    writeFileSync(join(at.folder, 'releases.csv'), FILE.replace('2026-12-04T13:30:00Z', '2026-12-04'));
    const codeOf = async (window: string) =>
      (await macro(`calendar usd --indicator non_farm_payrolls ${window} --format json --quiet`, at)).code;
    await macro("import calendar releases.csv --as 'usd non_farm_payrolls'", at);
    expect(await codeOf('--start 2026-12-04 --end 2026-12-04')).toBe(10);
    expect(await codeOf('--start 2026-12-01 --end 2026-12-31')).toBe(10);
    expect(await codeOf('--start 2026-12-06 --end 2027-01-08')).toBe(0);
    writeFileSync(join(at.folder, 'releases.csv'), FILE);
    await macro("import calendar releases.csv --as 'usd non_farm_payrolls'", at);
    expect(await codeOf('--start 2026-12-01 --end 2026-12-31')).toBe(0);
  });
});
