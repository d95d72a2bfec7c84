import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyWindowNotes } from '../../src/cli/commands/endpoint/ask.ts';
import { asJsonText } from '../../src/contract/json/json.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const TODAY = Date.parse('2026-11-21T05:46:13Z');

const notes = (body: object, id = 'commodities') => {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(id);
  const args = {
    ...('start_date' in body && { start_date: String(body.start_date) }),
    ...('end' in body && { end_date: String(body.end) }),
  };
  return emptyWindowNotes({ endpoint, args }, { body: asJsonText(JSON.stringify(body)) }, TODAY);
};

it.each([
  [
    'a series that ended before the window',
    { data: [], latest_available_date: '2022-02-28', start_date: '2025-11-23' },
    ['No row lies on or after 2025-11-23. The newest is that of 2022-02-28: --start 2022-02-28 shows it.'],
  ],
  [
    'a window that is still to come',
    { data: [], latest_available_date: '2022-02-28', start_date: '2026-11-22' },
    [
      'The window begins on 2026-11-22, after today, 2026-11-21.',
      'No row lies on or after 2026-11-22. The newest is that of 2022-02-28: --start 2022-02-28 shows it.',
    ],
  ],
  [
    'one that is still to come, of a series whose newest row nobody looked for',
    { data: [], start_date: '2026-11-22' },
    ['The window begins on 2026-11-22, after today, 2026-11-21.'],
  ],
  ['a window that begins today', { data: [], start_date: '2026-11-21' }, []],
  ['rows of a window that is still to come, such as forecasts', { data: [{}], start_date: '2026-11-22' }, []],
  [
    'a row that stands for those of the window',
    { data: [{ date: '2026-10-31', outside_requested_window: true }], start_date: '2026-11-15' },
    ['No row lies on or after 2026-11-15. The one of 2026-10-31 is the newest before it.'],
  ],
  [
    'a row that stands for those of a window that has an end',
    { data: [{ date: '2026-10-31', outside_requested_window: true }], start_date: '2026-11-15', end: '2026-11-18' },
    ['No row lies in 2026-11-15 to 2026-11-18. The one of 2026-10-31 is the newest before it.'],
  ],
  ['a window before the newest row', { data: [], latest_available_date: '2022-02-28', start_date: '2022-01-01' }, []],
  ['an answer with rows', { data: [{}], latest_available_date: '2022-02-28', start_date: '2025-11-23' }, []],
  ['a series without a newest row', { data: [], latest_available_date: null, start_date: '2025-11-23' }, []],
])('%s', (_, body, said) => {
  expect(notes(body)).toEqual(said);
});

it('an endpoint without a window of dates says nothing', () => {
  expect(notes({ data: [], latest_available_date: '2022-02-28', start_date: '2025-11-23' }, 'calendar')).toEqual([]);
});

/** Rows alone do not tell that they are old: 2026-02-28 to 2026-11-21 are 266 days, and 2026-02-17 to that day 277. */
it('an answer whose newest value is old says so, of rates and of statistics alike, unless the window ended before', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-02-17,1.120,\n1999-01-04,1.1789,\n');
  // Whole, from the first month that FRED has.
  const months = Array.from({ length: 938 }, (_, i) => new Date(Date.UTC(1948, i)).toISOString().slice(0, 10));
  const unemployment = months.map((month) => `${month},4.4`);
  writeFileSync(join(at.folder, 'UNRATE.csv'), ['observation_date,UNRATE', ...unemployment, ''].join('\n'));
  expect(await macro('import rates.csv UNRATE.csv --quiet', at)).toMatchObject({ code: 0, err: '' });
  const told = async (line: string) => (await macro(`${line} --offline --format csv --fields date,val`, at)).err;
  expect([
    await told('fx eur usd --start 2026-02-17'),
    await told('announcements usd unemployment --start 2026-02-01'),
    await told('announcements usd unemployment --start 2026-02-01 --end 2026-02-28'),
  ]).toEqual([
    'note: The newest value in the mirror is of 2026-02-17, 277 days before today.\n',
    'note: The newest value in the mirror is of 2026-02-28, 266 days before today.\n',
    '',
  ]);
});

/** A person who imported a file that ended months ago. */
it('a mirror that nobody filled for long does not pass for current where the window is still to come', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,\n2026-02-17,1.120,\n2026-02-16,1.11,\n');
  await macro('import ecb rates.csv --quiet', at);
  for (const words of ['fx eur usd', 'fx reference eur usd']) {
    const { code, out, err } = await macro(`${words} --start tomorrow --offline --format json`, at);
    const { data, data_quality: quality } = JSON.parse(out);
    expect([code, data, quality.is_stale]).toEqual([0, [], undefined]);
    expect(err).toContain('The window begins on 2026-11-22, after today, 2026-11-21.');
  }
});

describe('a covered window without a rate', () => {
  const world = async () => {
    const at = testPlatform({ now: '2018-03-02T09:00:00Z' });
    // The krona as the ECB fixed it, and did not: 2008-12-10 to 2018-01-31 has no rate.
    const lines = [
      '2018-03-01,1.2171,123.9,',
      '2018-02-01,1.2459,124.8,',
      '2010-02-01,1.3913,N/A,',
      '2008-12-09,1.2863,290,',
    ];
    writeFileSync(join(at.folder, 'eurofxref-hist.csv'), ['Date,USD,ISK,', ...lines, ''].join('\n'));
    expect((await macro('import eurofxref-hist.csv', at)).code).toBe(0);
    return at;
  };

  it('says which dates around it have one, and calls no currency unknown that is held', async () => {
    const at = await world();
    const asked = await macro('fx eur isk --offline --start 2010-01-20 --end 2010-03-05 --format csv', at);
    expect(asked).toEqual({
      code: 0,
      out: 'date,val,open,high,low,close\n',
      err: 'note: No row lies in 2010-01-20 to 2010-03-05: the last one before is of 2008-12-09, the next one is of 2018-02-01.\n',
    });
    const { err } = await macro('fx eur usd --offline --start 2018-02-03 --end 2018-02-04 --format csv', at);
    expect(err).toBe(
      'note: No row lies in 2018-02-03 to 2018-02-04: the last one before is of 2018-02-01, the next one is of 2018-03-01.\n',
    );
  });

  it('does not call a window empty whose rows all lie before the page', async () => {
    const at = await world();
    const line = 'fx eur usd --offline --start 2018-02-01 --end 2018-03-01 --offset 7 --format csv --fields date,val';
    expect(await macro(line, at)).toEqual({
      code: 0,
      out: 'date,val\n',
      err: 'note: 2018-02-01 to 2018-03-01 has 2 rows: this page begins behind them.\n',
    });
  });
});

it('all dates asked that are held are complete, unless a member is shown that needs earlier ones', async () => {
  const at = testPlatform({ now: '2021-02-01T09:00:00Z' });
  // UNRATE as FRED gives it with a start date.
  const lines = ['2020-08-01,8.4', '2020-09-01,7.8', '2020-10-01,6.9'];
  writeFileSync(join(at.folder, 'UNRATE.csv'), ['observation_date,UNRATE', ...lines, ''].join('\n'));
  expect((await macro('import UNRATE.csv', at)).code).toBe(0);
  const line = 'announcements usd unemployment --offline --start 2020-08-01 --end 2020-10-31';
  expect(await macro(`${line} --format csv --fields date,val`, at)).toEqual({
    code: 0,
    out: 'date,val\n2020-10-31,6.9\n2020-09-30,7.8\n2020-08-31,8.4\n',
    err: '',
  });
  const whole = await macro(`${line} --format json`, at);
  expect([whole.code, JSON.parse(whole.out).mirror.missing]).toEqual([
    10,
    [{ to: '2020-07-31', for: 'previous_value' }],
  ]);
  expect(whole.err).toContain('Missing in the mirror: dates up to 2020-07-31 for previous_value.');
});

it('a currency that a file brought is no unknown word', async () => {
  const at = testPlatform();
  writeFileSync(join(at.folder, 'rates.csv'), 'Date,USD,ISK,\n2026-02-17,1.120,139.5,\n2026-02-16,1.11,139.1,\n');
  await macro('import ecb rates.csv --quiet', at);
  const { err } = await macro('fx isk xyz', at);
  expect(err).toBe(
    'macro: XYZ is none of the 19 currencies known for this route.\n' +
      'The mirror has EUR, ISK, USD. A service may know more: macro init chooses one.\n',
  );
});
