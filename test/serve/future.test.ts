import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { addressOf, exampleOf } from '../laws/wire.ts';
import { testPlatform } from '../support/platform.ts';
import { SERVICE_URL, sandboxMirror, serviceOver } from '../support/service.ts';

const { platform } = testPlatform({ now: '2026-11-20T14:00:00Z' });

async function get(address: string) {
  const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
  const answer = await fetch(`${SERVICE_URL}${address}`, { headers: { 'x-api-key': 'any' } });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

it.each(ENDPOINTS.filter(({ query }) => query.as_of).map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s knows nothing as of a future moment, of generated data either',
  async (_, endpoint) => {
    const { path, query } = exampleOf(endpoint);
    const at = (as_of: string) => get(addressOf(endpoint, { path, query: { ...query, as_of } }));
    expect([(await at('2026-11-20T13:59:00Z')).status, await at('2027-03-01')]).toEqual([
      200,
      {
        status: 422,
        body: {
          detail: [
            {
              loc: ['query', 'as_of'],
              msg: 'Value error, as_of must not be in the future',
              type: 'value_error',
              input: '2027-03-01T00:00:00Z',
            },
          ],
        },
      },
    ]);
  },
);

it('a panel misses decisions of the future, of generated data too', async () => {
  const panel = (times: string) =>
    get(`/v1/research/panel?series=usd:inflation&decision_times=${times}&start_date=2026-01-01&end_date=2027-03-01`);
  expect((await panel('2026-11-14,2026-11-20T14:00:00Z')).body.mirror).toBeUndefined();
  expect((await panel('2026-11-14,2027-03-01')).body.mirror).toMatchObject({
    complete: false,
    missing: [{ from: '2026-11-20T14:00:00Z', to: '2027-02-28T23:59:59Z', series: 'announcements usd inflation' }],
  });
});
