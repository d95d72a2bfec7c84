import { DATA_QUALITY, PROVENANCE, SOURCE_MEMBERS, WINDOW_MEMBERS } from '../../contract/answer-members.ts';
import { dateWindowParams, defineEndpoint } from '../../contract/endpoint.ts';
import { listAt } from '../../contract/json/body.ts';
import * as s from '../../contract/json/schema.ts';
import { dateWindow as byDate, integerColumn, real, textField } from '../../contract/mapping.ts';
import { offset } from '../../contract/paging.ts';
import { datesInOrder } from '../../contract/params/param.ts';
import { slug } from '../../contract/params/params.ts';
import { COMMODITIES } from '../../contract/words/words.ts';
import { deriveCommodity } from '../../derive/commodities.ts';

export default defineEndpoint({
  id: 'commodities',
  path: '/v1/commodities/{indicator}',
  group: 'commodities',
  at: { indicator: slug('commodity', COMMODITIES) },
  query: { ...dateWindowParams() },
  checks: [datesInOrder],
  access: { class: 'keyed' },
  paging: offset({ page: true, marksLatest: true }),
  body: listAt('data'),
  row: s.object({
    date: s.date(),
    val: s.nullable(s.number()),
    'announcement_datetime?': s.nullable(s.integer('release time, Unix seconds')),
    ...SOURCE_MEMBERS,
    'pct_change?': s.nullable(s.number('per cent against the row before')),
    'pct_change_12m?': s.nullable(s.number('per cent against twelve months before')),
  }),
  envelope: s.object({
    'currency?': s.string(),
    indicator: s.string(),
    ...SOURCE_MEMBERS,
    'has_official_forecast?': s.boolean(),
    'last_updated?': s.string(),
    'provenance?': PROVENANCE,
    'unit?': s.string(),
    'latest_available_date?': s.date(),
    ...WINDOW_MEMBERS,
    'data_quality?': DATA_QUALITY,
  }),
  echo: ['indicator', 'start_date', 'end_date'],
  provisional: 'the members',
  fresh: 21_600,
  mirror: {
    table: 'commodities',
    scope: ['indicator'],
    key: [textField('date')],
    order: 'newest',
    columns: [real('val'), integerColumn('announcement_datetime')],
    window: byDate(),
    release: 'announcement_datetime',
    dependent: ['pct_change', 'pct_change_12m'],
    extent: { from: '2023-01-01', rowsPerYear: 260 },
    sync: { kind: 'history', revisionDays: 60 },
  },
  cli: {
    words: ['commodities'],
    isPlain: true,
    columns: ['date', 'val', 'pct_change', 'pct_change_12m', 'announcement_datetime'],
    spare: ['pct_change_12m', 'pct_change'],
    spark: 'val',
    examples: ['commodities gold', 'commodities oil_brent --start -2y --format csv'],
  },
  derive: deriveCommodity,
  doc: { summary: 'History of one commodity', example: { indicator: 'gold' } },
});
