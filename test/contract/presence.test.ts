import { describe, expect, it } from 'vitest';
import { CAPABILITIES, serviceCapabilities } from '../../scripts/capabilities.ts';
import { isServed } from '../../src/contract/capabilities.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { ENDPOINTS, endpointById, INTERFACE } from '../../src/endpoints/index.ts';

const presence = (id: string) => {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  const facets = serviceCapabilities(endpoint);
  return Object.fromEntries(CAPABILITIES.map((facet) => [facet, facets[facet].there || facets[facet].text]));
};

describe('how an endpoint is offered', () => {
  it.each(INTERFACE.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s has a reason for all it lacks',
    (_, endpoint) => {
      const facets = serviceCapabilities(endpoint);
      expect(CAPABILITIES.filter((facet) => !facets[facet].there && facets[facet].text === '')).toEqual([]);
    },
  );

  it('is offline only where something of this machine can answer', () => {
    const offline = INTERFACE.filter((endpoint) => serviceCapabilities(endpoint).offline.there);
    const means = ({ compose, local, mirror, sameAs }: Endpoint) => compose ?? local ?? mirror ?? sameAs;
    expect(offline.filter((endpoint) => means(endpoint) === undefined).map(({ id }) => id)).toEqual([]);
    expect(offline.length).toBeGreaterThan(30);
  });

  it('is told by what the contract says of it', () => {
    expect(presence('forex')).toEqual({
      command: true,
      live: true,
      mirrored: true,
      offline: true,
      served: true,
      provisional: true,
    });
    expect(presence('market_sessions')).toMatchObject({ mirrored: 'follows from the clock alone', offline: true });
    expect(presence('ping')).toMatchObject({ offline: 'speaks of the running server', served: true });
    expect(presence('latest_announcements_series')).toMatchObject({
      mirrored: 'its rows are those of /v1/announcements/{currency}/{indicator}',
    });
    expect(presence('coverage_matrix')).toMatchObject({
      command: 'deprecated: catalogue CCY --include-coverage true says it',
      mirrored: 'made of what other routes keep',
      served: true,
    });
    expect(presence('webhook_subscriptions')).toMatchObject({
      command: true,
      live: true,
      mirrored: 'the service keeps subscriptions by key, and they change with every delivery',
      offline: 'only the service knows its subscriptions',
      served: true,
    });
  });

  it('leaves what no source knows out of the endpoints that a source answers', () => {
    expect(INTERFACE.filter((endpoint) => !isServed(endpoint)).map(({ id }) => id)).toEqual([]);
    const managed = ['webhook_subscriptions', 'webhook_subscription', 'webhook_rotate_secret', 'webhook_deliveries'];
    expect(ENDPOINTS).toEqual(INTERFACE.filter(({ id }) => !managed.includes(id)));
  });
});
