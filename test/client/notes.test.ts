import { describe, expect, test } from 'vitest';
import { deprecationNote } from '../../src/client/http/reply.ts';
import { endpoint, scene } from './support.ts';

const note = (headers: Record<string, string>) =>
  deprecationNote('/v1/capabilities?currency=USD', new Headers(headers));

describe('a deprecated call', () => {
  const link =
    '<https://h.example/v1/data_catalogue/usd?include_coverage=true>; rel="successor-version", <https://docs.example/deprecations>; rel="deprecation"';

  test('is told with its date, its end, its successor and where to read on', () => {
    expect(note({ deprecation: '@1790812800', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT', link })).toBe(
      '/v1/capabilities is deprecated since 2026-10-01, will end on 2027-01-01, is replaced by https://h.example/v1/data_catalogue/usd?include_coverage=true. See https://docs.example/deprecations.',
    );
  });

  test.each([
    [{ deprecation: 'true' }, '/v1/capabilities is deprecated.'],
    [{ deprecation: 'Thu, 01 Oct 2026 00:00:00 GMT' }, '/v1/capabilities is deprecated since 2026-10-01.'],
    [{ deprecation: '@nonsense', link: 'nonsense' }, '/v1/capabilities is deprecated.'],
    [{ sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' }, '/v1/capabilities is deprecated, will end on 2027-01-01.'],
    [{ link }, undefined],
    [{ deprecation: 'false' }, undefined],
    [{}, undefined],
  ])('%j gives %j', (headers, expected) => {
    expect(note(headers as Record<string, string>)).toBe(expected);
  });

  test('is told once by a client', async () => {
    const headers = { deprecation: 'true' };
    const { client } = scene([{ request: 'GET /v1/ping', body: { status: 'ok' }, headers, times: 2 }]);
    const ping = { endpoint: endpoint('ping'), args: {} };
    expect((await client.ask(ping)).notes).toEqual(['/v1/ping is deprecated.']);
    expect((await client.ask(ping)).notes).toEqual([]);
  });
});
