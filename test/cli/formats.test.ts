import { describe, expect, it } from 'vitest';
import { chooseFormat, type RenderOptions, renderListing } from '../../src/cli/print/format.ts';
import type { Listing } from '../../src/cli/print/listing.ts';
import { asJsonText } from '../../src/contract/json/json.ts';

const PLAIN: RenderOptions = {
  format: 'csv',
  fields: undefined,
  sort: undefined,
  reverse: false,
  header: true,
  color: false,
  toTerminal: false,
  width: undefined,
};

function listing(rows: readonly string[], more: Partial<Listing> = {}): Listing {
  const texts = rows.map(asJsonText);
  return {
    columns: ['date', 'val'],
    rows: texts,
    body: (chosen) => asJsonText(`{"data":[${(chosen ?? texts).join(',')}]}`),
    ...more,
  };
}

const render = (rows: Listing, options: Partial<RenderOptions> = {}) => renderListing(rows, { ...PLAIN, ...options });

const RATES = listing([
  '{"date":"2026-11-20","val":1.1500,"source":{"id":"ecb","tier":1},"extra":true}',
  '{"date":"2026-11-19","val":null,"late":159075000.0}',
]);

describe('csv', () => {
  it('has the contract’s columns first, then the others in order of appearance, numbers as they are spelled', async () => {
    expect(await render(RATES)).toBe(
      'date,val,source,extra,late\n' +
        '2026-11-20,1.1500,"{""id"":""ecb"",""tier"":1}",true,\n' +
        '2026-11-19,,,,159075000.0\n',
    );
  });

  it('puts further fields of the contract before those that it does not know', async () => {
    expect(await render({ ...RATES, known: ['late', 'extra', 'never'] }, { fields: undefined })).toMatch(
      /^date,val,late,extra,source\n/,
    );
  });

  it('has the columns that every row has, whether there are rows or not', async () => {
    const more = { known: ['unit', 'note'], always: ['unit'] };
    expect(await render(listing([], more))).toBe('date,val,unit\n');
    expect(await render(listing(['{"date":"2026-11-20","val":1,"unit":"%"}'], more))).toMatch(/^date,val,unit\n/);
  });

  it('quotes what RFC 4180 says', async () => {
    const odd = listing(['{"date":"a,b","val":"say \\"hi\\""}', '{"date":" x","val":"plain"}']);
    expect(await render(odd)).toBe('date,val\n"a,b","say ""hi"""\n" x",plain\n');
  });

  it('writes formulas inert and leaves numbers alone', async () => {
    const formulas = ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\\t=1', '\\r=1', '＝1', ' =1', '-1.5', '+3', '-1e-7', 'a=b'];
    const rows = formulas.map((text) => `{"val":"${text}"}`);
    const text = await render(listing([...rows, '{"val":-0.10000000000000009}']), { fields: ['val'], header: false });
    expect(text.split('\n')).toEqual([
      "'=1+1",
      "'+cmd",
      "'-2+3",
      "'@SUM(A1)",
      "' =1",
      "' =1",
      "'＝1",
      "' =1",
      '-1.5',
      '+3',
      '-1e-7',
      'a=b',
      '-0.10000000000000009',
      '',
    ]);
  });

  it('is the header alone when there are no rows, and nothing without the header', async () => {
    expect(await render(listing([]))).toBe('date,val\n');
    expect(await render(listing([]), { header: false })).toBe('');
  });
});

describe('tsv', () => {
  it('has one row a line, tabs between, nothing quoted', async () => {
    expect(await render(RATES, { format: 'tsv' })).toBe(
      'date\tval\tsource\textra\tlate\n' +
        '2026-11-20\t1.1500\t{"id":"ecb","tier":1}\ttrue\t\n' +
        '2026-11-19\t\t\t\t159075000.0\n',
    );
  });

  it('leaves the header out when asked', async () => {
    expect(await render(RATES, { format: 'tsv', fields: ['date'], header: false })).toBe('2026-11-20\n2026-11-19\n');
  });
});

describe('json', () => {
  it('is the body as it is, with one newline at its end', async () => {
    const body = '{"data":[{"val":1.10}],  "x":"\u202e"}\n\n';
    expect(await render(listing([], { body: () => asJsonText(body) }), { format: 'json' })).toBe(`${body.trimEnd()}\n`);
  });

  it('escapes control and bidi characters on a terminal, and only there', async () => {
    const body = asJsonText('{"a":"\u009b31m\u202e\u2066x"}');
    const rows = listing([], { body: () => body });
    expect(await render(rows, { format: 'json' })).toBe(`${body}\n`);
    expect(await render(rows, { format: 'json', toTerminal: true })).toBe('{"a":"\\u009b31m\\u202e\\u2066x"}\n');
  });

  it('has the chosen rows and fields when they were chosen', async () => {
    expect(await render(RATES, { format: 'json', fields: ['val', 'source.id'], reverse: true })).toBe(
      '{"data":[{"val":null},{"val":1.1500,"source.id":"ecb"}]}\n',
    );
  });
});

describe('ndjson', () => {
  it('has one row a line, spelled as received', async () => {
    const pretty = listing(['{\n  "date": "2026-11-20",\n  "val": 1.50, "name": "a \\" b  c"\n}', '{"val":2.0}']);
    expect(await render(pretty, { format: 'ndjson' })).toBe(
      '{"date":"2026-11-20","val":1.50,"name":"a \\" b  c"}\n{"val":2.0}\n',
    );
  });
});

describe('md', () => {
  it('is a table with numbers on the right; what would be markup is not', async () => {
    const rows = listing(['{"date":"a|b","val":1.10}', '{"date":"<script> [x](y) `z`","val":2}']);
    expect(await render(rows, { format: 'md' })).toBe(
      '| date | val |\n| --- | ---: |\n| a\\|b | 1.10 |\n| &lt;script> \\[x](y) \\`z\\` | 2 |\n',
    );
  });
});

describe('the table for people', () => {
  it('has a title, a sparkline, aligned rows and a block of values', async () => {
    const rows = listing(
      ['{"date":"2026-11-20","val":1.15,"at":1795181640}', '{"date":"2026-11-19","val":10.5,"at":null}'],
      {
        columns: ['date', 'val', 'at', 'never'],
        times: new Set(['at']),
        view: {
          title: ['EUR/USD', 'ECB', 'direct'],
          spark: [10.5, 1.15],
          block: {
            title: 'Indicators',
            lines: [
              ['sma_20', '1.1'],
              ['rsi_14', '-'],
            ],
          },
        },
      },
    );
    expect(await render(rows, { format: 'table' })).toBe(
      [
        'EUR/USD  ECB  direct',
        '█▁',
        '',
        'date         val  at',
        '2026-11-20  1.15  2026-11-20T13:34:00Z',
        '2026-11-19  10.5',
        '',
        'Indicators',
        '  sma_20  1.1',
        '  rsi_14  -',
        '',
      ].join('\n'),
    );
  });

  it('says that there are no rows', async () => {
    expect(await render(listing([], { view: { title: ['Profiles'] } }), { format: 'table' })).toBe(
      'Profiles\n\nNo rows.\n',
    );
  });

  it('is coloured only when told', async () => {
    const titled = listing(['{"date":"2026-11-20"}'], { view: { title: ['A'] } });
    expect(await render(titled, { format: 'table' })).not.toContain('\u001b');
    expect(await render(titled, { format: 'table', color: true })).toContain('\u001b[1m');
  });
});

describe('hostile text', () => {
  const attack = '{"date":"\\u001b[2J\\u009b31mred\\u202e\\u2067evil\\ufeff\\u0007\\nnext\\tcell\\u2028end","val":1}';

  it.each(['csv', 'tsv', 'md', 'table'] as const)('carries no control or bidi character into %s', async (format) => {
    const text = await render(listing([attack], { view: { title: [JSON.parse(attack).date] } }), { format });
    expect(text.replaceAll('\n', '').replaceAll(format === 'tsv' ? '\t' : '', '')).not.toMatch(
      /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028]/u,
    );
    expect(text).toContain('red');
    expect(text).toContain('evil next cell end');
  });

  const HIDDEN = [
    '',
    ' ',
    '\u0001',
    '\u0000\t',
    '\r\n',
    '\u007f',
    '\u0085',
    '\u009b',
    '\u202e',
    '\ufeff',
    '\u200b',
    '\u00ad ',
    '\u2028\u0007',
  ];
  const SIGNS = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
  const formulas = HIDDEN.flatMap((before) => SIGNS.map((sign) => `${before}${sign}1+2`));

  it.each(['csv', 'tsv'] as const)('is no formula in %s, whatever hides the sign', async (format) => {
    const rows = formulas.map((val) => JSON.stringify({ date: '2026-11-20', val, '=1+2': null }));
    const [head, ...lines] = (await render(listing(rows), { format })).trimEnd().split('\n');
    const separator = format === 'csv' ? ',' : '\t';
    expect(head).toBe(['date', 'val', "'=1+2"].join(separator));
    const cells = lines.map((line) => line.split(separator)[1]);
    expect(cells.filter((cell) => !/^'[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]1\+2$/u.test(cell ?? ''))).toEqual([]);
    expect(cells).toHaveLength(formulas.length);
  });

  it.each([
    ['\u0001=1+2', "'=1+2"],
    ['-1.5', '-1.5'],
    ['+1e5', '+1e5'],
    ['\u0001-1.5', '-1.5'],
    ['a=b', 'a=b'],
    ['a;=1+2', '"a;=1+2"'],
  ])('%j is the cell %s of csv', async (val, cell) => {
    const text = await render(listing([JSON.stringify({ date: 'x', val })]), { header: false });
    expect(text).toBe(`x,${cell}\n`);
  });
});

describe('rows', () => {
  const rows = listing(['{"date":"b","val":9}', '{"date":"a","val":10}', '{"date":"c"}', '{"date":"d","val":-1}']);
  const column = async (options: Partial<RenderOptions>, name: string) =>
    (await render(rows, { format: 'tsv', header: false, fields: [name], ...options })).trimEnd().split('\n');

  it('sort numbers as numbers, with nothing at the end', async () => {
    expect(await column({ sort: 'val' }, 'date')).toEqual(['d', 'b', 'a', 'c']);
    expect(await column({ sort: 'val', reverse: true }, 'date')).toEqual(['a', 'b', 'd', 'c']);
  });

  it('sort texts as texts, and turn around', async () => {
    expect(await column({ sort: 'date' }, 'date')).toEqual(['a', 'b', 'c', 'd']);
    expect(await column({ reverse: true }, 'date')).toEqual(['d', 'c', 'a', 'b']);
  });

  it('refuse a field that none of them has', async () => {
    await expect(column({}, 'dat')).rejects.toThrow("No row has a field 'dat'.");
    await expect(column({ sort: 'vla' }, 'date')).rejects.toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining('Did you mean val?'),
    });
  });
});

describe('the format', () => {
  const wish = { chart: false, option: undefined, file: undefined, setting: undefined, isTerminal: false };

  it.each([
    [{}, 'tsv'],
    [{ isTerminal: true }, 'table'],
    [{ setting: 'csv' }, 'csv'],
    [{ setting: 'csv', isTerminal: true }, 'csv'],
    [{ file: 'a.json', setting: 'csv' }, 'json'],
    [{ file: 'x/A.NDJSON' }, 'ndjson'],
    [{ file: 'a.md' }, 'md'],
    [{ option: 'CSV', file: 'a.json', setting: 'md' }, 'csv'],
    [{ option: 'table', file: 'notes.txt' }, 'table'],
    [{ chart: true, setting: 'csv' }, 'chart'],
    [{ chart: true, file: 'x/Rates.SVG' }, 'svg'],
    [{ file: 'rates.html' }, 'html'],
  ])('of %j is %s', (asked, format) => {
    expect(chooseFormat({ ...wish, ...asked })).toBe(format);
  });

  it.each([
    [
      { option: 'jsn' },
      "There is no format 'jsn'.",
      'Did you mean json? Formats are table, json, ndjson, csv, tsv, md.',
    ],
    [
      { file: 'rates.txt' },
      "The ending of 'rates.txt' names no format.",
      'Use an ending of .csv, .json, .ndjson, .tsv, .md, .parquet, .xlsx, .svg, .png, .html, or say --format.',
    ],
    [{ chart: true, option: 'csv' }, '--chart and --format exclude each other.', 'Leave one of them out.'],
    [{ chart: true, file: 'a.pdf' }, 'A chart cannot be written as pdf.', 'Use an ending of .svg, .png or .html.'],
    [{ chart: true, file: 'a.csv' }, 'A chart cannot be written as csv.', 'Use an ending of .svg, .png or .html.'],
  ])('of %j is refused', (asked, message, hint) => {
    expect(() => chooseFormat({ ...wish, ...asked })).toThrow(
      expect.objectContaining({ kind: 'usage', message, hint }),
    );
  });
});

// 1.3 - 1.1 and 2.07 - 2.02 in binary arithmetic. A value as published may have as many digits.
it.each(['csv', 'tsv', 'md'] as const)(
  '%s rounds computed numbers to 15 digits, and nothing that was published',
  async (format) => {
    const long = '0.20000000000000018';
    const rows = listing([`{"date":"2026-01-01","val":${long},"change":${long},"small":0.04999999999999982}`], {
      computed: new Set(['change', 'small']),
    });
    const text = await renderListing(rows, { ...PLAIN, format, fields: ['val', 'change', 'small'] });
    const cells = text
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.match(/[\d.]+/g);
    expect(cells).toEqual([long, '0.2', '0.05']);
    expect(await renderListing(rows, { ...PLAIN, format: 'ndjson' })).toContain(`"change":${long}`);
  },
);
