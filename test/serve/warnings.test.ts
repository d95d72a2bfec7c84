import { describe, expect, it } from 'vitest';
import { KEY, serveScripted } from './scripted-source.ts';

const warned = async (url: string) => {
  const { ask } = await serveScripted();
  return (await ask(url, KEY)).headers.warning;
};

// See docs/interface.md#ignored-parameters; the form is that of RFC 7234, section 5.5.
describe('what had no effect is named', () => {
  it.each([
    ['/v1/forex/eur/usd?as_of=2026-01-01', '299 - "Ignored parameters: as_of"'],
    ['/v1/curves/usd?page=2&limit=5&as_of=2026-01-01', '299 - "Ignored parameters: page, limit"'],
    ['/v1/ping?a=1&b=2&a=3', '299 - "Ignored parameters: a, b"'],
    ['/v1/forex/eur/usd?%22%0d%0aX-Evil:1%5c=1', '299 - "Ignored parameters: ???X-Evil:1?"'],
  ])('%s', async (url, text) => {
    expect(await warned(url)).toBe(text);
  });

  it.each([
    '/v1/forex/eur/usd',
    '/v1/forex/eur/usd?start=2026-01-01&end=2026-02-01&page=2&limit=5&api_key=k',
    '/v1/announcements/usd/inflation?as_of=2026-01-01&revisions=first',
    '/v1/announcements/changes?since=1795000000&limit=5&currencies=g10,usd&indicators=GDP',
    '/v1/announcements/changes?currencies=all',
  ])('nothing in %s', async (url) => {
    expect(await warned(url)).toBeUndefined();
  });

  it('in every answer: a repeat of the edge cache, a 304, a refusal', async () => {
    const { ask } = await serveScripted();
    const url = '/v1/risk_sentiment?as_of=2026-01-01';
    const first = await ask(url);
    const told = [
      first,
      await ask(url),
      await ask(url, { 'if-none-match': String(first.headers.etag) }),
      await ask(`${url}&limit=x`),
    ];
    expect(told.map(({ status }) => status)).toEqual([200, 200, 304, 422]);
    expect(told.map(({ headers }) => headers.warning)).toEqual(Array(4).fill('299 - "Ignored parameters: as_of"'));
  });

  it('beside a posted question, whose arguments stand in its body', async () => {
    const { ask } = await serveScripted();
    const body = {
      series: [{ currency: 'USD', indicator: 'inflation' }],
      decision_times: ['2026-10-14'],
      start_date: '2026-01-01',
      end_date: '2026-10-01',
    };
    const posted = await ask('/v1/research/panel?start_date=2020-01-01', KEY, {
      method: 'POST',
      payload: JSON.stringify(body),
      headers: { ...KEY, 'content-type': 'application/json' },
    });
    expect([posted.status, posted.headers.warning]).toEqual([200, '299 - "Ignored parameters: start_date"']);
  });

  it('words of a filter that no table knows, in changes, which are answered all the same', async () => {
    const { ask, source } = await serveScripted();
    const { status, headers } = await ask('/v1/announcements/changes?currencies=usd,zzz&indicators=nope,gdp&x=1', KEY);
    expect([status, headers.warning]).toEqual([
      200,
      '299 - "Ignored parameters: x", ' +
        '299 - "zzz is none of the 20 currencies known for this route. Known are aud, brl, cad, chf, cnh, cny, dkk, eur, gbp, ils, jpy, ngn, nok, nzd, pen, sek, thb, usd, g10, all.", ' +
        '299 - "nope is none of the 94 indicators known for this route. macro search nope lists similar names."',
    ]);
    expect(source.asked[0]?.question.args).toMatchObject({ currencies: ['usd', 'zzz'], indicators: ['nope', 'gdp'] });
  });

  it('and in the head of a stream', async () => {
    const { ask, source } = await serveScripted();
    source.says(() => ({ body: { data: [], next_cursor: 'c1.MA', has_more: false } }));
    const { status, headers } = await ask('/v1/stream/events?indicators=inflatoin', KEY, { method: 'HEAD' });
    expect([status, headers.warning]).toEqual([
      200,
      '299 - "inflatoin is none of the 94 indicators known for this route. Did you mean inflation?"',
    ]);
  });
});
