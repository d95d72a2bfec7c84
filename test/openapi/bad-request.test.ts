import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { LABELS } from '../serve/scripted-source.ts';

const { paths } = openApiDocument(ENDPOINTS, { title: '', version: '1.0.0', labels: LABELS, prefixes: ['/v1'] });

// Found by npm run fuzz: the server answers 400 there.
it.each([
  ['a checkpoint that is none of its own', '/v1/calendar/{currency}/events/{archive_event_id}/versions'],
  ['an option that a series has not', '/v1/latest/announcements/{currency}/{indicator}'],
])('the document has the refusal of %s', (_, path) => {
  const { get } = (paths as Record<string, { get: { responses: Record<string, unknown> } }>)[path] ?? {};
  expect(get?.responses['400']).toEqual({ $ref: '#/components/responses/BadRequest' });
});
