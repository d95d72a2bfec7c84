import { describe, expect, it } from 'vitest';
import type { Caller, SeriesRef } from '../../src/contract/hooks.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/contract/json/json.ts';
import type { RawArgs } from '../../src/contract/params/param.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import type { Range } from '../../src/contract/time/coverage.ts';
import { addDays } from '../../src/contract/time/time.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { cutMirror } from '../support/cut-mirror.ts';
import { TEST_NOW, testPlatform } from '../support/platform.ts';
import fc, { draws } from '../support/properties.ts';
import { LABELS, sandboxMirror } from '../support/service.ts';

const OWNER: Caller = { kind: 'owner' };
const TODAY = '2026-11-21';

interface Case {
  readonly endpoint: string;
  readonly question: RawArgs;
  /** Series of which a part is taken away. */
  readonly inputs: readonly SeriesRef[];
  /** Members that tell one row from another. */
  readonly key: readonly string[];
  /** Days before today in which parts begin. */
  readonly days: number;
  /** Series that are not held at all. */
  readonly without?: readonly SeriesRef[];
}

const yields = ['2y', '5y', '10y', '30y'].map((label) => rate('USD', `gov_bond_${label}`));
const forex = [
  { base: 'EUR', quote: 'USD' },
  { base: 'EUR', quote: 'AUD' },
  { base: 'EUR', quote: 'JPY' },
].map((scope): SeriesRef => ({ endpoint: 'forex', scope }));
const fixings = (base: string, quote: string): SeriesRef => ({
  endpoint: 'fx_reference_rates',
  scope: { base, quote },
});

function rate(currency: string, indicator: string): SeriesRef {
  return { endpoint: 'announcements', scope: { currency, indicator }, exact: true };
}

const month = { start_date: addDays(TODAY, -30), end_date: TODAY };
const window = { start_date: addDays(TODAY, -90), end_date: TODAY };

const CASES: readonly (readonly [string, Case])[] = [
  [
    'a spot differential',
    {
      endpoint: 'rate_differentials',
      question: { path: { base: 'EUR', quote: 'USD' }, query: { ...window, measure: 'gov_bond_2y', limit: '100' } },
      inputs: [rate('EUR', 'gov_bond_2y'), rate('USD', 'gov_bond_2y')],
      key: ['date'],
      days: 120,
    },
  ],
  [
    'a forward differential',
    {
      endpoint: 'rate_differentials',
      question: {
        path: { base: 'EUR', quote: 'USD' },
        query: { ...window, rate_type: 'forward', start_tenor_years: '2', end_tenor_years: '5', limit: '100' },
      },
      inputs: ['EUR', 'USD'].flatMap((code) => [rate(code, 'gov_bond_2y'), rate(code, 'gov_bond_5y')]),
      key: ['date'],
      days: 120,
    },
  ],
  ...(['nodes', 'slopes', 'forwards'] as const).map((view): readonly [string, Case] => [
    `a curve of another day as ${view}`,
    {
      endpoint: 'curves',
      question: { path: { currency: 'USD' }, query: { view, date: addDays(TODAY, -40) } },
      inputs: yields,
      key: view === 'nodes' ? ['maturity'] : view === 'slopes' ? ['slope'] : ['segment'],
      days: 110,
    },
  ]),
  [
    'a curve of one common date',
    {
      endpoint: 'curves',
      question: { path: { currency: 'USD' }, query: { date: addDays(TODAY, -40), require_common_date: 'true' } },
      inputs: yields,
      key: ['maturity'],
      days: 110,
    },
  ],
  [
    'computed sentiment',
    {
      endpoint: 'risk_sentiment',
      question: { path: {}, query: { ...window, limit: '100' } },
      inputs: [{ endpoint: 'commodities', scope: { indicator: 'gold' } }, ...forex],
      key: ['date'],
      days: 500,
      without: [{ endpoint: 'risk_sentiment', scope: {} }],
    },
  ],
  [
    'a panel',
    {
      endpoint: 'research_panel',
      question: {
        path: {},
        query: {
          series: 'usd:inflation,eur:inflation',
          start_date: addDays(TODAY, -600),
          end_date: TODAY,
          decision_times: [300, 200, 100, 10].map((days) => addDays(TODAY, -days)).join(','),
        },
      },
      inputs: [rate('USD', 'inflation'), rate('EUR', 'inflation')],
      key: ['decision_time'],
      days: 600,
    },
  ],
  [
    'a factor',
    {
      endpoint: 'factors',
      question: { path: { currency: 'USD', factor: 'monetary_stance' }, query: { ...window, limit: '100' } },
      inputs: [{ endpoint: 'factors', scope: { currency: 'USD' } }],
      key: ['date'],
      days: 120,
    },
  ],
  [
    'the newest snapshot of a factor',
    {
      endpoint: 'factors',
      question: { path: { currency: 'USD', factor: 'monetary_stance' }, query: {} },
      inputs: [{ endpoint: 'factors', scope: { currency: 'USD' } }],
      key: ['date'],
      days: 20,
    },
  ],
  [
    'reference rates',
    {
      endpoint: 'fx_reference_rates',
      question: { path: { base: 'EUR', quote: 'USD' }, query: { ...month, limit: '100' } },
      inputs: [fixings('EUR', 'USD')],
      key: ['timestamp_utc', 'timestamp_type', 'source', 'source_pair'],
      days: 120,
    },
  ],
  [
    'reference rates of a cross',
    {
      endpoint: 'fx_reference_rates',
      question: { path: { base: 'AUD', quote: 'JPY' }, query: { ...month, limit: '100' } },
      inputs: ['AUD', 'JPY', 'USD'].map((code) => fixings('EUR', code)),
      key: ['timestamp_utc', 'timestamp_type', 'source', 'source_pair'],
      days: 120,
    },
  ],
  [
    'intraday rates',
    {
      endpoint: 'fx_intraday_reference_rates',
      question: {
        path: { base: 'EUR', quote: 'USD' },
        query: { start_time: `${addDays(TODAY, -20)}T00:00:00Z`, end_time: `${TODAY}T00:00:00Z` },
      },
      inputs: [fixings('EUR', 'USD')],
      key: ['timestamp', 'timestamp_type', 'source', 'source_pair'],
      days: 40,
    },
  ],
  [
    'session rates',
    {
      endpoint: 'fx_session_rates',
      question: { path: { base: 'EUR', quote: 'USD' }, query: { ...window, session: 'london', limit: '100' } },
      inputs: [fixings('EUR', 'USD')],
      key: ['date'],
      days: 130,
    },
  ],
  ...(
    [
      ['inflation', 'latest'],
      ['inflation', '2026-09-30'],
      ['policy_rate', 'latest'],
    ] as const
  ).map(([indicator, period]): readonly [string, Case] => [
    `the settlement of ${indicator} of ${period}`,
    {
      endpoint: 'settlement',
      question: { path: { currency: 'USD', indicator }, query: { period } },
      inputs: [rate('USD', indicator), rate('USD', 'policy_rate_target_lower')],
      key: ['period'],
      days: 300,
    },
  ]),
  ...(
    [
      ['EUR', 'USD', undefined],
      ['EUR', 'USD', 'all'],
      ['USD', 'EUR', 'rsi_14,sma_20'],
      ['AUD', 'JPY', 'bollinger_bands,ema_20'],
    ] as const
  ).map(([base, quote, indicators]): readonly [string, Case] => [
    `daily rates of ${base}/${quote} with ${indicators ?? 'no'} indicators`,
    {
      endpoint: 'forex',
      question: { path: { base, quote }, query: { ...window, limit: '100', ...(indicators && { indicators }) } },
      inputs: [
        { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } },
        { endpoint: 'forex', scope: { base: 'EUR', quote: 'AUD' } },
        { endpoint: 'forex', scope: { base: 'EUR', quote: 'JPY' } },
        { endpoint: 'forex', scope: { base: 'AUD', quote: 'USD' } },
        { endpoint: 'forex', scope: { base: 'USD', quote: 'JPY' } },
      ],
      key: ['date'],
      days: 400,
    },
  ]),
  ...(
    [
      ['inflation', {}],
      ['gdp', {}],
      ['policy_rate', {}],
      ['inflation', { revisions: 'first' }],
      ['inflation', { as_of: `${addDays(TODAY, -45)}T00:00:00Z` }],
    ] as const
  ).map(([indicator, more]): readonly [string, Case] => [
    `the history of ${indicator} ${JSON.stringify(more)}`,
    {
      endpoint: 'announcements',
      question: {
        path: { currency: 'USD', indicator },
        query: { start_date: addDays(TODAY, -500), end_date: TODAY, limit: '100', ...more },
      },
      inputs: [rate('USD', indicator)],
      key: ['date'],
      days: 1000,
    },
  ]),
  [
    'the newest of all indicators',
    {
      endpoint: 'announcements_latest',
      question: { path: { currency: 'USD' }, query: {} },
      inputs: [rate('USD', 'inflation'), rate('USD', 'unemployment'), rate('USD', 'gdp')],
      key: ['indicator'],
      days: 500,
    },
  ],
  [
    'the newest releases',
    {
      endpoint: 'announcements_recent',
      question: { path: { currency: 'USD' }, query: { limit: '100' } },
      inputs: [rate('USD', 'inflation'), rate('USD', 'unemployment'), rate('USD', 'gdp')],
      key: ['indicator', 'date'],
      days: 500,
    },
  ],
  [
    'prices of gold',
    {
      endpoint: 'commodities',
      question: { path: { indicator: 'gold' }, query: { ...window, limit: '100' } },
      inputs: [{ endpoint: 'commodities', scope: { indicator: 'gold' } }],
      key: ['date'],
      days: 600,
    },
  ],
  [
    'the newest prices',
    {
      endpoint: 'commodities_latest',
      question: { path: {}, query: {} },
      inputs: ['gold', 'silver'].map((indicator) => ({ endpoint: 'commodities', scope: { indicator } })),
      key: ['indicator'],
      days: 600,
    },
  ],
  [
    'positions',
    {
      endpoint: 'cot',
      question: { path: { currency: 'EUR' }, query: { ...window, limit: '100' } },
      inputs: [{ endpoint: 'cot', scope: { currency: 'EUR' } }],
      key: ['date'],
      days: 400,
    },
  ],
  [
    'official prices',
    {
      endpoint: 'financial_prices',
      question: { path: { currency: 'USD' }, query: { ...month, limit: '100' } },
      inputs: [{ endpoint: 'financial_prices', scope: { currency: 'USD' } }],
      key: ['date', 'source', 'measure', 'instrument_id'],
      days: 100,
    },
  ],
  [
    'press releases',
    {
      endpoint: 'press_releases',
      question: { path: { currency: 'USD' }, query: { limit: '50' } },
      inputs: [{ endpoint: 'press_releases', scope: { currency: 'USD' } }],
      key: ['id', 'url', 'title'],
      days: 200,
    },
  ],
  [
    'forecasts',
    {
      endpoint: 'predictions',
      question: { path: { currency: 'USD', indicator: 'inflation' }, query: { limit: '100' } },
      inputs: [{ endpoint: 'predictions', scope: { currency: 'USD', indicator: 'inflation' } }],
      key: ['date'],
      days: 600,
    },
  ],
];

type Told =
  | { readonly rows: ReadonlyMap<string, JsonObject>; readonly isPartial: boolean }
  | { readonly code: string | undefined };

/** The value at each place of a row, by the names that lead there. */
function leaves(value: Json | undefined, path = ''): readonly (readonly [string, Json | undefined])[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => leaves(item, `${path}/${i}`));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, item]) => leaves(item, `${path}/${name}`));
  return [[path, value]];
}

describe('an answer over a part that is not held', () => {
  it.each(CASES)('has no other value than the whole one, and says what is missing: %s', async (_, asked) => {
    const { endpoint: id, question, inputs, key, days, without = [] } = asked;
    const { platform } = testPlatform();
    const sandbox = await sandboxMirror(platform);
    const endpoint = endpointById(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    const read = readParams(endpoint, question, { mode: 'strict', now: TEST_NOW });
    // All of the window: a page of a part has other rows than the same page of the whole.
    const args = read.args.limit === undefined ? read.args : { ...read.args, limit: 1_000_000 };
    const gone = without.map((series) => ({ series }));

    const tell = async (cuts: Parameters<typeof cutMirror>[1]): Promise<Told> => {
      const source = createMirrorSource({ mirror: cutMirror(sandbox, cuts), labels: LABELS });
      try {
        const { body, partial } = await source.ask({ endpoint, args }, { caller: OWNER, now: TEST_NOW });
        const rows = cutBody(endpoint.body, body).rows.map(({ value }) => value);
        const named = rows.map((row) => [JSON.stringify(key.map((name) => row[name])), row] as const);
        return { rows: new Map(named), isPartial: partial !== undefined };
      } catch (error) {
        if (error instanceof MacroError) return { code: error.code };
        throw error;
      }
    };

    const complete = await tell(gone);
    const part = fc.record({
      series: fc.constantFrom(...inputs),
      back: fc.integer({ min: 0, max: days }),
      length: fc.integer({ min: 0, max: days }),
    });
    const rangeOf = (back: number, length: number): Range => {
      const from = addDays(TODAY, -back);
      return { from, to: addDays(from, length) };
    };
    await fc.assert(
      fc.asyncProperty(part, async ({ series, back, length }) => {
        const told = await tell([...gone, { series, range: rangeOf(back, length) }]);
        if ('code' in told) {
          const wasRefused = 'code' in complete && complete.code === told.code;
          expect(wasRefused ? 'mirror_incomplete' : told.code).toBe('mirror_incomplete');
          return;
        }
        if ('code' in complete) throw new Error(`The whole mirror refuses: ${complete.code}`);
        const whole = complete.rows;
        for (const [name, row] of told.rows) {
          const expected = whole.get(name);
          expect(expected, `the row ${name}`).toBeDefined();
          const values = new Map(leaves(expected));
          // Null has a reason in a panel, which a whole answer has not.
          const isSaid = ([path, value]: readonly [string, Json | undefined]) =>
            value === null || (path.endsWith('/reason') && value === 'not_known_then');
          const others = leaves(row).filter((leaf) => !isSaid(leaf) && leaf[1] !== values.get(leaf[0]));
          expect(others).toEqual([]);
        }
        const isSame = JSON.stringify([...told.rows]) === JSON.stringify([...whole]);
        if (!isSame) expect(told.isPartial).toBe(true);
      }),
      { numRuns: draws(10), endOnFailure: true },
    );
    expect(
      'code' in complete ? complete.code : [complete.rows.size > 0, without.length > 0 || !complete.isPartial],
    ).toEqual([true, true]);
  });
});
