import * as c from '../../contract/describe.ts';
import * as s from '../../contract/json/schema.ts';
import { composeVersions } from '../../derive/calendar/versions.ts';
import { checkpointPagination, versionRow } from './version-fields.ts';

export default c.defineEndpoint({
  id: 'calendar_versions',
  path: '/v1/calendar/{currency}/events/{archive_event_id}/versions',
  group: 'calendar',
  at: {
    currency: c.currency('currency of the event', c.CALENDAR_CURRENCIES, 422),
    archive_event_id: c.textParam('event of the archive, or the calendar id of one of its versions', {
      max: 128,
      pattern: /^[A-Za-z0-9][A-Za-z0-9_.:-]*$/,
    }),
  },
  access: { class: 'keyed' },
  paging: c.paged('checkpoint', 100, 20),
  body: c.listAt('data'),
  row: versionRow,
  envelope: s.object({
    currency: s.string(),
    'archive_event_id?': s.string(),
    'checkpoint?': s.string('names the state that all pages of a walk see'),
    'data_quality?': c.DATA_QUALITY,
    'pagination?': checkpointPagination,
  }),
  provisional: 'parameters and rows; how long a checkpoint lives',
  fresh: 3600,
  mirror: {
    table: 'calendar_versions',
    scope: ['currency', 'archive_event_id'],
    // An importer or a generator may give the archive of a currency as one series, without an event in its scope.
    key: [{ ...c.textField('archive_event_id'), otherwise: '' }, c.integerColumn('version')],
    order: 'oldest',
    columns: [c.integerColumn('captured_at')],
    release: 'captured_at',
    sync: { kind: 'pages' },
  },
  cli: {
    words: ['calendar', 'versions'],
    columns: ['version', 'captured_at', 'change_type', 'schedule_status', 'announcement_datetime', 'release', 'name'],
    spare: ['name', 'captured_at', 'schedule_status'],
    examples: ['calendar versions eur cae_d16512a508', 'calendar versions usd cae_e6413fcdf7 --format json'],
  },
  compose: composeVersions,
  doc: {
    summary: 'Every version of the schedule of one event',
    example: { currency: 'EUR', archive_event_id: 'cae_d16512a508' },
  },
});
