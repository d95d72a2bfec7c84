import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { exampleAbout } from '../e2e/interface/questions.ts';
import { testPlatform } from '../support/platform.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';
import { addressOf, EACH } from './wire.ts';

/**
 * What the specification says under "Authentication", with docs/interface-access.md#access: `anybody`, USD
 * for `anybody` and other currencies with a key, or always with a `key`.
 */
const SPECIFIED: Readonly<Record<string, 'anybody' | 'usd' | 'key'>> = {
  ping: 'anybody',
  health: 'anybody',
  data_catalogue: 'anybody',
  capabilities: 'anybody',
  coverage_matrix: 'anybody',
  announcements: 'usd',
  announcements_latest: 'usd',
  announcements_changes: 'usd',
  stream_events: 'usd',
  latest_announcements: 'usd',
  latest_announcements_series: 'usd',
  announcements_recent: 'usd',
  announcements_recent_series: 'usd',
  research_panel: 'key',
  predictions: 'key',
  prediction_vintages: 'key',
  predictions_coverage: 'anybody',
  predictions_coverage_currency: 'anybody',
  calendar: 'usd',
  calendar_coverage: 'key',
  calendar_snapshot: 'key',
  calendar_versions: 'key',
  factors: 'usd',
  forex: 'key',
  fx_intraday_reference_rates: 'key',
  fx_reference_rates: 'key',
  fx_session_rates: 'key',
  fx_sources: 'anybody',
  fx_source_universe: 'anybody',
  curves: 'key',
  rate_differentials: 'key',
  market_sessions: 'anybody',
  risk_sentiment: 'anybody',
  risk_sentiment_changes: 'anybody',
  cot: 'usd',
  commodities_latest: 'key',
  commodities: 'key',
  press_releases: 'usd',
  settlement_contracts: 'anybody',
  settlement_contract: 'usd',
  settlement_keys: 'anybody',
  settlement: 'usd',
  financial_prices: 'key',
};

/** Where the client cannot know before the service has spoken, and asks without a key. */
const ASKED_ANYWAY = ['predictions', 'settlement_contract'];

async function world() {
  const { platform, clock } = testPlatform();
  const service = await serviceOver(await sandboxMirror(platform), platform);
  /** An event that the sandbox has. */
  const eventOf = async (currency: string): Promise<string> => {
    const address = `${SERVICE_URL}/v1/calendar/${currency}/snapshot?as_of=2026-11-20`;
    const answer = await service.fetch(address, { headers: { 'x-api-key': 'k' } });
    return JSON.parse(await answer.text()).data[0].archive_event_id;
  };
  return { platform, clock, service, eventOf };
}

const OUTCOMES: Readonly<Record<number, string>> = { 200: 'answered', 401: 'refused' };

describe('access', () => {
  it('is specified for every endpoint', () => {
    expect(ENDPOINTS.filter(({ id }) => !Object.hasOwn(SPECIFIED, id)).map(({ id }) => id)).toEqual([]);
  });
});

describe.each(EACH)('who may ask %s', (id, endpoint) => {
  const isRefused = (currency: string) => SPECIFIED[id] === 'key' || (SPECIFIED[id] === 'usd' && currency !== 'USD');

  it.each(['USD', 'EUR'] as const)(
    'about %s is what the specification says, on the server and in the client',
    async (currency) => {
      const { platform, clock, service, eventOf } = await world();
      const question = exampleAbout(endpoint, currency, endpoint.at.archive_event_id ? await eventOf(currency) : '');
      const address = `${SERVICE_URL}${addressOf(endpoint, question)}`;
      const { args } = readParams(endpoint, question, { mode: 'strict', now: clock.now() });
      const outcomes: Record<string, unknown> = {};
      for (const key of [undefined, 'k-test']) {
        const caller = key === undefined ? 'keyless' : 'keyed';
        const { status } = await service.fetch(address, { headers: key === undefined ? {} : { 'x-api-key': key } });
        let requests = 0;
        const fetch: Fetch = (url, init) => {
          requests += 1;
          return service.fetch(url, init);
        };
        const client = createClient({ platform: { ...platform, fetch }, baseUrl: SERVICE_URL, ...(key && { key }) });
        const told = await client.ask({ endpoint, args }).then(
          () => 'answered',
          (error) => (error instanceof MacroError && error.kind === 'auth' ? 'refused' : error),
        );
        outcomes[caller] = { server: OUTCOMES[status] ?? status, client: told, requests };
      }
      const refused = isRefused(currency);
      const outcome = refused ? 'refused' : 'answered';
      const asks = !refused || ASKED_ANYWAY.includes(id);
      expect(outcomes).toEqual({
        keyless: { server: outcome, client: outcome, requests: asks ? 1 : 0 },
        keyed: { server: 'answered', client: 'answered', requests: 1 },
      });
    },
  );
});
