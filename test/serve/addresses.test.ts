import { describe, expect, it } from 'vitest';
import type { StoredSeries } from '../../src/mirror/api/series.ts';
import { withAddresses } from '../../src/serve/addresses.ts';
import { KEY, LABELS, serveScripted } from './scripted-source.ts';

const BARE = { ...LABELS, subscribeUrl: '', docsUrl: '' };
const OWN = {
  ...BARE,
  subscribeUrl: 'https://svc.example/',
  docsUrl: 'https://svc.example/docs',
  deprecationsUrl: 'https://svc.example/docs',
};

/** A mirror that holds nothing but envelopes, by endpoint, each with the moment at which it was confirmed. */
const holding = (told: Readonly<Record<string, readonly (readonly [number, unknown])[]>>) => ({
  find: async ({ endpoint }: { endpoint: string }) =>
    (told[endpoint] ?? []).map(([checkedAt, envelope]) => ({
      checkedAt,
      envelope: envelope === undefined ? undefined : { text: JSON.stringify(envelope) },
    })) as unknown as readonly StoredSeries[], // nothing else of a series is read
});

// See docs/interface.md#addresses-in-answers.
describe('the addresses of a server', () => {
  it('are those that were configured', async () => {
    const mirror = holding({ predictions_coverage: [[1, { access: { docs_url: 'https://other.example/docs' } }]] });
    expect(await withAddresses(LABELS, mirror)).toEqual(LABELS);
  });

  it('else those that the service told last', async () => {
    const mirror = holding({
      predictions_coverage: [[5, { access: { subscribe_url: 'https://new.example/s', docs_url: '', note: 'https' } }]],
      predictions_coverage_currency: [
        [1, { access: { subscribe_url: 'https://old.example/s', docs_url: 'https://old.example/d' } }],
        [9, { access: { docs_url: 'javascript:alert(1)' } }],
        [9, undefined],
      ],
      announcements: [[4, { freemium_delay: { subscribe_url: 'https://middle.example/s' } }]],
    });
    expect(await withAddresses(BARE, mirror)).toEqual({
      ...OWN,
      subscribeUrl: 'https://new.example/s',
      docsUrl: 'https://old.example/d',
    });
  });

  it('else pages of this server', async () => {
    expect(await withAddresses(BARE, holding({}))).toEqual(OWN);
  });

  it('lead nowhere but there: a deprecation is not looked for below a page of its own', async () => {
    const { ask } = await serveScripted({ labels: OWN });
    const { headers } = await ask('/v1/capabilities?currency=usd', KEY);
    expect(headers.link).toBe(
      '</openapi.json>; rel="service-desc", <https://svc.example/v1/data_catalogue/usd?include_capabilities=true>; rel="successor-version", ' +
        '<https://svc.example/docs>; rel="deprecation"',
    );
  });
});
