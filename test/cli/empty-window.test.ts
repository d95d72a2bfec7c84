import { expect, it } from 'vitest';
import { emptyWindowNotes } from '../../src/cli/messages/empty-window.ts';
import { asJsonText } from '../../src/contract/json/json.ts';
import { endpointById } from '../../src/endpoints/index.ts';

const notes = (body: object, id = 'commodities') => {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(id);
  return emptyWindowNotes({ endpoint, args: {} }, { body: asJsonText(JSON.stringify(body)) });
};

it.each([
  [
    'a series that ended before the window',
    { data: [], latest_available_date: '2022-02-28', start_date: '2025-11-23' },
    ['No row lies on or after 2025-11-23. The newest is that of 2022-02-28: --start 2022-02-28 shows it.'],
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
