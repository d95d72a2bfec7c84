import { ENDPOINTS } from '../../src/endpoints/index.ts';

/** Every endpoint that answers: a stream has no end to wait for, so it has tests of its own (test/serve/stream). */
export const ANSWERED = ENDPOINTS.filter(({ body }) => body.kind !== 'stream');
