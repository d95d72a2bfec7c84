import { expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { testPlatform } from '../support/platform.ts';
import { SERVICE_URL } from '../support/service.ts';

it('a mirror in the place of the service that lacks a part is asked once, and the error is exit 10', async () => {
  const detail = 'The mirror has only part of this answer. Missing: 2025-11-22 to 2026-10-25.';
  let asked = 0;
  const { platform } = testPlatform({
    fetch: async () => {
      asked += 1;
      const body = { detail, code: 'mirror_incomplete', error: 'mirror_incomplete' };
      return new Response(JSON.stringify(body), { status: 503, headers: { 'content-type': 'application/json' } });
    },
  });
  const endpoint = endpointById('fx_sources');
  if (!endpoint) throw new Error('no endpoint');
  const client = createClient({ platform, baseUrl: SERVICE_URL, key: 'k-test' });
  await expect(client.ask({ endpoint, args: {} })).rejects.toMatchObject({
    kind: 'incomplete',
    code: 'mirror_incomplete',
    status: 503,
    message: detail,
    hint: 'Whoever runs that server can bring it; macro sync at this end cannot.',
  });
  expect(asked).toBe(1);
});
