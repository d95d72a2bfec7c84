import { withSandbox } from './serve-programs.mjs';
import { daysBack, slowest } from './serve-slowest.mjs';

const CURRENCIES = ['usd', 'eur', 'gbp'];

/** A panel of 1,000 days over some indicators of three currencies. */
const panel = (indicators) => (i) => {
  const series = CURRENCIES.flatMap((currency) =>
    indicators.map((indicator) => ({ currency, indicator, max_age_days: 60 + i })),
  );
  const decision_times = Array.from({ length: 1_000 }, (_, day) => daysBack(day + 1));
  return ['/v1/research/panel', { series, decision_times, start_date: daysBack(1_730), end_date: daysBack(0) }];
};

const curve = (view) => (i) => [`/v1/curves/USD?view=${view}&date=${daysBack(i)}`];
const differential = (query) => (i) => [`/v1/rate_differentials/EUR/USD?start_date=2000-01-01&${query}&offset=${i}`];
const pages = (path) => (i) => [`${path}&offset=${i}`];

// Goal: each under 30 ms on a warm server.
export default {
  name: 'serve: slowest computed answer on a warm server, in units of 30 ms',
  goal: 1,
  run: () =>
    withSandbox(
      (ours) =>
        slowest(ours, {
          'panel of monthly series': panel(['inflation', 'unemployment']),
          'panel of daily series': panel(['gov_bond_2y', 'gov_bond_10y']),
          'curve nodes': curve('nodes'),
          'curve slopes': curve('slopes'),
          'curve forwards': curve('forwards'),
          'curve as of': (i) => [`/v1/curves/USD?view=nodes&as_of=${daysBack(i)}`],
          'differential of policy rates': differential('measure=policy_rate'),
          'differential of risk-free rates': differential('measure=risk_free_rate'),
          'differential of 2 years': differential('measure=gov_bond_2y'),
          'differential of 10 years': differential('measure=gov_bond_10y'),
          'differential of forwards': differential('rate_type=forward'),
          'differential as of': (i) => [`/v1/rate_differentials/EUR/USD?as_of=${daysBack(i)}`],
          'forex with all indicators': pages('/v1/forex/EUR/USD?indicators=all&start_date=2000-01-01'),
          'forex cross with all indicators': pages('/v1/forex/GBP/JPY?indicators=all&start_date=2000-01-01'),
          'fx reference': pages('/v1/fx/reference-rates/EUR/USD?start_date=2000-01-01'),
          'fx session': pages('/v1/fx/session-rates/EUR/USD?session=london&start_date=2000-01-01'),
          'fx intraday': (i) => [
            `/v1/fx/intraday-reference-rates/EUR/USD?start_time=${daysBack(30 + i)}&end_time=${daysBack(i)}`,
          ],
          sentiment: pages('/v1/risk_sentiment?start_date=2000-01-01'),
          factor: pages('/v1/factors/USD/monetary_stance?start_date=2000-01-01'),
          latest: (i) => [`/v1/announcements/USD/latest?n=${i}`],
          recent: pages('/v1/recent/announcements/USD?limit=20'),
          'latest commodities': (i) => [`/v1/commodities/latest?n=${i}`],
        }),
      ['--no-quota'],
    ),
};
