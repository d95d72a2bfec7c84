import { describe, expect, it } from 'vitest';
import { longSentences, MAX_README_BYTES, readmeBytes, sentencesOf, wordCount } from '../../scripts/documents.mjs';

describe('the documents', () => {
  it('begin with a README of at most 8 KB', () => {
    expect(MAX_README_BYTES).toBe(8192);
    expect(readmeBytes()).toBeLessThanOrEqual(MAX_README_BYTES);
  });

  it('have no sentence above 25 words', () => {
    expect(longSentences()).toEqual([]);
  });
});

describe('a sentence', () => {
  it('ends at its point; tables, code and quotes have none', () => {
    const text = [
      '# A heading',
      '',
      'One fact. Another, over',
      'two lines, with `a. b` and [a link](x.md).',
      '- An item',
      '- Its neighbour: `1. 2`',
      '| a | table. Of words |',
      '> a quote. Of words',
      '```sh',
      'a command. And more',
      '```',
    ].join('\n');
    expect(sentencesOf(text)).toEqual([
      'A heading',
      'One fact.',
      'Another, over two lines, with code and a link.',
      'An item',
      'Its neighbour: code',
    ]);
  });

  it('is as long as its words, without signs that stand alone', () => {
    expect(wordCount('One - two, code: 3.5 words')).toBe(5);
  });
});
