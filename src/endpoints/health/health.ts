import * as c from '../../contract/describe.ts';
import { object, string } from '../../contract/json/schema.ts';

export default c.defineEndpoint({
  id: 'health',
  path: '/v1/health',
  group: 'health',
  at: {},
  access: { class: 'public' },
  body: c.document,
  row: object({ status: string('ok'), service: string('label of the service') }),
  fresh: 0,
  without: { mirrored: 'speaks of the running server', offline: 'speaks of the running server' },
  local: ({ labels }) => ({ status: 'ok', service: labels.service }),
  cli: { words: ['health'], columns: ['status', 'service'], examples: ['health', 'health --format json'] },
  doc: { summary: 'Liveness probe with the label of the service', example: {} },
});
