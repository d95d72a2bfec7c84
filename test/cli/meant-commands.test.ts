import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/parse/command-line.ts';
import { macro } from '../support/run.ts';

describe('words that are no command', () => {
  it.each([
    ['version', 'Did you mean macro --version?'],
    ['login', 'Did you mean macro auth login?'],
    ['fetch', 'Did you mean macro sync?'],
    ['cpi', 'Did you mean macro announcements usd inflation?'],
    ['nfp usd', 'Did you mean macro announcements usd non_farm_payrolls?'],
    ['cpi eur', 'Did you mean macro announcements eur inflation?'],
    ['boe', 'Did you mean macro announcements latest gbp?'],
    ['gold', 'Did you mean macro commodities gold?'],
    ['eurusd', 'Did you mean macro fx eurusd?'],
    ['euro inflation', 'Did you mean macro announcements eur inflation?'],
    ['calender usd', 'Did you mean macro calendar?'],
    ['euro dollar', 'Did you mean macro fx eur usd?'],
    ['usd jpy', 'Did you mean macro fx usd jpy?'],
    ['chart eur usd', 'Did you mean macro fx eur usd --chart?'],
    ['fx eur usd --from 2024-01-01', 'Did you mean --start? macro fx --help lists the legal options.'],
    ['fx eur usd --to 2024-01-01', 'Did you mean --end? macro fx --help lists the legal options.'],
    ['fx eur usd --format xlsx', 'Name a file with that ending: -o FILE.xlsx'],
    ['cot eurusd', 'Type: macro cot eur or macro cot usd'],
    ['announcements eur/usd inflation', 'Type: macro announcements eur inflation or macro announcements usd inflation'],
    ['docs', 'Did you mean macro manual?'],
    ['jobs', 'macro search jobs finds the word; macro --help lists the commands.'],
    // Words that only look alike are no guess.
    ['quit', 'macro search quit finds the word; macro --help lists the commands.'],
  ])('%s', async (line, hint) => {
    const { code, err } = await macro(line);
    expect([code, err.trimEnd().split('\n').at(-1)]).toEqual([2, hint]);
  });
});

it.each([
  ['announcements inflation usd', "'inflation' is no currency code for CURRENCY."],
  ['predictions inflation usd', "'inflation' is no currency code for CURRENCY."],
  ['settlement record inflation usd', "'inflation' is no currency code for CURRENCY."],
  ['wait inflation usd', "'inflation' is no currency code for CURRENCY."],
  ['webhooks trigger inflation usd', "'inflation' is no currency code for CURRENCY."],
])('%s has its words in the other order', async (line, message) => {
  expect(await macro(line)).toEqual({
    code: 2,
    out: '',
    err: `macro: ${message}\nThese words are in the other order: usd inflation\n`,
  });
});

it.each([
  ['track foo', "Unknown command 'foo'.", 'Legal after macro track: add, list, remove.'],
  [
    'sync announcements inflation usd',
    "'inflation' is no currency of announcements.",
    'Its words are: announcements CURRENCY INDICATOR',
  ],
  [
    'track add announcements inflation usd',
    "'inflation' is no currency of announcements.",
    'Its words are: announcements CURRENCY INDICATOR',
  ],
  [
    'sync --everything fx eur usd',
    'macro sync takes --everything or words, not both.',
    'Leave out --everything, or the words: fx eur usd',
  ],
  [
    'stream --consumer "a b"',
    "'a b' cannot be the name of a consumer.",
    'Names are letters, digits, dots, colons, dashes and underscores, at most 60.',
  ],
  [
    'why',
    'macro why needs CCY/INDICATOR, BASE/QUOTE or the words of a series, then a date.',
    'For example: macro why usd/inflation 2026-09-30, macro why gbp/jpy 2026-11-20, macro why cot eur 2026-11-10',
  ],
])('%s is refused without a service, with what is legal', async (line, message, hint) => {
  expect(await macro(line)).toEqual({ code: 2, out: '', err: `macro: ${message}\n${hint}\n` });
});

it('a word that nothing keeps is wrong before a service is missing', async () => {
  for (const line of ['sync foo', 'sync foo --plan'])
    expect(await macro(line)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^macro: 'foo' names nothing that a mirror keeps\.\nStart with one of: catalogue, /),
    });
});

it('help of a command of several words is the help of that command', async () => {
  const help = await parseCommandLine(['help', 'fx', 'session'], 80);
  expect(help).toEqual(await parseCommandLine(['fx', 'session', '--help'], 80));
  expect('help' in help && help.help).toMatch(/^Usage: macro fx session BASE QUOTE \[options\]/);
});

it.each([
  ['HELP FX SESSION', ['fx', 'session', '--help']],
  ['--help fx session', ['fx', 'session', '--help']],
  ['Track List', ['track', 'list']],
  ['--format CSV FX EUR USD', ['--format', 'CSV', 'fx', 'EUR', 'USD']],
])('%s is the same line', async (line, words) => {
  const [a, b] = [line.split(' '), words].map(async (argv) => JSON.stringify(await parseCommandLine(argv, 80)));
  expect(await a).toBe(await b);
});

it('says what it read into a word once, however many questions are asked', async () => {
  const { err } = await macro('compare dollar,euro cpi');
  expect(err.split('\n').filter((line) => line.startsWith('note: '))).toEqual([
    'note: dollar is read as USD.',
    'note: cpi is read as inflation.',
    'note: euro is read as EUR.',
  ]);
});

it('a usage error names the help of the command it is about', async () => {
  const { code, err } = await macro('fx session eur usd --frobnicate');
  expect([code, err]).toEqual([
    2,
    "macro: Unknown option '--frobnicate'.\nmacro fx session --help lists the legal ones.\n",
  ]);
});

it('MA without more is the simple moving average', async () => {
  expect((await macro('fx eur usd --indicators ma50')).err).toContain('Did you mean sma_50?');
});
