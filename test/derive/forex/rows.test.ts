import { expect, it } from 'vitest';
import type { LoadedSeries } from '../../../src/contract/hooks.ts';
import { rowText } from '../../../src/contract/json/body.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { type CheckedPoint, forexRow, NO_TECHNICALS } from '../../../src/derive/fx/forex-rows.ts';

const PAIR = { base: 'EUR', quote: 'USD' };
const PATH = { method: 'direct_original_pair', legs: [{ pair: PAIR, side: 'times' }] } as const;

function seriesNamed(source: string): LoadedSeries {
  return {
    ref: { endpoint: 'forex', scope: PAIR, origin: `import:${source}`, exact: true, rows: 1 },
    envelope: { source },
    rows: [],
    coverage: FULL_COVERAGE,
    proven: true,
  };
}

function point(series: LoadedSeries, row: string, check: CheckedPoint['check'] = 'passed'): CheckedPoint {
  const text = asJsonText(row);
  return { date: '2026-11-20', rate: 1, path: PATH, check, parts: [{ date: '2026-11-20', val: 1, text, series }] };
}

const SMA = { names: ['sma_20'], columns: [Float64Array.of(7, Number.NaN)], row: 1, round: Math.fround } as const;
const tail = (source: string, check: string) =>
  `"source":{"source_pair":"EUR/USD","source_legs":[{"pair":"EUR/USD","source_provider":"${source}",` +
  `"source_name":"${source}","source_frequency":"daily"}],"is_derived":false,` +
  `"derivation_method":"direct_original_pair","pair_consistency_check":"${check}"}`;
const HEAD =
  '"date":"2026-11-20","val":1.0,"observation_datetime":1795132800,' +
  '"observation_datetime_iso":"2026-11-20T00:00:00Z","observation_datetime_precision":"date"';

const ecb = seriesNamed('ecb');
const fed = seriesNamed('fed');

it.each([
  ['its date and its value', '{"date":"2026-11-20","val":1}', `{${HEAD},"sma_20":null,${tail('ecb', 'passed')}}`],
  ['blanks', '{"date": "2026-11-20","val":1}', `{${HEAD},"sma_20":null,${tail('ecb', 'passed')}}`],
  [
    'a member between them',
    '{"date":"2026-11-20","x":2,"val":1}',
    `{${HEAD.replace(',"val"', ',"x":2,"val"')},"sma_20":null,${tail('ecb', 'passed')}}`,
  ],
  [
    'a member behind them',
    '{"date":"2026-11-20","val":1,"x":2}',
    `{${HEAD.replace('1.0,', '1.0,"x":2,')},"sma_20":null,${tail('ecb', 'passed')}}`,
  ],
])('completes an imported row with %s', (_, text, row) => {
  expect(rowText(forexRow(point(ecb, text), SMA))).toBe(row);
});

it('says of each row which series it is from, and whether it agrees', () => {
  const bare = '{"date":"2026-11-20","val":1}';
  const own = '{"date":"2026-11-20","val":1,"source":{"source_legs":[{"pair":"EUR/USD"}]}}';
  const points = [
    point(ecb, bare),
    point(fed, bare),
    point(ecb, bare, 'failed'),
    point(ecb, own),
    point(ecb, bare, 'failed'),
  ];
  const labelled = tail('', 'passed').replace(/\[.*\]/, '[{"pair":"EUR/USD"}]');
  expect(points.map((one) => rowText(forexRow(one, NO_TECHNICALS)))).toEqual([
    `{${HEAD},${tail('ecb', 'passed')}}`,
    `{${HEAD},${tail('fed', 'passed')}}`,
    `{${HEAD},${tail('ecb', 'failed')}}`,
    `{${HEAD.replace('1.0,', `1.0,${labelled},`)}}`,
    `{${HEAD},${tail('ecb', 'failed')}}`,
  ]);
});
