import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStyle } from '../../../../src/cli/parse/options.ts';
import { chartOf } from '../../../../src/cli/print/chart/chart.ts';
import { plotOf } from '../../../../src/cli/print/chart/terminal.ts';
import { pictureOf } from '../../../../src/cli/print/file.ts';
import type { Listing } from '../../../../src/cli/print/listing.ts';
import { asJsonText } from '../../../../src/contract/json/json.ts';
import { pairChart, TECHNICAL_NAMES } from '../../../../src/derive/technicals/table.ts';
import { testPlatform } from '../../../support/platform.ts';
import { macro } from '../../../support/run.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../../../support/service.ts';

const pictureText = async (...drawn: Parameters<typeof pictureOf>) => String(await pictureOf(...drawn));

const SHAPE = { fields: undefined, sort: undefined, reverse: false };

/** Rows newest first, as answers have them, with a day without a value. */
const listing: Listing = {
  columns: ['date', 'val'],
  rows: [
    '{"date":"2026-01-04","val":1.30,"sma_2":1.2}',
    '{"date":"2026-01-03","val":1.10,"sma_2":null}',
    '{"date":"2026-01-02","val":null,"sma_2":null}',
    '{"date":"2026-01-01","val":1.20,"sma_2":null}',
  ].map(asJsonText),
  chart: { at: 'date', panels: [{ values: ['val'] }] },
  facts: { nature: 'real' },
  body: () => asJsonText('{}'),
  view: { title: ['A<b> & "c"', 'a source'], below: ['A note.'] },
};

test.each(['svg', 'html'] as const)('a picture as %s has no control and no bidi character', async (format) => {
  const evil = { title: ['A\u202eB\u0007C\u2067D\ud800'], below: ['x\u009b\u200fy\u2028z'] };
  const text = await pictureText({ ...listing, view: evil }, SHAPE, format);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u200e\u200f\u2028\u202a-\u202e\u2066-\u2069]/u);
  expect([text.includes('>ABCD\ufffd, 2026-01-01 to 2026-01-04<'), text.includes('>xy z<')]).toEqual([true, true]);
});

describe('the lines of a chart', () => {
  test('are the drawn field over time, oldest first, with a hole where a value is missing', () => {
    expect(chartOf(listing, SHAPE)).toEqual({
      title: 'A<b> & "c", 2026-01-01 to 2026-01-04',
      facts: ['a source'],
      along: 'time',
      panels: [
        {
          lines: [
            {
              field: 'val',
              name: 'value',
              look: 'line',
              points: [
                { at: Date.UTC(2026, 0, 1), value: 1.2 },
                { at: Date.UTC(2026, 0, 2), value: null },
                { at: Date.UTC(2026, 0, 3), value: 1.1 },
                { at: Date.UTC(2026, 0, 4), value: 1.3 },
              ],
            },
          ],
        },
      ],
      marks: [],
      below: ['A note.'],
    });
  });

  test('are the fields that were named, but for the one that says when', () => {
    const chart = chartOf(listing, { ...SHAPE, fields: ['date', 'val', 'sma_2'] });
    expect(chart.panels.flatMap(({ lines }) => lines).map(({ name }) => name)).toEqual(['value', 'sma 2']);
  });

  test.each([
    [['val', 'high'], [['%', 'val', 'high']]],
    [
      ['b', 'val'],
      [
        ['%', 'val'],
        ['score', 'b'],
      ],
    ],
    [['val', 'sma_2'], [[undefined, 'val', 'sma_2']]],
    [
      ['sma_2', 'b'],
      [
        [undefined, 'sma_2'],
        ['score', 'b'],
      ],
    ],
  ])('of the fields %j keep their panel and its unit, unless another field joins it', (fields, expected) => {
    const panels = [
      { unit: '%', values: ['val'], alike: ['high'] },
      { unit: 'score', values: ['a', 'b'] },
    ];
    const rows = [asJsonText('{"date":"2026-01-01","val":1,"high":2,"sma_2":3,"b":4}')];
    const chart = chartOf({ ...listing, rows, chart: { at: 'date', panels } }, { ...SHAPE, fields });
    expect(chart.panels.map(({ unit, lines }) => [unit, ...lines.map(({ field }) => field)])).toEqual(expected);
  });

  test('step where a value stands until the next one, but not over a missing range', () => {
    const stepped = { ...listing, chart: { at: 'date', panels: [{ values: ['val'], steps: ['val'] }] } };
    const points = chartOf(stepped, SHAPE).panels.flatMap(({ lines }) => lines.flatMap((line) => line.points));
    expect(points).toEqual([
      { at: Date.UTC(2026, 0, 1), value: 1.2 },
      { at: Date.UTC(2026, 0, 2), value: null },
      { at: Date.UTC(2026, 0, 3), value: 1.1 },
      { at: Date.UTC(2026, 0, 4), value: 1.1 },
      { at: Date.UTC(2026, 0, 4), value: 1.3 },
    ]);
  });

  test('of generated numbers say so', () => {
    expect(chartOf({ ...listing, facts: { nature: 'synthetic' } }, SHAPE).marks).toEqual([
      'SYNTHETIC DATA: these numbers are not real',
    ]);
  });

  test('need a series over time, and numbers', () => {
    const { chart: _, ...table } = listing;
    expect(() => chartOf(table, SHAPE)).toThrow(expect.objectContaining({ kind: 'usage', code: 'no_chart' }));
    const text = { ...listing, rows: [asJsonText('{"date":"2026-01-01","val":"high"}')] };
    expect(() => chartOf(text, SHAPE)).toThrow("'val' has no numbers to draw.");
  });
});

test('a terminal shows title, marks, line and dates; a hole stays open', () => {
  const text = plotOf(listing, { ...SHAPE, color: false, width: 40 });
  const lines = text.split('\n');
  // Words are wrapped at the width of the terminal.
  expect(lines.slice(0, 2)).toEqual(['A<b> & "c", 2026-01-01 to 2026-01-04', 'a source']);
  expect(lines.filter((line) => line.includes('┤')).map((line) => line.split('┤')[0]?.trim())).toEqual([
    '1.30',
    '1.25',
    '1.20',
    '1.15',
    '1.10',
  ]);
  // The days stand 24 dots apart: nothing is drawn between the first one, alone, and the third.
  const drawn = lines.filter((line) => /[│┤]/.test(line)).map((line) => line.split(/[│┤]/)[1] ?? '');
  expect(drawn.map((line) => line.slice(1, 22).trim()).join('')).toBe('');
  expect(lines.at(-3)).toBe(`      2026-01-01${' '.repeat(7)}2026-01-03`);
  expect(text.endsWith('A note.\n')).toBe(true);
});

test.each([
  [80, 24, 80, 23],
  [200, 50, 200, 49],
  [300, 90, 200, 66],
  [80, 90, 80, 26],
])(
  'a chart on %i columns and %i lines is %i wide and %i high, and leaves a line for the prompt',
  (width, height, ...size) => {
    const lines = plotOf(listing, { ...SHAPE, color: false, width, height })
      .trimEnd()
      .split('\n');
    expect([Math.max(...lines.map((line) => line.length)), lines.length]).toEqual(size);
  },
);

test('without colours each line has a sign of its own, which its name shows', () => {
  const rows = ['{"date":"2026-01-02","val":3,"a":1,"b":2}', '{"date":"2026-01-01","val":3,"a":1,"b":2}'].map(
    asJsonText,
  );
  const shape = { ...SHAPE, fields: ['val', 'a', 'b'] };
  const plot = (color: boolean) => plotOf({ ...listing, rows }, { ...shape, color, width: 40 }).split('\n');
  const drawn = plot(false).filter((line) => /[│┤]/.test(line));
  const signsOf = (line: string) => new Set(line.replace(/^.*?[│┤]/, '').trim());
  expect(drawn.map(signsOf).filter((signs) => signs.size > 0)).toEqual([
    new Set([expect.stringMatching(/[\u2801-\u28ff]/)]),
    new Set(['x']),
    new Set(['+']),
  ]);
  expect(plot(false)).toContain('\u2812 value  + a  x b');
  expect(plot(true).join('')).not.toContain('+');
});

test('no line is drawn over dates that an answer misses', () => {
  const missing = [
    { from: '2026-01-02', to: '2026-01-03' },
    { from: '2026-01-04', to: '2026-01-04', for: 'sma_2' },
  ];
  const rows = ['{"date":"2026-01-05","val":3}', '{"date":"2026-01-04","val":2}', '{"date":"2026-01-01","val":1}'];
  const partial = {
    ...listing,
    rows: rows.map(asJsonText),
    facts: { mirror: JSON.stringify({ complete: false, missing }) },
  };
  const points = chartOf(partial, SHAPE).panels[0]?.lines[0]?.points.map(({ at, value }) => [
    new Date(at).toISOString(),
    value,
  ]);
  expect(points).toEqual([
    ['2026-01-01T00:00:00.000Z', 1],
    ['2026-01-02T12:00:00.000Z', null],
    ['2026-01-04T00:00:00.000Z', 2],
    ['2026-01-05T00:00:00.000Z', 3],
  ]);
});

test('a curve is dated by its rows, and a title of the person leaves the subject and the dates below', () => {
  const rows = ['{"y":1,"date":"2022-03-01","val":1}', '{"y":2,"date":"2022-03-02","val":2}'].map(asJsonText);
  const curve: Listing = { ...listing, rows, chart: { at: 'y', along: 'years', panels: [{ values: ['val'] }] } };
  expect(chartOf(curve, SHAPE).title).toBe('A<b> & "c", 2022-03-01 to 2022-03-02');
  const { title, facts } = chartOf(curve, { ...SHAPE, style: { title: 'Mine' } });
  expect([title, facts]).toEqual(['Mine', ['A<b> & "c"', '2022-03-01 to 2022-03-02', 'a source']]);
});

test.each([
  ['1200x', "'1200x' is no size."],
  ['10x10', "'10x10' is no size."],
])('a size of %s is refused', (size, message) => {
  expect(() => readStyle({ size }, true)).toThrow(message);
});

test('a size, a theme and a title are read; without a chart they are refused', () => {
  const typed = { size: '800x600', theme: 'dark', title: 'T' };
  expect(readStyle(typed, true)).toEqual({ title: 'T', theme: 'dark', size: { width: 800, height: 600 } });
  expect(() => readStyle({ theme: 'blue' }, true)).toThrow("There is no theme 'blue'.");
  expect(() => readStyle({ theme: 'dark' }, false)).toThrow('--title, --size and --theme are for charts.');
});

test('a picture has its size and theme, and a band is filled', async () => {
  const style = { size: { width: 600, height: 400 }, theme: 'dark' } as const;
  const chart = { at: 'date', panels: [{ values: ['val', 'sma_2'], bands: [['val', 'sma_2'] as const] }] };
  const rows = ['{"date":"2026-01-02","val":3,"sma_2":1}', '{"date":"2026-01-01","val":3,"sma_2":1}'].map(asJsonText);
  const svg = await pictureText({ ...listing, rows, chart }, { ...SHAPE, style }, 'svg');
  expect(svg).toContain('width="600" height="400"');
  expect([svg.includes('color-scheme:dark'), svg.includes('prefers-color-scheme')]).toEqual([true, false]);
  expect(/d="([^"]+)" class="band"/.exec(svg)?.[1]).toMatch(/^M80 (\d+)L576 \1L576 (\d+)L80 \2Z$/);
});

test('no rows are told as such', () => {
  expect(plotOf({ ...listing, rows: [] }, { ...SHAPE, color: false, width: 40 })).toContain('No rows.');
});

test('a picture starts a new stroke behind a hole, and takes no markup from a title', async () => {
  const svg = await pictureText(listing, SHAPE, 'svg');
  const path = /<path d="([^"]*)"/.exec(svg)?.[1] ?? '';
  // Plot of 856 by 340 from (80, 88); 1.10 to 1.30 from its bottom to its top.
  expect(path).toBe('M80 258M650.67 428L936 88');
  // The first value has no line to be on.
  expect(svg).toContain('<circle cx="80" cy="258" r="2.5"');
  expect(svg.match(/<circle/g)).toHaveLength(1);
  expect(svg).toContain('<title>A&lt;b&gt; &amp; &quot;c&quot;, 2026-01-01 to 2026-01-04 · a source</title>');
  expect(svg).not.toContain('<b>');
  expect(await pictureText(listing, SHAPE, 'html')).toContain('<!doctype html>');
});

test('a page holds all that it needs, and the values that the pointer shows', async () => {
  const html = await pictureText({ ...listing, facts: { nature: 'synthetic', mirror: '{}' } }, SHAPE, 'html');
  // The library is there whole, and nothing is fetched.
  expect([html.includes('new uPlot('), html.includes('prefers-color-scheme:dark')]).toEqual([true, true]);
  expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
    /(?:src|href)\s*=\s*["']|https?:\/\/(?!github\.com)/,
  );
  const data = /const CHART=(\{.*\});/.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual({
    isTime: true,
    size: null,
    marks: [],
    places: [1, 2, 3, 4].map((day) => Date.UTC(2026, 0, day) / 1000),
    panels: [
      {
        label: '',
        range: null,
        rules: [],
        bands: [],
        lines: [{ name: 'value', look: 'line', color: 'var(--c0)', values: [1.2, null, 1.1, 1.3] }],
      },
    ],
  });
  expect(html.match(/<p class="mark">[^<]*/g)).toEqual([
    '<p class="mark">SYNTHETIC DATA: these numbers are not real',
    '<p class="mark">PARTIAL',
  ]);
});

test('a page without rows says so, and has no empty plot', async () => {
  const html = await pictureText({ ...listing, rows: [] }, SHAPE, 'html');
  expect([html.includes('<p>No rows.</p>'), html.includes('<script>')]).toEqual([true, false]);
});

test('a name cannot end the script of a page', async () => {
  const rows = [asJsonText('{"date":"2026-01-01","</script><b>":1}')];
  const html = await pictureText({ ...listing, rows }, { ...SHAPE, fields: ['</script><b>'] }, 'html');
  expect(html.match(/<\/script>/g)).toHaveLength(2);
});

describe('a chart of a pair', () => {
  const drawn = (...indicators: string[]) => pairChart({ base: 'EUR', quote: 'USD', indicators }).panels;

  test('has averages over the price, and each oscillator in one panel of its own', () => {
    expect(drawn('sma_20', 'rsi_14', 'macd', 'macd_signal', 'bollinger_bands')).toEqual([
      {
        unit: 'USD for one EUR',
        alike: ['open', 'high', 'low', 'close'],
        values: ['val', 'sma_20', 'bb_upper', 'bb_middle', 'bb_lower'],
        names: expect.objectContaining({
          val: 'EUR/USD',
          sma_20: 'SMA 20',
          bb_upper: 'Bollinger upper (20, 2)',
          donchian_lower_20: 'Donchian lower (20)',
          stoch_k_14: '%K (14)',
          macd_signal: 'signal',
        }),
        bands: [['bb_upper', 'bb_lower']],
      },
      { name: 'RSI 14', values: ['rsi_14'], rules: [30, 70], range: [0, 100] },
      {
        name: 'MACD 12, 26, 9',
        values: ['macd_histogram', 'macd', 'macd_signal'],
        bars: ['macd_histogram'],
        rules: [0],
      },
    ]);
  });

  test('leaves out a panel of which the rows have nothing', () => {
    const rows = [asJsonText('{"date":"2026-01-01","val":1,"rsi_14":null}')];
    const chart = pairChart({ base: 'EUR', quote: 'USD', indicators: ['rsi_14'] });
    expect(
      chartOf({ ...listing, rows, chart }, SHAPE).panels.map(({ lines }) => lines.map(({ name }) => name)),
    ).toEqual([['EUR/USD']]);
  });

  test('knows every indicator of the contract', () => {
    for (const name of TECHNICAL_NAMES)
      expect([name, drawn(name).flatMap(({ values }) => values).length > 1]).toEqual([name, true]);
  });
});

test.each([
  ['announcements usd inflation', 'USD: Inflation (CPI), %YoY', '%YoY'],
  ['commodities gold', 'gold USD/oz t', 'USD/oz t'],
  ['cot usd', 'USD: Weekly futures positions of traders, legacy_futures', 'contracts, net'],
  ['differential usd eur', 'USD/EUR: Spread of risk_free_rate', 'percentage points'],
  ['fx session eur usd --session london', 'EUR/USD: Last published rate', 'USD for one EUR'],
  ['fx eur usd', 'EUR/USD', 'USD for one EUR'],
])('the picture of %s has a title and an axis that stand alone', async (words, title, axis) => {
  const now = '2026-11-20T15:00:00Z';
  const { platform: from } = testPlatform({ now });
  const service = await serviceOver(await sandboxMirror(from), from);
  const at = testPlatform({ now, env: { MACRO_BASE_URL: SERVICE_URL, MACRO_API_KEY: 'k' }, fetch: service.fetch });
  await macro(`${words} -o picture.svg --quiet`, at);
  const svg = readFileSync(join(at.folder, 'picture.svg'), 'utf8');
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([_, text]) => text);
  expect([texts[0]?.replace(/, \d{4}-\d\d-\d\d to .*/, ''), texts.includes(axis)]).toEqual([title, true]);
});
