import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyWindowNotes } from '../../src/cli/commands/endpoint/ask.ts';
import { asJsonText } from '../../src/contract/json/json.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const TODAY = Date.parse('2026-11-21T05:46:13Z');

const notes = (body: object, id = 'commodities') => {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(id);
  const args = 'start_date' in body ? { start_date: String(body.start_date) } : {};
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
  ['a window before the newest row', { data: [], latest_available_date: '2022-02-28', start_date: '2022-01-01' }, []],
  ['an answer with rows', { data: [{}], latest_available_date: '2022-02-28', start_date: '2025-11-23' }, []],
  ['a series without a newest row', { data: [], latest_available_date: null, start_date: '2025-11-23' }, []],
])('%s', (_, body, said) => {
  expect(notes(body)).toEqual(said);
});

it('an endpoint without a window of dates says nothing', () => {
  expect(notes({ data: [], latest_available_date: '2022-02-28', start_date: '2025-11-23' }, 'calendar')).toEqual([]);
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
