import { describe, expect, it } from 'vitest';
import { longPages, MAX_PAGE_BYTES, MAX_README_BYTES, readmeBytes } from '../../scripts/documents.mjs';
import { exceptions } from '../../scripts/house.mjs';
import {
  commentCounts,
  commentsIn,
  documentFaults,
  faultsOf,
  MAX_WORDS,
  sentencesOf,
  textFaults,
  textsIn,
  wordCount,
} from '../../scripts/language.mjs';

describe('the language', () => {
  it('of documents is plain', () => {
    expect(documentFaults()).toEqual([]);
  });

  it('of messages, help and pages is plain', () => {
    expect(textFaults()).toEqual([]);
  });

  // `npm run house -- --write` lowers the counts to what is left; nothing is added to them.
  it('of comments becomes plainer', () => {
    const before = exceptions().comments;
    const more = Object.entries(commentCounts()).filter(([name, count]) => count > (before[name] ?? 0));
    expect(more).toEqual([]);
  });
});

describe('the documents', () => {
  it('begin with a README of at most 8 KB and have pages of at most 14 KB', () => {
    expect([MAX_README_BYTES, MAX_PAGE_BYTES]).toEqual([8192, 14_336]);
    expect(readmeBytes()).toBeLessThanOrEqual(MAX_README_BYTES);
    expect(longPages()).toEqual([]);
  });
});

describe('a sentence', () => {
  it('ends at its point; code and quotes have none, and a cell of a table is a block of its own', () => {
    const text = [
      '# A heading',
      '',
      'One fact. Another, over',
      'two lines, with `a. b` and [a link](x.md). `macro` begins a third. macro a fourth.',
      '- An item',
      '- Its neighbour: `1. 2`',
      '| a cell | 12 | One more. Its second sentence |',
      '> a quote. Of words',
      '```sh',
      'a command. And more',
      '```',
    ].join('\n');
    expect(sentencesOf(text)).toEqual([
      'A heading',
      'One fact.',
      'Another, over two lines, with Code and a link.',
      'Code begins a third.',
      'Macro a fourth.',
      'An item',
      'Its neighbour: Code',
      'a cell',
      'One more.',
      'Its second sentence',
    ]);
  });

  it('is as long as its words, without signs that stand alone', () => {
    expect(wordCount('One - two, code: 3.5 words')).toBe(5);
    expect(MAX_WORDS).toBe(25);
    expect(faultsOf(`${'word '.repeat(25)}.`)).toEqual([]);
    expect(faultsOf(`${'word '.repeat(26)}.`)).toEqual(['above 25 words']);
  });

  it.each([
    ['Of dates before its first rate a file says nothing.', ['begins with Of']],
    ['What the mirror covers is answered.', ['begins with What']],
    ['What does it cost?', []],
    ['To the public the file never was.', ['begins with To and a noun']],
    ['To save space, repeated fields are stored once.', []],
    ['It says what is missing.', ['what is, for a noun']],
    ['So what is missing?', []],
    ['It takes the one that is newest.', ['one that']],
    ['The mirror does not hold it, and holds no other.', ['to hold, for to store or to have']],
    ['The signature holds.', []],
    ['The last look was on Monday.', ['a look, for a check']],
    ['It looks like a date.', []],
    ['The usual window is a year.', ['usual, for default']],
    ['It is answered as usual.', []],
    ['It is held and was told of a hole.', ['held', 'told', 'hole']],
  ])('%s', (sentence, faults) => {
    expect(faultsOf(sentence)).toEqual(faults);
  });
});

describe('the texts of a source file', () => {
  it('are strings and templates of three words, joined where they are joined, without SQL and lists of names', () => {
    const source = [
      "// A comment with three words is none: 'nor are its quotes'.",
      `const a = 'ends ' + \`with \${count} rows \` + 'of the file';`,
      "const b = 'select a from b where c = 1';",
      "const c = ['usd eur gbp', 'two words'];",
      'const d = <p>Text of a page</p>;',
      'const e = `a list of two\n  lines in it`;',
    ].join('\n');
    expect(textsIn('a.tsx', source)).toEqual([
      'ends with X rows of the file',
      'Text of a page',
      'a list of two',
      'lines in it',
    ]);
  });

  it('have comments by paragraph', () => {
    const source = [
      '// One',
      '// comment.',
      '',
      '/**',
      ' * Another',
      ' * one.',
      ' *',
      ' * @throws never',
      ' */',
      'f();',
    ].join('\n');
    expect(commentsIn('a.ts', source)).toEqual(['One comment.', 'Another one.', '@throws never']);
  });
});
