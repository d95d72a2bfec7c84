import { describe, expect, it } from 'vitest';
import { readWords } from '../../src/cli/parse/question.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import { MacroError } from '../../src/errors.ts';

function endpoint(id: string) {
  const found = endpointById(id);
  if (!found) throw new Error(id);
  return found;
}

const forex = endpoint('forex');

describe('the words of a pair', () => {
  it.each([['eur usd'], ['EUR USD'], ['EUR/USD'], ['eur/usd'], ['eurusd'], ['EurUsd'], ['eur-usd']])(
    '%s is one',
    (line) => {
      const read = readWords(forex, line.split(' '));
      expect([read.base?.toUpperCase(), read.quote?.toUpperCase()]).toEqual(['EUR', 'USD']);
    },
  );

  it.each([
    [[], 'macro fx needs BASE QUOTE.', 'For example: macro fx eur usd --indicators all'],
    [['eur'], 'macro fx needs BASE QUOTE; got only eur.', 'For example: macro fx eur usd --indicators all'],
    [['source'], 'macro fx needs BASE QUOTE; got only source.', 'Did you mean macro fx sources?'],
    [
      ['eur', 'usd', 'gbp'],
      "macro fx takes BASE QUOTE: 'gbp' is one too many.",
      'For example: macro fx eur usd --indicators all',
    ],
  ])('%j is refused', (words, message, hint) => {
    expect(told(() => readWords(forex, words, ['sources']))).toEqual({ message, hint });
  });
});

describe('other words', () => {
  it('stand in the order of the path', () => {
    expect(readWords(endpoint('announcements'), ['usd', 'inflation'])).toEqual({
      currency: 'usd',
      indicator: 'inflation',
    });
    expect(readWords(endpoint('risk_sentiment'), [])).toEqual({});
  });

  it('that lead to another command are not taken for an argument', () => {
    expect(told(() => readWords(endpoint('announcements'), ['usd', 'latest'], ['latest', 'changes']))).toEqual({
      message: "'latest' is a word of its own and stands before the others.",
      hint: 'Type: macro announcements latest usd',
    });
  });

  it('are refused where none are taken', () => {
    expect(told(() => readWords(endpoint('risk_sentiment'), ['usd'])).message).toBe(
      "macro sentiment takes no words: 'usd' is one too many.",
    );
  });
});

function told(work: () => unknown): { message: string; hint: string | undefined } {
  try {
    work();
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'usage') return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('it was not refused');
}
