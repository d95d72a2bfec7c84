import { describe, expect, it } from 'vitest';
import type { HookContext, LoadedSeries, SeriesRoute } from '../../../src/contract/hooks.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { MAIN_CURRENCIES } from '../../../src/contract/words/words.ts';
import { composeCapabilities, composeCoverageMatrix } from '../../../src/derive/catalogue.ts';
import { LABELS } from '../announcements/page.ts';

const ROUTES: readonly SeriesRoute[] = [
  { path: '/v1/forex/{base}/{quote}', method: 'GET', access: { class: 'keyed' }, currencies: ['EUR', 'USD'] },
  { path: '/v1/calendar/{currency}', method: 'GET', access: { class: 'usd' }, currencies: ['EUR', 'USD'] },
];

const context = <A>(args: A): HookContext<A> => ({
  args,
  now: Date.parse('2026-11-21T05:46:13Z') / 1000,
  caller: { kind: 'keyless' },
  labels: LABELS,
  routes: ROUTES,
});

function catalogue(currency: string, entries: Readonly<Record<string, unknown>>): LoadedSeries {
  const rows = Object.entries(entries).map(([slug, coverage]) => ({
    columns: { slug },
    text: asJsonText(JSON.stringify({ name: slug, coverage })),
  }));
  return {
    ref: { endpoint: 'data_catalogue', scope: { currency }, origin: 'x' },
    envelope: {},
    rows,
    coverage: FULL_COVERAGE,
    proven: true,
  };
}

const parsed = (texts: readonly string[] = []) => texts.map((text) => JSON.parse(text));

describe('capabilities', () => {
  const ask = (currency: string | undefined, loaded: readonly LoadedSeries[] = []) =>
    composeCapabilities.build(loaded, context({ currency }));

  // The example of docs/interface-endpoints.md#deprecated-routes, with the second route of this list.
  it('tell what the routes of one currency ask for', () => {
    const answer = ask('USD');
    expect([answer?.envelope, parsed(answer?.rows)]).toEqual([
      { count: 1 },
      [
        {
          currency: 'USD',
          endpoints: [
            { path: '/v1/forex/{base}/{quote}', method: 'GET', requires_api_key: true },
            { path: '/v1/calendar/{currency}', method: 'GET', requires_api_key: false },
          ],
        },
      ],
    ]);
  });

  it('are those of every currency of the table, and of others whose catalogue is held', () => {
    expect(parsed(ask(undefined)?.rows).map(({ currency }) => currency)).toEqual(MAIN_CURRENCIES);
    const more = parsed(ask(undefined, [catalogue('ISK', {}), catalogue('USD', {})])?.rows);
    expect(more.map(({ currency }) => currency)).toEqual([...MAIN_CURRENCIES, 'ISK'].sort());
  });
});

describe('the coverage matrix', () => {
  const inflation = {
    available: true,
    row_count: 900,
    earliest_available_date: '1948-01-31',
    latest_available_date: '2026-10-31',
    data_lag_days: 21,
  };
  const loaded = [
    catalogue('USD', { gdp: { available: false, row_count: 0 }, inflation }),
    catalogue('EUR', { inflation: {} }),
  ];
  const ask = (currency?: string, indicator?: string) =>
    composeCoverageMatrix.build(loaded, context({ currency, indicator }));

  it('is the catalogues as one list, by currency and slug, with the six members of the interface', () => {
    const answer = ask();
    expect([answer?.envelope, answer?.total, parsed(answer?.rows)]).toEqual([
      { count: 3 },
      3,
      [
        { currency: 'EUR', indicator: 'inflation' },
        { currency: 'USD', indicator: 'gdp', available: false, row_count: 0 },
        {
          currency: 'USD',
          indicator: 'inflation',
          available: true,
          row_count: 900,
          earliest_available_date: '1948-01-31',
          latest_available_date: '2026-10-31',
        },
      ],
    ]);
  });

  it('may be of one indicator', () => {
    expect(parsed(ask(undefined, 'gdp')?.rows)).toEqual([
      { currency: 'USD', indicator: 'gdp', available: false, row_count: 0 },
    ]);
  });

  it('asks for one catalogue, or for all of them; only one can vouch for itself', () => {
    expect(composeCoverageMatrix.reads({ currency: 'USD', indicator: undefined })).toEqual([
      { endpoint: 'data_catalogue', scope: { currency: 'USD' } },
    ]);
    const refs = loaded.map(({ ref }) => ref);
    expect(composeCoverageMatrix.vouches?.({ currency: undefined, indicator: undefined }, refs)).toBeUndefined();
    expect(composeCoverageMatrix.vouches?.({ currency: 'USD', indicator: undefined }, refs)).toEqual({ series: refs });
  });
});
