import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differenceText } from '../../src/cli/commands/latest.ts';
import { asJsonText } from '../../src/contract/json/json.ts';
import { LAST_SECOND } from '../../src/contract/time/time.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { PageCommit } from '../../src/mirror/api/page-commit.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { page } from '../mirror/support.ts';
import { type TestPlatformOptions, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** 2026-11-21T06:00:00Z. */
const NOW = 1_795_240_800_000;
const SERVICE = 'https://api.example.test';

const LATEST = {
  series: { origin: SERVICE, endpoint: 'announcements_latest', scope: { currency: 'USD' } },
  rows: [
    '{"indicator":"inflation","name":"CPI","unit":"%YoY","source":"A publisher","latest":{"date":"2026-10-31","val":3.20,"announcement_datetime":1794576600},"previous":{"date":"2026-09-30","val":3.1}}',
    '{"indicator":"gdp","unit":"USD bn","latest":{"date":"2026-09-30","val":12.5,"announcement_datetime":null}}',
  ],
};
const CALENDAR = {
  series: { origin: SERVICE, endpoint: 'calendar', scope: { currency: 'USD' } },
  rows: [
    `{"calendar_event_id":"a","announcement_datetime":${NOW / 1000 - 60},"release":"inflation"}`,
    `{"calendar_event_id":"b","announcement_datetime":${NOW / 1000 + 7200},"release":"inflation"}`,
    `{"calendar_event_id":"c","announcement_datetime":${NOW / 1000 + 3600},"release":"inflation"}`,
  ],
};
const history = (currency: string, rows: readonly string[]) => ({
  series: { origin: SERVICE, endpoint: 'announcements', scope: { currency, indicator: 'inflation' } },
  rows,
});
const USD = history('USD', ['{"date":"2026-10-31","val":3.20}', '{"date":"2026-09-30","val":3.1}']);
const EUR = history('EUR', ['{"date":"2026-09-30","val":2.1}', '{"date":"2026-08-31","val":2.0}']);

type Held = Pick<PageCommit, 'series'> & { readonly rows: readonly string[] };

async function world(...held: readonly Held[]) {
  return worldOn({}, ...held);
}

async function worldOn(terminal: Partial<TestPlatformOptions>, ...held: readonly Held[]) {
  const at = testPlatform({ now: NOW, ...terminal });
  const path = join(at.folder, 'held.db');
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: at.platform, mode: 'write' });
  for (const { series, rows } of held) {
    const unit = series.endpoint === 'announcements' ? ',"unit":"%YoY","source":"A publisher"' : '';
    const isTimed = series.endpoint === 'calendar';
    await mirror.commitPage(
      page(rows, {
        series,
        extent: 'replaces',
        covered: { from: isTimed ? 0 : '1900-01-01', to: isTimed ? LAST_SECOND : '2026-11-21', rows: rows.length },
        envelope: { text: asJsonText(`{"currency":"${series.scope.currency}"${unit}}`), inputs: '' },
        at: NOW,
      }),
    );
  }
  mirror.close();
  return (line: string) => macro(`${line} --offline --mirror held.db`, at);
}

describe('macro latest', () => {
  it('shows each indicator with its change in published digits and its nearest release ahead', async () => {
    const { code, out } = await (await world(LATEST, CALENDAR))('latest usd --format json');
    expect([code, out]).toEqual([
      0,
      `${[
        '{"currency":"USD","data":[',
        '{"indicator":"gdp","name":null,"value":12.5,"unit":"USD bn","period":"2026-09-30","previous":null,"previous_period":null,"change":null,"released":null,"next_release":null,"frequency":null,"source":null},',
        '{"indicator":"inflation","name":"CPI","value":3.20,"unit":"%YoY","period":"2026-10-31","previous":3.1,"previous_period":"2026-09-30","change":0.10,"released":"2026-11-13T13:30:00Z","next_release":"2026-11-21T07:00:00Z","frequency":null,"source":"A publisher"}',
        ']}',
      ].join('')}\n`,
    ]);
  });

  it('ends after so many indicators', async () => {
    const run = await world(LATEST, CALENDAR);
    expect((await run('latest usd --limit 1 --format csv')).out.split('\n').map((line) => line.split(',')[0])).toEqual([
      'indicator',
      'gdp',
      '',
    ]);
    expect((await run('latest usd --limit 0')).code).toBe(2);
  });

  it('is partial without the schedule, and says so in the data and above the table', async () => {
    const run = await world(LATEST);
    const mirror = { complete: false, missing: [{ series: 'calendar usd' }], checked_at: '2026-11-21T06:00:00Z' };
    const json = await run('latest usd --format json');
    expect([json.code, JSON.parse(json.out).mirror]).toEqual([10, mirror]);
    expect(json.err).toContain('macro init');
    const table = await run('latest usd --format table --allow-partial');
    expect([table.code, table.out.split('\n')[0]]).toEqual([
      0,
      'Latest USD  A publisher  mirror, checked just now  PARTIAL, without calendar usd',
    ]);
  });

  it.each([
    [120, ['indicator', 'value', 'unit', 'period', 'previous', 'change', 'released', 'next_release']],
    [100, ['indicator', 'value', 'unit', 'period', 'released', 'next_release']],
    [80, ['indicator', 'value', 'unit', 'period', 'released']],
    [60, ['indicator', 'value', 'period']],
  ])('keeps value, period and time of release for as long as there is room: %i columns', async (columns, names) => {
    const rows = [
      '{"indicator":"average_hourly_earnings_mom","unit":"%MoM","latest":{"date":"2026-10-31","val":0.40,"announcement_datetime":1794576600},"previous":{"date":"2026-09-30","val":0.3}}',
      '{"indicator":"crude_oil_inventories","unit":"kbbl","latest":{"date":"2026-11-13","val":426175.0,"announcement_datetime":1795015800},"previous":{"date":"2026-11-06","val":418667.0}}',
    ];
    const schedule = [
      `{"calendar_event_id":"c","announcement_datetime":${NOW / 1000 + 3600},"release":"average_hourly_earnings_mom"}`,
    ];
    const run = await worldOn({ terminal: true, columns }, { ...LATEST, rows }, { ...CALENDAR, rows: schedule });
    const { out } = await run('latest usd --format table --no-color');
    const cells = (line: string) => line.trim().split(/ {2,}/);
    const lines = out.split('\n').slice(2, 5).map(cells);
    const whole = [
      {
        indicator: 'average_hourly_earnings_mom',
        value: '0.40',
        unit: '%MoM',
        period: '2026-10-31',
        previous: '0.3',
        change: '0.10',
        released: '2026-11-13T13:30:00Z',
        next_release: '2026-11-21T07:00:00Z',
      },
      {
        indicator: 'crude_oil_inventories',
        value: '426175.0',
        unit: 'kbbl',
        period: '2026-11-13',
        previous: '418667.0',
        change: '7508.0',
        released: '2026-11-18T15:30:00Z',
        next_release: undefined,
      },
    ];
    const expected = whole.map((row) =>
      names.flatMap((name) => Object.entries(row).find(([own]) => own === name)?.[1] ?? []),
    );
    expect(lines).toEqual([names, ...expected]);
  });

  it('is refused where nothing of it is held', async () => {
    const { code, err } = await (await world(EUR))('latest usd');
    expect([code, err.includes('macro init')]).toEqual([3, true]);
  });
});

describe('macro compare', () => {
  it('puts the periods of all currencies side by side, as they are spelled, the newest first', async () => {
    const { code, out } = await (await world(USD, EUR))('compare usd,EUR,usd cpi --format csv');
    expect([code, out]).toEqual([0, 'date,usd,eur\n2026-10-31,3.20,\n2026-09-30,3.1,2.1\n2026-08-31,,2.0\n']);
  });

  it('shows as many periods as are wanted', async () => {
    const { out } = await (await world(USD, EUR))('compare usd,eur inflation --limit 1 --format csv');
    expect(out).toBe('date,usd,eur\n2026-10-31,3.20,\n');
  });

  it.each([
    ['--limit 1', 'note: eur has no value in the rows shown. Its newest is that of 2026-09-30.\n'],
    ['--start 2026-10-01', 'note: eur has no value in the rows shown. Its newest is that of 2026-09-30.\n'],
    ['--start 2026-09-01', ''],
    [
      '--end 2026-08-31 --start 2026-08-01',
      'note: usd has no value in the rows shown. Its newest is that of 2026-10-31.\n',
    ],
  ])('says which currency has no value: %s', async (options, expected) => {
    const { code, err } = await (await world(USD, EUR))(`compare usd,eur inflation ${options} --format csv`);
    expect([code, err]).toEqual([0, expected]);
  });

  it('is partial where one of the currencies is not held', async () => {
    const { code, out } = await (await world(USD, EUR))('compare usd,gbp inflation --format json');
    expect([code, JSON.parse(out).mirror.missing]).toEqual([10, [{ series: 'announcements gbp inflation' }]]);
  });

  it.each(['compare', 'compare usd,eur', 'compare , inflation', 'compare usd inflation gdp'])(
    '%s is exit 2',
    async (line) => {
      expect((await (await world(USD))(line)).code).toBe(2);
    },
  );
});

it.each([
  ['3.2', '3.1', '0.1'],
  ['3.20', '3.1', '0.10'],
  ['-0.04', '0.0', '-0.04'],
  ['1.0', '1.0', '0.0'],
  ['1e-7', '2e-7', '-0.0000001'],
  ['7118.5', '7069', '49.5'],
])('%s less %s is %s', (value, before, difference) => {
  expect(differenceText(value, before)).toBe(difference);
});

describe('macro announcements --forecasts', () => {
  const FORECASTS = {
    series: {
      origin: SERVICE,
      endpoint: 'predictions',
      scope: { currency: 'USD', indicator: 'inflation', pre_release_only: 'true' },
    },
    rows: [
      '{"announcement_id":"x","date":"2026-10-31","predictions":[{"predicted_value":3.3,"prediction_class":"compiled_consensus","generated_at":"2026-11-01T00:00:00Z"}]}',
    ],
  };
  const asked = 'announcements usd inflation --start 2026-09-01 --end 2026-11-20';

  it('has beside each value what was expected of it', async () => {
    const { code, out } = await (await world(USD, FORECASTS))(
      `${asked} --forecasts --format csv --fields date,val,forecast,forecast_by`,
    );
    expect([code, out]).toEqual([
      0,
      'date,val,forecast,forecast_by\n2026-10-31,3.20,3.3,compiled_consensus\n2026-09-30,3.1,,\n',
    ]);
  });

  it('draws the values as a line and the forecasts as dots', async () => {
    const { out } = await (await world(USD, FORECASTS))(`${asked} --forecasts --chart`);
    expect(out).toContain('%YoY  \u2812 value  + forecast');
  });
});

describe('macro curve with several dates', () => {
  const bond = (indicator: string, rows: readonly string[]) => ({
    series: { origin: SERVICE, endpoint: 'announcements', scope: { currency: 'USD', indicator } },
    rows,
  });
  const SHORT = bond('gov_bond_2y', ['{"date":"2026-11-19","val":3.25}', '{"date":"2025-11-18","val":3.45}']);
  const LONG = bond('gov_bond_10y', ['{"date":"2026-11-19","val":4.41}']);

  it('has a row a maturity and a column a date', async () => {
    const { out } = await (await world(SHORT, LONG))(
      'curve usd --date 2026-11-20,2025-11-20 --format csv --allow-partial',
    );
    expect(out).toBe('maturity,2026-11-20,2025-11-20,change,maturity_years\n2Y,3.25,3.45,0.20,2.0\n10Y,4.41,,,10.0\n');
  });
});
