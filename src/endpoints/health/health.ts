import { defineEndpoint } from '../../contract/endpoint.ts';
import { document } from '../../contract/json/body.ts';
import { object, string } from '../../contract/json/schema.ts';

export default defineEndpoint({
  id: 'health',
  path: '/v1/health',
  group: 'health',
  at: {},
  access: { class: 'public' },
  body: document,
  row: object({ status: string('ok'), service: string('label of the service') }),
  fresh: 0,
  without: { mirrored: 'speaks of the running server', offline: 'speaks of the running server' },
  local: ({ labels }) => ({ status: 'ok', service: labels.service }),
  cli: { words: ['health'], columns: ['status', 'service'], examples: ['health', 'health --format json'] },
  doc: { summary: 'Liveness probe with the label of the service', example: {} },
});
