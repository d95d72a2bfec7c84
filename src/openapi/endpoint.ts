import { defineEndpoint } from '../contract/endpoint.ts';
import { document } from '../contract/json/body.ts';
import { object, string } from '../contract/json/schema.ts';

/** The document as a resource of its own. It is no endpoint of the list: whoever serves the list makes it. */
export const OPENAPI_ENDPOINT = defineEndpoint({
  id: 'openapi',
  path: '/v1/openapi.json',
  group: 'data catalogue',
  at: {},
  access: { class: 'public' },
  body: document,
  row: object({
    openapi: string('version of the description language'),
    info: object({ title: string(), version: string() }),
    paths: object({}),
  }),
  fresh: 86_400,
  without: { mirrored: 'made from the contract of the program' },
  commands: ['openapi'],
  doc: { summary: 'This document', example: {} },
});
