import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionPositions } from '../../scripts/completion/model.ts';
import { completionScript } from '../../scripts/completion/script.ts';
import { fillTables, GENERATED_TABLES, generatedFiles } from '../../scripts/generated.ts';
import { commandsUnder } from '../../src/cli/commands/tree.ts';
import { SHELLS } from '../../src/cli/completion/shells.ts';
import { wordLists } from '../../src/cli/completion/word-lists.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const COMMANDS = await commandsUnder();

const root = join(import.meta.dirname, '../..');
const hasBash = spawnSync('bash', ['-c', 'exit 0']).status === 0;

/** What bash offers at the end of a line. */
function offered(line: string): readonly string[] {
  const words = line.split(/ /);
  // Bash itself splits at the equals sign.
  const split = words.flatMap((word) =>
    word.includes('=') ? [word.split('=')[0] ?? '', '=', word.split('=')[1] ?? ''] : [word],
  );
  const script = `
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _macro; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const path = join(root, 'completions', 'macro.bash');
  return execFileSync('bash', ['-c', script, 'bash', path, ...split], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

describe.skipIf(!hasBash)('a Tab in bash', () => {
  it.each([
    ['macro sy', ['sync']],
    ['macro config ', ['get', 'set', 'explain']],
    ['macro fx e', ['eur']],
    ['macro fx so', ['sources']],
    ['macro fx eur us', ['usd']],
    ['macro fx eur so', []],
    ['macro announcements usd infl', ['inflation', 'inflation_linked_bond', 'inflation_mom']],
    ['macro fx eur usd --format c', ['csv']],
    ['macro fx eur usd --format=c', ['csv']],
    ['macro --format csv fx eur us', ['usd']],
    ['macro fx --start -90d eur us', ['usd']],
    ['macro fx eur usd --indic', ['--indicators']],
    ['macro fx eur usd --indicators sma', ['sma_20', 'sma_200', 'sma_50']],
    ['macro announcements usd inflation --revisions f', ['first', 'final']],
    ['macro completion z', ['zsh']],
    ['macro --vers', ['--version']],
    ['macro FX EUR US', ['usd']],
    ['macro help sy', ['sync']],
    ['macro completion inst', ['install']],
    ['macro fx eur usd --indicators sma_20,rs', ['sma_20,rsi_14']],
    ['macro profile use --qu', ['--quiet']],
    ['macro fx eur usd --start ', []],
    ['macro track add fx eur usd, calendar us', ['usd']],
    ['macro help mirror ex', ['export']],
    ['macro help mirror export ', []],
  ])('after "%s" offers %j', (line, words) => {
    expect(offered(line)).toEqual(words);
  });

  it('never starts a program', () => {
    expect(readFileSync(join(root, 'completions', 'macro.bash'), 'utf8')).not.toMatch(/\$\(\s*(macro|node)\b/);
  });

  it('has a script that bash can read', () => {
    expect(spawnSync('bash', ['-n', join(root, 'completions', 'macro.bash')]).status).toBe(0);
  });
});

describe.each(SHELLS)('the %s script', (shell) => {
  const script = completionScript(shell, COMMANDS);

  it('holds every word and flag', () => {
    const missing = completionPositions(COMMANDS).flatMap(({ children, slots, options }) => {
      const flags = options.flatMap((option) => option.flags.filter((flag) => flag.startsWith('--')));
      const words = [...children.map(({ word }) => word), ...slots.flatMap((slot) => slot.words), ...flags];
      return words.filter((word) => !script.includes(word));
    });
    expect(missing).toEqual([]);
  });

  it('is what macro completion prints', async () => {
    expect((await macro(`completion ${shell}`)).out).toBe(script);
  });
});

describe('the words that shells read', () => {
  it('follow profiles, what is tracked and the catalogues, and hold nothing that a shell would read as more than a word', () => {
    const words = [
      { list: 'profiles', word: 'desk', about: 'https://api.example.com' },
      { list: 'profiles', word: '$(reboot)', about: '' },
      { list: 'indicators-usd', word: 'inflation', about: 'Consumer\tprices\n\u001b[31m' },
      { list: '../elsewhere', word: 'inflation' },
      { list: 'tracked', word: 'fx eur usd' },
      { list: 'tracked', word: "fx eur usd'; x" },
    ];
    expect(Object.fromEntries(wordLists(words))).toEqual({
      'profiles.tsv': 'desk\thttps://api.example.com\n',
      'indicators-usd.tsv': 'inflation\tConsumer prices [31m\n',
      'tracked.tsv': 'fx eur usd\t\n',
    });
  });

  it('are written by the commands that change them, and go with what they name', async () => {
    const at = testPlatform();
    const folder = join(at.platform.env.MACRO_HOME ?? '', 'state', 'completion');
    const listed = () =>
      Object.fromEntries(
        at.platform.files.list(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
      );
    await macro('profile add desk --base-url http://127.0.0.1:8787', at);
    await macro('track add fx eur usd, calendar usd', at);
    expect(listed()).toEqual({
      'profiles.tsv': 'desk\thttp://127.0.0.1:8787\n',
      'tracked.tsv': 'fx eur usd\t\ncalendar usd\t\n',
    });
    await macro('track remove fx eur usd', at);
    await macro('profile remove desk', at);
    expect(listed()).toEqual({});
  });
});

describe('macro completion install', () => {
  it.each(SHELLS)('puts the script of %s where that shell looks for it, and says so', async (shell) => {
    const at = testPlatform({});
    const path = {
      bash: '.local/share/bash-completion/completions/macro',
      zsh: '.zfunc/_macro',
      fish: '.config/fish/completions/macro.fish',
      powershell: '.config/powershell/macro.ps1',
    }[shell];
    const target = join(at.platform.home, path);
    const tried = await macro(`completion install ${shell} --dry-run`, at);
    expect([tried.code, at.platform.files.exists(target)]).toEqual([0, false]);
    const { code, err } = await macro(`completion install ${shell}`, at);
    expect([code, at.platform.files.readText(target), err.includes(target)]).toEqual([
      0,
      completionScript(shell, COMMANDS),
      true,
    ]);
  });

  it('refuses a shell that nobody knows', async () => {
    expect((await macro('completion install tcsh')).code).toBe(2);
  });
});

describe('generated files', () => {
  it('are committed as they would be made now', () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    for (const [path, content] of Object.entries(generatedFiles(read)))
      expect([path, read(path)]).toEqual([path, content]);
  });

  it('fill the marked stretches of a document and nothing else', () => {
    const text = 'a\n<!-- generated:exit-codes -->\nold\n<!-- /generated -->\nb\n';
    const filled = fillTables(text);
    expect(filled.split('\n').slice(0, 4)).toEqual([
      'a',
      '<!-- generated:exit-codes -->',
      '| code | kind | meaning |',
      '| --- | --- | --- |',
    ]);
    expect(filled).not.toContain('old');
    expect(filled.endsWith('<!-- /generated -->\nb\n')).toBe(true);
    expect(fillTables(filled)).toBe(filled);
    expect(() => fillTables('<!-- generated:nothing --><!-- /generated -->')).toThrow('No table is named nothing');
  });

  it('name every command in the manual page, with its words and options', () => {
    const page = readFileSync(join(root, 'man', 'macro.1'), 'utf8').replaceAll('\\-', '-');
    const missing = COMMANDS.map(({ path }) => `.SS macro ${path.join(' ')}`).filter((head) => !page.includes(head));
    expect(missing).toEqual([]);
    expect(page.split('\n').filter((line) => /^[.'](?!(TH|SH|SS|TP|PP|B|I|nf|fi)\b)/.test(line))).toEqual([]);
  });

  it('name every endpoint', () => {
    const table = GENERATED_TABLES.endpoints?.() ?? '';
    for (const { path } of ENDPOINTS) expect(table).toContain(`\`${path}\``);
  });
});
