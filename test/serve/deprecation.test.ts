import { describe, expect, it } from 'vitest';
import ping from '../../src/endpoints/health/ping.ts';
import { testPlatform } from '../support/platform.ts';
import { LABELS as SERVED, sandboxMirror, serviceOver } from '../support/service.ts';
import { DESCRIBED, KEY, LABELS, serveScripted } from './scripted-source.ts';

const NOTICE = '<https://docs.example/deprecations>; rel="deprecation"';
const successor = (path: string) =>
  `${DESCRIBED}, <${LABELS.publicBaseUrl}${path}>; rel="successor-version", ${NOTICE}`;

// See docs/interface-access.md#deprecation.
describe('a deprecated route', () => {
  it.each([
    ['/v1/coverage_matrix?currency=USD', '/v1/data_catalogue/usd?include_coverage=true'],
    ['/v1/coverage_matrix?currency=eur&indicator=gdp', '/v1/data_catalogue/eur?include_coverage=true'],
    ['/v1/coverage_matrix', '/v1/data_catalogue/usd?include_coverage=true'],
    ['/api/v1/capabilities?currency=jpy', '/v1/data_catalogue/jpy?include_capabilities=true'],
    ['/v1/capabilities?currency=%0d%0aX-Evil:1', '/v1/data_catalogue/usd?include_capabilities=true'],
    ['/v1/capabilities?currency=EUR&api_key=k', '/v1/data_catalogue/eur?include_capabilities=true'],
  ])('%s names its successor', async (url, path) => {
    const { ask } = await serveScripted();
    const { headers } = await ask(url);
    expect([headers.deprecation, headers.link, headers.sunset]).toEqual(['@1790812800', successor(path), undefined]);
  });

  it('says so in every answer: a repeat of the edge cache, a 304, a refusal', async () => {
    const { ask } = await serveScripted();
    const url = '/v1/capabilities?currency=usd';
    const first = await ask(url);
    const etag = String(first.headers.etag);
    const told = [
      first,
      await ask(url),
      await ask(url, { 'if-none-match': etag }),
      await ask('/v1/capabilities?currency=x'),
    ];
    expect(told.map(({ status }) => status)).toEqual([200, 200, 304, 422]);
    expect(told.map(({ headers }) => headers.deprecation)).toEqual(Array(4).fill('@1790812800'));
    expect(told[1]?.headers['x-svc-edge-cache']).toBe('HIT');
  });

  it('says when it ends, once that is dated', async () => {
    const ending = { ...ping, deprecated: { since: 1_790_812_800, successor: '/v1/health', sunset: 1_806_451_200 } };
    const { ask } = await serveScripted({}, { endpoints: [ending] });
    expect((await ask('/v1/ping')).headers).toMatchObject({
      deprecation: '@1790812800',
      link: successor('/v1/health'),
      sunset: 'Wed, 31 Mar 2027 00:00:00 GMT',
    });
  });

  it('leaves every other route alone', async () => {
    const { ask } = await serveScripted();
    const { headers } = await ask('/v1/data_catalogue/usd', KEY);
    expect(Object.keys(headers).filter((name) => /deprecation|sunset/.test(name))).toEqual([]);
    expect(headers.link).toBe(DESCRIBED);
  });
});

describe('over a mirror', () => {
  const world = async () => {
    const { platform } = testPlatform();
    const { fetch } = await serviceOver(await sandboxMirror(platform), platform);
    return async (path: string) => {
      const answer = await fetch(`${SERVED.publicBaseUrl}${path}`, {});
      return [answer.status, JSON.parse(await answer.text())] as const;
    };
  };

  it('the matrix of a currency is what its catalogue covers, and nobody needs a key', async () => {
    const ask = await world();
    const [status, { count, data }] = await ask('/v1/coverage_matrix?currency=eur');
    const [, catalogue] = await ask('/v1/data_catalogue/eur');
    expect([status, count]).toEqual([200, Object.keys(catalogue).length]);
    expect(data).toEqual(
      Object.entries(catalogue as Record<string, { coverage: Record<string, unknown> }>).map(([indicator, entry]) => {
        const { available, row_count, earliest_available_date, latest_available_date } = entry.coverage;
        return { currency: 'EUR', indicator, available, row_count, earliest_available_date, latest_available_date };
      }),
    );
  });

  it('capabilities are those that the catalogue tells', async () => {
    const ask = await world();
    const [status, { data }] = await ask('/v1/capabilities?currency=eur');
    const [, { capabilities }] = await ask('/v1/data_catalogue/eur?include_capabilities=true');
    expect([status, data]).toEqual([200, [{ currency: 'EUR', endpoints: capabilities.endpoints }]]);
    const paths = capabilities.endpoints.map(({ path }: { path: string }) => path);
    expect(paths).toContain('/v1/forex/{base}/{quote}');
    expect(paths.filter((path: string) => /webhooks|capabilities|coverage_matrix/.test(path))).toEqual([]);
  });

  it('a currency that nobody knows does not exist', async () => {
    const ask = await world();
    expect(await ask('/v1/capabilities?currency=xyz')).toEqual([
      404,
      { detail: 'Unsupported currency: XYZ', code: 'unknown_currency', error: 'unknown_currency' },
    ]);
  });
});
