import { describe, expect, test } from 'vitest';
import { targetOf } from '../../src/client/http/request.ts';
import { argsFor, endpoint } from './support.ts';

describe('the target of a question', () => {
  test('carries every argument that is known, limit included, in the order of the contract', () => {
    const forex = endpoint('forex');
    const args = argsFor(
      forex,
      { base: 'eur', quote: 'usd' },
      { indicators: 'rsi_14,sma_20', start_date: '2026-01-01' },
    );
    expect(targetOf(forex, args)).toBe(
      '/v1/forex/EUR/USD?start_date=2026-01-01&end_date=2026-11-21&indicators=rsi_14,sma_20&limit=20&offset=0',
    );
  });

  test('leaves out what is undefined, in any order of the arguments', () => {
    const calendar = endpoint('calendar');
    expect(targetOf(calendar, { timezone: 'Europe/London', indicator: undefined, currency: 'USD' })).toBe(
      '/v1/calendar/USD?timezone=Europe%2FLondon',
    );
    expect(targetOf(calendar, { currency: 'USD' })).toBe('/v1/calendar/USD');
  });

  test('puts unknown parameters last, by name', () => {
    expect(targetOf(endpoint('ping'), {}, { z: '1 & 2', a: 'b' })).toBe('/v1/ping?a=b&z=1%20%26%202');
  });

  test('writes numbers, booleans and lists as the service reads them', () => {
    const args = { limit: 5, since: 'c1.MTc=', currencies: ['usd', 'eur'], payload: 'full' };
    expect(targetOf(endpoint('announcements_changes'), args)).toBe(
      '/v1/announcements/changes?currencies=usd,eur&payload=full&limit=5&since=c1.MTc%3D',
    );
    const catalogue = endpoint('data_catalogue');
    expect(targetOf(catalogue, { currency: 'USD', include_coverage: true })).toBe(
      '/v1/data_catalogue/USD?include_coverage=true',
    );
  });

  test.each(['', '.', '..'])('a path part cannot be %j', (currency) => {
    expect(() => targetOf(endpoint('calendar'), { currency })).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  test('a slash in a path part stays inside of it', () => {
    expect(targetOf(endpoint('calendar'), { currency: 'a/../b' })).toBe('/v1/calendar/a%2F..%2Fb');
  });

  test.each(['api_key', 'API_KEY', 'Authorization'])('a key is not taken as the parameter %s', (name) => {
    expect(() => targetOf(endpoint('ping'), {}, { [name]: 'secret' })).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.not.stringContaining('secret') }),
    );
  });

  test('a known parameter is not taken as an unknown one', () => {
    expect(() => targetOf(endpoint('calendar'), { currency: 'USD' }, { timezone: 'UTC' })).toThrow(
      expect.objectContaining({ kind: 'usage' }),
    );
  });
});
