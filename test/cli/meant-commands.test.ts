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
    ['calender usd', 'Did you mean calendar?'],
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
