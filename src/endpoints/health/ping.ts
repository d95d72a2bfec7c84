import { defineEndpoint } from '../../contract/endpoint.ts';
import health from './health.ts';

export default defineEndpoint({
  ...health,
  id: 'ping',
  path: '/v1/ping',
  required: ['status'],
  cli: { words: ['ping'], columns: ['status'], examples: ['ping', 'ping --format json'] },
  doc: { summary: 'Liveness probe', example: {} },
});
