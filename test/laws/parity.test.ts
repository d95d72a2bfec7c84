import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { needsKey } from '../../src/contract/access.ts';
import type { Caller } from '../../src/contract/hooks.ts';
import { cutBody } from '../../src/contract/json/body.ts';
import { isJsonObject, type JsonObject } from '../../src/contract/json/json.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { createLiveSource } from '../../src/source/live.ts';
import { createMirrorSource } from '../../src/source/mirror.ts';
import { resolveAlias } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, LABELS, SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { EACH, exampleOf, plainRow } from './wire.ts';

const CALLERS: readonly (readonly [Caller, string | undefined])[] = [
  [{ kind: 'keyed', plan: 'individual' }, 'k-test'],
  [{ kind: 'keyless' }, undefined],
];

function hasMore(envelope: JsonObject | undefined): boolean {
  const place = isJsonObject(envelope?.pagination) ? envelope.pagination : envelope;
  return place?.has_more === true;
}

describe.each(EACH)('%s', (_, endpoint) => {
  it('is told the same by the service and by the mirror that it serves, and by one that was filled on the way', async () => {
    const { platform, clock } = testPlatform();
    const now = clock.now();
    const sandbox = await sandboxMirror(platform);
    const { fetch } = await serviceOver(sandbox, platform);
    const { args } = readParams(endpoint, exampleOf(endpoint), { mode: 'strict', now });
    const question = { endpoint, args };
    for (const [caller, key] of CALLERS) {
      if (key === undefined && needsKey(endpoint.access, args)) continue;
      const mirror = await freshMirror(platform, `${caller.kind}.db`);
      const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, ...(key && { key }) });
      const live = await createLiveSource({ client, mirror }).ask(question, { caller, now });
      const served = await createMirrorSource({ mirror: sandbox, labels: LABELS }).ask(question, { caller, now });
      // A posted question has no validator.
      expect([live.body, live.etag]).toEqual([served.body, endpoint.post ? undefined : served.etag]);
      const kept = await mirror.find({ endpoint: resolveAlias(question).endpoint.id, scope: {} });
      if (kept.length === 0) continue;
      const offline = await createMirrorSource({ mirror, labels: LABELS }).ask(question, { caller, now });
      const told = [live.body, offline.body].map((body) => cutBody(endpoint.body, body));
      // Of one page among several nobody can compute what rests on rows of the others.
      const isPage = hasMore(told[0]?.envelope);
      const [wire, own] = told.map(({ rows }) => rows.map(({ value }) => (isPage ? plainRow(endpoint, value) : value)));
      expect(own).toEqual(wire);
      // Of one page among several the mirror holds no more, and says so in what stands beside the rows.
      if (!isPage) expect(told[1]?.envelope).toEqual(told[0]?.envelope);
    }
  });
});
