import { describe, expect, it } from 'vitest';
import { commandsUnder } from '../../src/cli/commands/tree.ts';
import { parseCommandLine } from '../../src/cli/parse/command-line.ts';
import { MacroError } from '../../src/errors.ts';
import { macro } from '../support/run.ts';

const COMMANDS = await commandsUnder();

async function parsed(line: string) {
  const found = await parseCommandLine(line.split(' ').filter(Boolean), 100);
  if ('help' in found) throw new Error('help');
  return { path: found.spec.path.join(' '), words: found.call.words, options: found.call.options };
}

async function help(line: string): Promise<string> {
  const found = await parseCommandLine(line.split(' ').filter(Boolean), 100);
  if (!('help' in found)) throw new Error('no help');
  return found.help;
}

async function refusal(line: string): Promise<{ message: string; hint: string | undefined }> {
  try {
    await parsed(line);
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'usage') return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a command line', () => {
  it.each([
    ['fx eur usd', { path: 'fx', words: ['eur', 'usd'], options: {} }],
    ['fx EUR/USD', { path: 'fx', words: ['EUR/USD'], options: {} }],
    ['fx sources', { path: 'fx sources', words: [], options: {} }],
    ['announcements usd inflation', { path: 'announcements', words: ['usd', 'inflation'], options: {} }],
    ['announcements latest usd', { path: 'announcements latest', words: ['usd'], options: {} }],
    ['announcements changes', { path: 'announcements changes', words: [], options: {} }],
    ['mirror path', { path: 'mirror path', words: [], options: {} }],
    ['import ecb -', { path: 'import', words: ['ecb', '-'], options: {} }],
    ['sync fx eur usd, calendar usd', { path: 'sync', words: ['fx', 'eur', 'usd,', 'calendar', 'usd'], options: {} }],
  ])('%s is found', async (line, expected) => {
    expect(await parsed(line)).toEqual(expected);
  });

  it.each([
    ['fx eur usd --format json', { format: 'json' }],
    ['fx eur usd --format=json', { format: 'json' }],
    ['--format json fx eur usd', { format: 'json' }],
    ['--format json fx eur usd --format csv', { format: 'csv' }],
    ['fx --format json eur usd', { format: 'json' }],
    ['fx sources --format json', { format: 'json' }],
    ['fx --format csv sources', { format: 'csv' }],
    ['fx eur usd -o rates.csv', { output: 'rates.csv' }],
    ['fx eur usd --start -90d --end today', { start: '-90d', end: 'today' }],
    ['fx eur usd --start=-2y', { start: '-2y' }],
    ['fx eur usd --param a=1 --param b=2', { param: ['a=1', 'b=2'] }],
    ['fx eur usd --no-color --no-header --reverse', { 'no-color': true, 'no-header': true, reverse: true }],
    ['fx eur usd --all --live --max-age 6h', { all: true, live: true, 'max-age': '6h' }],
    ['announcements usd inflation --official-only false', { 'official-only': 'false' }],
    ['serve --no-quota --port 0', { 'no-quota': true, port: '0' }],
    ['--quiet --profile work mirror path', { quiet: true, profile: 'work' }],
    ['fx eur usd -orates.csv', { output: 'rates.csv' }],
    ['fx eur usd --output --all', { output: '--all' }],
  ])('%s has its options', async (line, options) => {
    expect((await parsed(line)).options).toEqual(options);
  });

  it.each([
    ['fxx eur usd', "Unknown command 'fxx'.", 'Did you mean macro fx?'],
    ['announcement usd', "Unknown command 'announcement'.", 'Did you mean macro announcements?'],
    ['mirror stauts', "Unknown command 'stauts'.", 'Did you mean macro mirror status?'],
    ['fx eur usd --fromat json', "Unknown option '--fromat'.", 'Did you mean --format?'],
    ['fx eur usd --indicator all', "Unknown option '--indicator'.", 'Did you mean --indicators?'],
    ['fx eur usd --jq .data', "Unknown option '--jq'.", 'macro fx --help lists the legal ones.'],
    ['fx eur usd --json', "Unknown option '--json'.", 'Did you mean --format json?'],
    ['fx eur usd --format', "Option '--format <FMT>' argument missing.", 'macro fx --help lists the legal ones.'],
    ['ping --all', "Unknown option '--all'.", 'macro ping --help lists the legal ones.'],
  ])('%s is refused in one sentence', async (line, message, hint) => {
    expect(await refusal(line)).toEqual({ message, hint });
  });

  it('never repeats what stands behind an equals sign, which could be a secret', async () => {
    expect((await refusal('auth login --key=canary-5e11')).message).toBe("Unknown option '--key'.");
  });
});

describe('help', () => {
  it.each(COMMANDS.map((command) => [command.path.join(' '), command] as const))(
    'of %s ends with its two examples, which parse as that command',
    async (line, command) => {
      const [first, second] = command.examples;
      expect((await help(`${line} --help`)).endsWith(`Examples:\n  macro ${first}\n  macro ${second}\n`)).toBe(true);
      for (const example of command.examples) expect((await parsed(example.replace(/ <.*/, ''))).path).toBe(line);
    },
  );

  it.each(['', '--help', '-h', 'help', 'mirror', 'auth --help', 'profile', 'help fx', 'fx --help'])(
    'is what "%s" asks for, and has two examples',
    async (line) => {
      expect(await help(line)).toMatch(/\nExamples:\n {2}macro .+\n {2}macro .+\n$/);
    },
  );

  it('without any word is one screen of commands that parse', async () => {
    const { code, out, err } = await macro('');
    const lines = out.trimEnd().split('\n');
    expect([code, err, lines.length <= 24, lines.every((line) => line.length <= 80)]).toEqual([0, '', true, true]);
    const commands = lines.filter((line) => line.startsWith('  macro ')).map((line) => line.slice(8, 46).trim());
    expect(commands).toHaveLength(11);
    for (const command of commands) expect(command.startsWith((await parsed(command)).path)).toBe(true);
  });

  it('has all options of a command, though only the commands that a line names are built with theirs', async () => {
    for (const { path, options } of COMMANDS) {
      const shown = await help([...path, '--help'].join(' '));
      expect([path, options.filter(({ name }) => !shown.includes(`--${name}`))]).toEqual([path, []]);
    }
  });

  it('lists closed sets', async () => {
    expect((await help('announcements --help')).replaceAll(/\s+/g, ' ')).toContain(
      'which vintage of each period; default latest (latest, first, final, all)',
    );
    expect((await help('fx --help')).replaceAll(/\s+/g, ' ')).toContain(
      '(aud, brl, cad, chf, cnh, cny, dkk, eur, gbp,',
    );
    expect((await help('ping --help')).replaceAll(/\s+/g, ' ')).toContain('(table, json, ndjson, csv, tsv, md)');
  });
});

describe('the commands', () => {
  it('have words of their own', () => {
    const paths = COMMANDS.map((command) => command.path.join(' '));
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('repeat no option', () => {
    for (const command of COMMANDS) {
      const names = command.options.map((option) => option.name);
      expect([command.path, names.filter((name, i) => names.indexOf(name) !== i)]).toEqual([command.path, []]);
    }
  });
});
