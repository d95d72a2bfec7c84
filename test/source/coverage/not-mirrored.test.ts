import { describe, expect, it } from 'vitest';
import { wordsFor } from '../../../src/contract/endpoint.ts';
import type { Args } from '../../../src/contract/params/params.ts';
import { missingFor, namesOf, neededBy, noMirrorYet, notMirrored, syncOf } from '../../../src/source/not-mirrored.ts';
import { page, SERVICE, testMirror } from '../../mirror/support.ts';
import { endpointOf, said } from './stored.ts';

const asked = (id: string, args: Args = {}) => ({ endpoint: endpointOf(id), args });
const exact = (endpoint: string, scope: Record<string, string>) => ({ endpoint, scope, exact: true });
const COT = asked('cot', { currency: 'EUR', report: 'legacy_futures' });

describe('the words of a series', () => {
  const words = (id: string, scope: Record<string, unknown>) => wordsFor(endpointOf(id), scope);

  it('are its command and its path', () => {
    expect(words('forex', { base: 'EUR', quote: 'USD' })).toEqual(['fx EUR USD']);
    expect(words('announcements_latest', { currency: 'USD' })).toEqual(['announcements latest USD']);
    expect(words('fx_sources', {})).toEqual(['fx sources']);
  });

  it('have what else its scope names, without what is usual', () => {
    expect(words('cot', { currency: 'EUR', report: 'tff_combined' })).toEqual(['cot EUR report=tff_combined']);
    expect(words('cot', { currency: 'EUR', report: 'legacy_futures' })).toEqual(['cot EUR']);
    expect(words('cot', { currency: 'EUR', report: undefined })).toEqual(['cot EUR']);
    const adjusted = { currency: 'USD', indicator: 'gdp', seasonality: 'nsa' };
    expect(words('announcements', adjusted)).toEqual(['announcements USD gdp seasonality=nsa']);
    // Neither in the path nor in the scope.
    expect(words('cot', { currency: 'EUR', start_date: '2026-01-01' })).toEqual(['cot EUR']);
  });

  it('may leave out an indicator or what the path does not need, and nothing else', () => {
    expect(words('announcements', { currency: 'USD' })).toEqual(['announcements USD']);
    expect(words('factors', { currency: 'USD' })).toEqual(['factor USD']);
    expect(words('announcements', { indicator: 'inflation' })).toEqual([]);
    expect(words('forex', { base: 'EUR' })).toEqual([]);
  });

  it('are none of an endpoint without a command', () => {
    expect(words('capabilities', {})).toEqual([]);
    expect(wordsFor(undefined, { currency: 'USD' })).toEqual([]);
  });

  it('of several series are named once, and typed in lower case', () => {
    const rate = { endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } };
    const names = namesOf([rate, { endpoint: 'fx_sources', scope: {} }, { ...rate }]);
    expect(names).toEqual(['fx EUR USD', 'fx sources']);
    expect(syncOf(names)).toBe('macro sync fx eur usd, fx sources');
    expect(namesOf([{ endpoint: 'of_another_version', scope: {} }])).toEqual([]);
  });
});

describe('what a question needs', () => {
  it('is its own series, of the arguments that tell series apart', () => {
    expect(neededBy(asked('cot', { currency: 'EUR', report: 'legacy_futures', start_date: '2026-01-01' }))).toEqual([
      exact('cot', { currency: 'EUR', report: 'legacy_futures' }),
    ]);
  });

  it('is its own series where it is made of others too, and itself first', () => {
    expect(neededBy(asked('announcements_latest', { currency: 'USD' }))).toEqual([
      exact('announcements_latest', { currency: 'USD' }),
    ]);
    expect(neededBy(asked('settlement_keys'))).toEqual([exact('settlement_keys', {})]);
  });

  it('are the others where it is made of them in the first place, lists included', () => {
    const [first, ...more] = neededBy(asked('announcements_recent', { currency: 'USD' }));
    expect([first, more]).toEqual([
      { endpoint: 'announcements', scope: { currency: 'USD' } },
      [{ endpoint: 'data_catalogue', scope: { currency: 'USD' } }],
    ]);
  });

  it('are all of the series that a panel is made of', () => {
    const series = ['gdp', 'inflation'].map((indicator) => exact('announcements', { currency: 'USD', indicator }));
    expect(neededBy(asked('research_panel', { series: ['USD:gdp', 'USD:inflation'] }))).toEqual(series);
  });

  it('are the legs of a difference, though the service has an answer of its own', () => {
    const legs = ['EUR', 'USD'].map((currency) => ({ endpoint: 'announcements', scope: { currency } }));
    expect(neededBy(asked('rate_differentials', { base: 'EUR', quote: 'USD', rate_type: 'policy' }))).toEqual(legs);
  });

  it('is nothing of an endpoint that is not kept', () => {
    expect(neededBy(asked('ping'))).toEqual([]);
  });
});

describe('the refusal of a question that nothing is held for', () => {
  it('names what is lacking, and the command that brings it', () => {
    expect(said(notMirrored(COT))).toEqual({
      message: 'The mirror has nothing for cot EUR.',
      kind: 'notFound',
      status: 404,
      code: 'not_mirrored',
      hint: 'Fill it with: macro sync cot eur',
      extra: {},
    });
    const legs = ['JPY', 'USD'].map((quote) => exact('forex', { base: 'EUR', quote }));
    expect(said(notMirrored(asked('forex'), legs))).toMatchObject({
      message: 'The mirror has nothing for fx EUR JPY, fx EUR USD.',
      hint: 'Fill it with: macro sync fx eur jpy, fx eur usd',
    });
  });

  it('sends to the service where no command brings anything', () => {
    expect(said(notMirrored(asked('ping')))).toEqual({
      message: 'The mirror cannot answer this question for ping.',
      kind: 'notFound',
      status: 404,
      code: 'not_mirrored',
      hint: 'Ask the service: leave out --offline.',
      extra: {},
    });
    expect(notMirrored(COT, []).message).toBe('The mirror cannot answer this question for cot EUR.');
    // Without a command of its own it is its id.
    expect(notMirrored(asked('capabilities'), []).message).toBe(
      'The mirror cannot answer this question for capabilities.',
    );
  });

  it('says without any mirror how to have one', () => {
    expect(said(noMirrorYet(COT, '/data/m.db'))).toEqual({
      message: 'There is no mirror at /data/m.db.',
      kind: 'notFound',
      code: 'no_mirror',
      hint: 'Name one with --mirror FILE, or fill one with: macro sync cot eur',
      extra: {},
    });
    const alias = asked('latest_announcements_series', { currency: 'USD', indicator: 'inflation' });
    expect(said(noMirrorYet(alias, '/data/m.db'))).toMatchObject({
      hint: 'Name one with --mirror FILE, or fill one with: macro sync announcements usd inflation',
    });
    expect(said(noMirrorYet(asked('ping'), '/data/m.db'))).toMatchObject({
      hint: 'Name one with --mirror FILE, or leave out --offline.',
    });
  });
});

describe('what of it is not held', () => {
  const [HISTORY, CATALOGUE] = ['announcements', 'data_catalogue'] as const;
  const recent = asked('announcements_recent', { currency: 'USD' });

  /** What is missing where these series of USD are held, and where others are held now. */
  async function lacking(then: readonly string[], now = then, question = recent) {
    const [reader, present] = await Promise.all([then, now].map(holding));
    if (!reader || !present) throw new Error('no mirror');
    return (await missingFor({ question, reader, present })).map(({ endpoint }) => endpoint);
  }

  async function holding(endpoints: readonly string[]) {
    const { mirror } = await testMirror();
    for (const endpoint of endpoints)
      await mirror.commitPage(page([], { series: { origin: SERVICE, endpoint, scope: { currency: 'USD' } } }));
    return mirror;
  }

  it('are the series that the answer is made of', async () => {
    expect(await lacking([])).toEqual(['announcements', 'data_catalogue']);
    expect(await lacking([HISTORY])).toEqual(['data_catalogue']);
    expect(await lacking([HISTORY, CATALOGUE])).toEqual([]);
  });

  it('goes by the lists of now, and by the series of then', async () => {
    expect(await lacking([HISTORY], [CATALOGUE])).toEqual([]);
    expect(await lacking([CATALOGUE], [HISTORY])).toEqual(['announcements', 'data_catalogue']);
  });

  it('is its own series first, and then what it could be made of', async () => {
    const latest = asked('announcements_latest', { currency: 'USD' });
    expect(await lacking([HISTORY], undefined, latest)).toEqual(['announcements_latest']);
    expect(await lacking(['announcements_latest'], undefined, latest)).toEqual(['announcements', 'data_catalogue']);
  });
});
