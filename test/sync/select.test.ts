import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';
import { selectTargets, targetName } from '../../src/sync/series/select.ts';

const names = async (words: string) => {
  const targets = await selectTargets(words.split(' '), {
    endpoints: ENDPOINTS,
    now: Date.parse('2026-11-21T12:00:00Z'),
    indicatorsOf: async (currency) => (currency === 'USD' ? ['inflation', 'gdp'] : []),
  });
  return targets.map((target) => targetName(target));
};

describe('selectTargets', () => {
  it.each([
    ['fx eur usd', ['fx eur usd']],
    ['fx EUR/USD', ['fx eur usd']],
    ['fx eurusd', ['fx eur usd']],
    ['announcements usd inflation', ['announcements usd inflation']],
    ['announcements usd', ['announcements usd inflation', 'announcements usd gdp']],
    ['announcements latest usd', ['announcements latest usd']],
    ['announcements changes', ['announcements changes']],
    ['fx sources', ['fx sources']],
    ['calendar usd, sentiment , fx gbp jpy', ['calendar usd', 'sentiment', 'fx gbp jpy']],
  ])('%s', async (words, expected) => expect(await names(words)).toEqual(expected));

  it.each([
    ['fx eur', "'fx eur' leaves out quote."],
    ['rates eur', "'rates eur' names nothing that a mirror keeps."],
    ['sessions', "'sessions' names nothing that a mirror keeps."],
    ['fx eur usd gbp', "'fx eur usd gbp' names nothing that a mirror keeps."],
    ['foo', "'foo' names nothing that a mirror keeps."],
    ['xyz usd', "'xyz usd' names nothing that a mirror keeps."],
    ['eur/xyz', "'eur/xyz' names nothing that a mirror keeps."],
    ['eur usd gbp', "'eur usd gbp' names nothing that a mirror keeps."],
    ['fx eu usd', "'eu' is no base of fx."],
  ])('refuses %s', async (words, message) => {
    const error = await names(words).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MacroError);
    expect(error).toMatchObject({ kind: 'usage', message });
  });

  it('guesses the word that was meant', async () => {
    await expect(names('usdd')).rejects.toMatchObject({
      hint: expect.stringMatching(/^Did you mean usd\? Start with /),
    });
    await expect(names('calender usd')).rejects.toMatchObject({
      hint: expect.stringMatching(/^Did you mean calendar\? Start with /),
    });
  });

  it('tells of typed words outside of our tables, and not of those that a catalogue of the service lists', async () => {
    const notes: string[] = [];
    const about = (words: string) =>
      selectTargets([words], {
        endpoints: ENDPOINTS,
        now: Date.parse('2026-11-21T12:00:00Z'),
        indicatorsOf: async () => ['brand_new_index'],
        onNote: (note) => void notes.push(note),
      });
    expect((await about('announcements usd')).map((target) => targetName(target))).toEqual([
      'announcements usd brand_new_index',
    ]);
    expect(notes).toEqual([]);
    await about('announcements usd inflatoin');
    expect(notes).toEqual(['inflatoin is none of the 94 indicators known for this route. Did you mean inflation?']);
  });
});
