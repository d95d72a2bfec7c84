import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import { LAST_SECOND } from '../../src/contract/time/time.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { page } from '../mirror/support.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** 2026-11-21T06:00:00Z. */
const NOW = 1_795_240_800_000;
const SERVICE = 'https://api.example.test';

const release = (id: string, hours: number, indicator: string, more = '') =>
  `{"calendar_event_id":"${id}","announcement_datetime":${NOW / 1000 + hours * 3600},"release":"${indicator}"${more}}`;

async function world(rows: readonly string[], forecasts: readonly string[] = []) {
  const at = testPlatform({ now: NOW });
  const path = join(at.folder, 'held.db');
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: at.platform, mode: 'write' });
  await mirror.commitPage(
    page(rows, {
      series: { origin: SERVICE, endpoint: 'calendar', scope: { currency: 'USD' } },
      extent: 'replaces',
      covered: { from: 0, to: LAST_SECOND, rows: rows.length },
      envelope: { text: asJsonText('{"currency":"USD"}'), inputs: '' },
      at: NOW,
    }),
  );
  if (forecasts.length > 0)
    await mirror.commitPage(
      page(forecasts, {
        series: {
          origin: SERVICE,
          endpoint: 'predictions',
          scope: { currency: 'USD', indicator: 'inflation', pre_release_only: 'true' },
        },
        extent: 'replaces',
        covered: { from: '1970-01-01', to: '2027-12-31', rows: forecasts.length },
        envelope: { text: asJsonText('{"currency":"USD","indicator":"inflation"}'), inputs: '' },
        at: NOW,
      }),
    );
  mirror.close();
  return (line: string) => macro(`${line} --offline --mirror held.db`, at);
}

const ROWS = [
  release('a', -2, 'gdp'),
  release(
    'b',
    7.5,
    'inflation',
    ',"name":"Consumer prices","event_importance":"high","release_date_confirmed":true,"date":"2026-10-31"',
  ),
  release('c', 1, 'policy_rate'),
  release('d', 72, 'inflation'),
];

describe('macro next', () => {
  it('lists what is still ahead, the nearest first, with the time that is left', async () => {
    const { code, out } = await (await world(ROWS))('next usd --format tsv');
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'in\tannouncement_datetime\tlocal\tindicator\tname\tevent_importance\tconfirmed\tseconds_left\treference_period\tperiod\tcalendar_event_id',
        '60 min\t2026-11-21T07:00:00Z\t2026-11-21T07:00:00+00:00\tpolicy_rate\t\t\t\t3600\t\t\tc',
        '7 h 30 min\t2026-11-21T13:30:00Z\t2026-11-21T13:30:00+00:00\tinflation\tConsumer prices\thigh\ttrue\t27000\t\t2026-10-31\tb',
        '3 d 0 h\t2026-11-24T06:00:00Z\t2026-11-24T06:00:00+00:00\tinflation\t\t\t\t259200\t\t\td',
        '',
      ],
    ]);
  });

  it('keeps to one indicator, and to as many as are wanted', async () => {
    const run = await world(ROWS);
    const ids = async (line: string) =>
      JSON.parse((await run(`${line} --format json`)).out).data.map(
        (row: { calendar_event_id: string }) => row.calendar_event_id,
      );
    expect(await ids('next usd inflation')).toEqual(['b', 'd']);
    expect(await ids('next USD --limit 1')).toEqual(['c']);
  });

  it('says so when nothing is scheduled, and that is no failure', async () => {
    const { code, out } = await (await world([release('a', -2, 'gdp')]))('next usd --format json');
    expect([code, JSON.parse(out)]).toEqual([0, { currency: 'USD', data: [] }]);
  });

  it.each(['next', 'next usd inflation gdp', 'next usd --limit 0', 'next usd "not a slug"'])(
    '%s is exit 2',
    async (line) => {
      expect((await (await world(ROWS))(line)).code).toBe(2);
    },
  );

  const expected = (kind: string, value: number, day: number, more = '') =>
    `{"predicted_value":${value},"prediction_class":"${kind}","generated_at":"2026-11-0${day}T00:00:00Z"${more}}`;
  const target = (...predictions: readonly string[]) =>
    `{"announcement_id":"x","date":"2026-10-31","predictions":[${predictions.join(',')}]}`;

  it('shows beside a release the newest forecast of its period, a consensus before any other', async () => {
    const run = await world(ROWS, [
      target(
        expected('model_nowcast', 9.9, 9),
        expected('compiled_consensus', 2.8, 1),
        expected('compiled_consensus', 2.9, 3),
        expected('compiled_consensus', 7.7, 5, ',"event_compatible":false'),
      ),
    ]);
    const { code, out } = await run('next usd inflation --format json');
    const { data, mirror } = JSON.parse(out);
    expect([
      code,
      mirror,
      data.map((row: Record<string, unknown>) => [row.period, row.forecast, row.forecast_by]),
    ]).toEqual([
      0,
      undefined,
      [
        ['2026-10-31', 2.9, 'compiled_consensus'],
        [null, null, null],
      ],
    ]);
  });

  it('is partial where forecasts of the currency are followed and those of a shown release are not', async () => {
    const run = await world(ROWS, [target(expected('compiled_consensus', 2.9, 3))]);
    const { code, out } = await run('next usd --format json');
    const { mirror } = JSON.parse(out);
    expect([code, mirror]).toEqual([
      10,
      { complete: false, missing: [{ series: 'predictions usd policy_rate' }], checked_at: '2026-11-21T06:00:00Z' },
    ]);
  });

  it('says that forecasts are left out where the mirror follows none', async () => {
    const { code, err } = await (await world(ROWS))('next usd inflation --format tsv');
    expect([code, err]).toEqual([
      0,
      'note: Forecasts are left out: the mirror has none of USD, and no publisher offers any. With a service: macro sync predictions usd inflation\n',
    ]);
  });
});
