import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/program.ts';
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
  ])('%s', async (line, hint) => {
    const { code, err } = await macro(line);
    expect([code, err.trimEnd().split('\n').at(-1)]).toEqual([2, hint]);
  });
});

it('help of a command of several words is the help of that command', () => {
  const help = parseCommandLine(['help', 'fx', 'session'], 80);
  expect(help).toEqual(parseCommandLine(['fx', 'session', '--help'], 80));
  expect('help' in help && help.help).toMatch(/^Usage: macro fx session BASE QUOTE \[options\]/);
});

it('a usage error names the help of the command it is about', async () => {
  const { code, err } = await macro('fx session eur usd --frobnicate');
  expect([code, err]).toEqual([
    2,
    "macro: Unknown option '--frobnicate'.\nmacro fx session --help lists what is legal.\n",
  ]);
});
