import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { fillWindow, MOST_DECISIONS, MOST_SERIES, panelPost } from '../../derive/panel/body.ts';
import { composePanel } from '../../derive/panel/panel.ts';

const value = s.object({
  currency: s.string(),
  indicator: s.string(),
  val: s.nullable(s.number('null when nothing can be said; `reason` says why')),
  'date?': s.date('reference period of the value'),
  'announcement_datetime?': s.nullable(s.integer('first release of the period, Unix seconds')),
  'known_at?': s.dateTime('since when this value was known'),
  'age_days?': s.integer('days from the period to the day of the decision'),
  'observation_id?': s.string(),
  'reason?': s.oneOf('not_known_yet', 'not_known_then', 'too_old', 'ambiguous', 'no_data'),
});

export default c.defineEndpoint({
  id: 'research_panel',
  path: '/v1/research/panel',
  group: 'announcements',
  at: {},
  query: {
    series: c.seriesList(
      `1 to ${MOST_SERIES} series, each CCY:INDICATOR or CCY:INDICATOR:DAYS with the age that its values may have`,
      {
        max: MOST_SERIES,
        currencies: { set: c.MAIN_CURRENCIES, unknown: 404, noun: 'currency' },
        indicators: { set: c.INDICATORS, unknown: 404, noun: 'indicator' },
      },
    ),
    decision_times: c.instants(`1 to ${MOST_DECISIONS} moments in any order; the answer follows this order`, {
      max: MOST_DECISIONS,
    }),
    start_date: c.dateParam('first reference period that is considered'),
    end_date: c.dateParam('last reference period that is considered'),
    availability: c.withDefault(c.choice('known to whom', ['public', 'captured']), 'public'),
  },
  checks: [c.datesInOrder],
  access: { class: 'keyed' },
  versioned: true,
  tellsHistory: () => true,
  post: panelPost,
  budget: 30,
  body: c.listAt('data'),
  row: s.object({
    decision_time: s.dateTime('the moment asked about; a value counts when it was known strictly before it'),
    values: s.array(value, 'one a series, in the order of the question'),
  }),
  envelope: s.object({
    availability: s.string(),
    start_date: s.date(),
    end_date: s.date(),
    'series?': s.array(
      s.object({ currency: s.string(), indicator: s.string(), 'max_age_days?': s.nullable(s.integer()) }),
    ),
    count: s.integer('decisions'),
    missing_count: s.integer('values that are null'),
  }),
  provisional: 'the answer, and how a GET spells the question',
  fresh: 3600,
  compose: composePanel,
  cli: {
    words: ['panel'],
    lines: 'values',
    columns: ['decision_time', 'currency', 'indicator', 'val', 'date', 'known_at', 'age_days', 'reason'],
    spare: ['age_days', 'known_at'],
    fill: fillWindow,
    examples: [
      'panel --series usd/inflation,eur/inflation --at 2026-06-01,2026-09-01',
      'panel --series usd/inflation:60 --at 2026-09-11T12:30:00Z --format json',
    ],
  },
  doc: {
    summary: 'Values known at each moment of decision',
    example: {},
    exampleQuery: {
      series: 'usd:inflation:60,eur:inflation',
      decision_times: '2026-10-14T12:30:00Z,2026-11-14',
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    },
  },
});
