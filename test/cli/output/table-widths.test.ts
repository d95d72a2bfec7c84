import { describe, expect, it } from 'vitest';
import { columnKinds } from '../../../src/cli/print/answer.ts';
import { renderListing } from '../../../src/cli/print/format.ts';
import type { Listing } from '../../../src/cli/print/listing.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { ENDPOINTS, endpointById } from '../../../src/endpoints/index.ts';

const EVENT = {
  at: 1795181640,
  slug: 'retail_sales_ex_autos_and_gas',
  name: 'Retail Sales, Excluding Autos and Gasoline Stations',
  previous_value: 0.30000000000000004,
  seconds_left: 17_340,
  reference_period: 'September 2026',
};

const LISTING: Listing = {
  columns: Object.keys(EVENT),
  spare: ['name', 'reference_period', 'previous_value'],
  times: new Set(['at']),
  durations: new Map([['seconds_left', 1]]),
  rows: [asJsonText(JSON.stringify(EVENT))],
  body: () => asJsonText('{}'),
  view: { title: ['Releases', 'a publisher with a long name', 'checked 5 min ago'] },
};

const PLAIN = { sort: undefined, reverse: false, header: true, color: false, toTerminal: true };

async function linesAt(width: number | undefined, more: Partial<Listing> = {}, fields?: readonly string[]) {
  const text = await renderListing({ ...LISTING, ...more }, { ...PLAIN, fields, format: 'table', width });
  return text.trimEnd().split('\n');
}

const TITLE = 'Releases  a publisher with a long name  checked 5 min ago';

describe('a table in a terminal', () => {
  it('of 200 columns shows everything, with whole names', async () => {
    expect(await linesAt(200)).toEqual([
      TITLE,
      '',
      'at                    slug                           name                                                 previous_value  seconds_left  reference_period',
      '2026-11-20T13:34:00Z  retail_sales_ex_autos_and_gas  Retail Sales, Excluding Autos and Gasoline Stations             0.3    4 h 49 min  September 2026',
    ]);
  });

  it('of 120 columns breaks names and cuts what may be left out, and nothing else', async () => {
    expect(await linesAt(120)).toEqual([
      TITLE,
      '',
      '                                                                                   previous_    seconds_  reference_',
      'at                    slug                           name                              value        left  period',
      '2026-11-20T13:34:00Z  retail_sales_ex_autos_and_gas  Retail Sales, Excluding Aut…        0.3  4 h 49 min  September 2026',
    ]);
  });

  it('of 80 columns leaves out the least important columns and says which', async () => {
    expect(await linesAt(80)).toEqual([
      TITLE,
      '',
      '                                                         previous_',
      'at                    slug                                   value  seconds_left',
      '2026-11-20T13:34:00Z  retail_sales_ex_autos_and_gas            0.3    4 h 49 min',
      'No room for name, reference_period: --fields shows them.',
    ]);
  });

  it('of 60 columns wraps what may not be left out, words last', async () => {
    expect(await linesAt(60)).toEqual([
      TITLE,
      '',
      '                                                    seconds_',
      'at                    slug                              left',
      '2026-11-20T13:34:00Z  retail_sales_ex_autos_and_  4 h 49 min',
      '                      gas',
      'No room for name, previous_value, reference_period: --fields',
      'shows them.',
    ]);
  });

  it('takes nothing for spare that was asked for by name', async () => {
    expect(await linesAt(60, {}, ['at', 'name'])).toEqual([
      TITLE,
      '',
      'at                    name',
      '2026-11-20T13:34:00Z  Retail Sales, Excluding Autos and',
      '                      Gasoline Stations',
    ]);
  });

  it('breaks a word that is longer than its column behind a sign', async () => {
    const rows = [1, 2].map((n) =>
      asJsonText(JSON.stringify({ n, request: 'GET http://127.0.0.1:8787/v1/forex/EUR' })),
    );
    expect(await linesAt(30, { columns: ['n', 'request'], rows, view: { title: [] } })).toEqual([
      'n  request',
      '1  GET',
      '   http://127.0.0.1:8787/v1/',
      '   forex/EUR',
      '2  GET',
      '   http://127.0.0.1:8787/v1/',
      '   forex/EUR',
    ]);
  });

  it('becomes records where numbers and times do not fit, which have no parts', async () => {
    const rows = [1, 2].map((n) => asJsonText(JSON.stringify({ n, at: 1795181640, note: 'a longer text of words' })));
    expect(await linesAt(34, { columns: ['n', 'at', 'note'], rows, view: { title: [] } })).toEqual([
      'n     1',
      'at    2026-11-20T13:34:00Z',
      'note  a longer text of words',
      '',
      'n     2',
      'at    2026-11-20T13:34:00Z',
      'note  a longer text of words',
    ]);
  });

  it('wraps what stands around it at words', async () => {
    const face = { title: ['USD', 'Sandbox'], below: ['3 of 259 rows; --all or --limit shows more.'] };
    const rows = [asJsonText('{"at":1795181640}')];
    expect(await linesAt(24, { columns: ['at'], rows, view: face })).toEqual([
      'USD  Sandbox',
      '',
      'at',
      '2026-11-20T13:34:00Z',
      '3 of 259 rows; --all or',
      '--limit shows more.',
    ]);
  });
});

describe('numbers in a table', () => {
  it.each([
    ['0.10000000000000009', '0.1'],
    ['-0.10000000000000009', '-0.1'],
    ['0.30000000000000004', '0.3'],
    ['1.1000', '1.1000'],
    ['159075000.0', '159075000.0'],
    ['12345678901234567', '12345678901234567'],
    ['123456789.123456', '123456789.123456'],
  ])('%s is shown as %s', async (spelled, shown) => {
    const rows = [asJsonText(`{"val":${spelled}}`)];
    expect((await linesAt(80, { columns: ['val'], rows, view: { title: [] } })).at(-1)?.trim()).toBe(shown);
  });
});

it('computed numbers of a column have equal decimals, published ones their own', async () => {
  const rows = ['{"val":2.5,"change":1}', '{"val":2.44,"change":-0.06}', '{"val":3,"change":null}'].map(asJsonText);
  const more = { columns: ['val', 'change'], rows, computed: new Set(['change']), view: { title: [] } };
  expect(await linesAt(80, more)).toEqual([' val  change', ' 2.5    1.00', '2.44   -0.06', '   3']);
});

describe('times in sheets', () => {
  const render = (format: 'csv' | 'tsv' | 'md' | 'ndjson', more: Partial<Listing> = {}) =>
    renderListing({ ...LISTING, ...more }, { ...PLAIN, fields: ['at', 'seconds_left'], format, width: undefined });

  it.each([
    ['csv', 'at,seconds_left\n2026-11-20T13:34:00Z,17340\n'],
    ['tsv', 'at\tseconds_left\n2026-11-20T13:34:00Z\t17340\n'],
    ['md', '| at | seconds_left |\n| --- | ---: |\n| 2026-11-20T13:34:00Z | 17340 |\n'],
    ['ndjson', '{"at":1795181640,"seconds_left":17340}\n'],
  ] as const)('%s', async (format, text) => {
    expect(await render(format)).toBe(text);
  });

  it('stand in the zone that was asked for', async () => {
    expect(await render('csv', { zone: 'America/New_York' })).toBe(
      'at,seconds_left\n2026-11-20T08:34:00-05:00,17340\n',
    );
  });
});

describe('nested provenance', () => {
  const rows = [asJsonText('{"date":"2026-11-20","val":1.15,"source":{"id":"ecb"},"legs":[1]}')];
  const listing = { ...LISTING, columns: ['date', 'val'], rows, provenance: new Set(['source']) };
  const render = (fields?: readonly string[]) =>
    renderListing(listing, { ...PLAIN, fields, format: 'csv', width: undefined });

  it('is left out of csv, and other nested values are not', async () => {
    expect(await render()).toBe('date,val,legs\n2026-11-20,1.15,[1]\n');
  });

  it('is there when it is named', async () => {
    expect(await render(['date', 'source', 'source.id'])).toBe(
      'date,source,source.id\n2026-11-20,"{""id"":""ecb""}",ecb\n',
    );
  });
});

describe('what the contract says of columns', () => {
  const kindsOf = (id: string) => {
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(`There is no endpoint ${id}`);
    return columnKinds(endpoint, {});
  };

  it('tells times of columns that no table shows, too', () => {
    expect([...(kindsOf('announcements').times ?? [])]).toEqual(
      expect.arrayContaining(['announcement_datetime', 'collected_at']),
    );
  });

  it('tells durations with their unit', () => {
    expect([...(kindsOf('market_sessions').durations ?? [])]).toEqual([
      ['seconds_to_close', 1],
      ['seconds_to_open', 1],
    ]);
    expect([...(kindsOf('fx_session_rates').durations ?? [])]).toEqual([['staleness_minutes', 60]]);
    expect([...(kindsOf('calendar_coverage').durations ?? [])]).toEqual([['duration_seconds', 1]]);
  });

  it('takes no content for provenance', () => {
    expect([...(kindsOf('forex').provenance ?? [])]).toEqual(['source']);
    expect([...(kindsOf('predictions_coverage').provenance ?? [])]).toEqual([]);
  });
});

/** Columns that a person reads at a glance; more than these need an order of importance. */
const MAX_GLANCE = 5;

it('every command with many columns says which of them a narrow table leaves out', () => {
  const commands = ENDPOINTS.flatMap(({ id, cli }) =>
    cli ? [{ id, columns: cli.columns, spare: cli.spare ?? [] }] : [],
  );
  expect(commands.filter(({ columns, spare }) => columns.length > MAX_GLANCE && spare.length === 0)).toEqual([]);
  expect(commands.filter(({ columns, spare }) => spare.some((name) => !columns.includes(name)))).toEqual([]);
  expect(commands.filter(({ columns, spare }) => spare.length >= columns.length)).toEqual([]);
});
