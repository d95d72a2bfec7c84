import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { openMirror } from '../../src/mirror/sqlite/open.ts';
import { freshFolder, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';
import { hasTmux, type Terminal, terminalServer } from '../support/tmux.ts';

/** Each shell: how it starts, and its own file that loads the completion and notes the line that is being typed. */
const SHELLS = {
  bash: {
    start: 'bash -i',
    file: '.bashrc',
    text: (home: string) => `
PS1='ready> '
. ~/.local/share/bash-completion/completions/macro
noted() { printf '%s' "$READLINE_LINE" >${home}/line; tmux wait-for -S noted; }
bind -x '"\\C-x\\C-n": noted'
`,
  },
  zsh: {
    start: 'zsh -i',
    file: '.zshrc',
    text: (home: string) => `
PS1='ready> '
fpath=(~/.zfunc $fpath); autoload -U compinit; compinit -u -D
noted() { print -rn -- "$BUFFER" >${home}/line; tmux wait-for -S noted }
zle -N noted
bindkey -e
bindkey '^X^N' noted
`,
  },
  fish: {
    start: 'fish -i',
    file: '.config/fish/config.fish',
    text: (home: string) => `
set -U fish_greeting
function fish_prompt; printf 'ready> '; end
function noted; printf '%s' (commandline) >${home}/line; tmux wait-for -S noted; end
bind \\cx\\cn noted
`,
  },
} as const;

const NAMES = ['bash', 'zsh', 'fish'] as const;

/** What is typed before a Tab, and the line after it. Words that are typed in capitals are words all the same. */
const TABS: readonly (readonly [typed: string, line: string])[] = [
  ['macro sy', 'macro sync '],
  ['macro completion inst', 'macro completion install '],
  ['macro help fx sess', 'macro help fx session '],
  ['macro HELP completion inst', 'macro HELP completion install '],
  ['macro FX EUR US', 'macro FX EUR usd '],
  ['macro fx eur usd --reve', 'macro fx eur usd --reverse '],
  ['macro fx eur usd --format nd', 'macro fx eur usd --format ndjson '],
  ['macro fx eur usd --format=nd', 'macro fx eur usd --format=ndjson '],
  ['macro fx eur usd --indicators sma_20,rs', 'macro fx eur usd --indicators sma_20,rsi_14 '],
  ['macro --profile DES', 'macro --profile desk '],
  ['macro profile use des', 'macro profile use desk '],
  ['macro stream --consumer tr', 'macro stream --consumer trading '],
  ['macro stream --currencies eur,jp', 'macro stream --currencies eur,jpy '],
  ['macro announcements jpy core_inf', 'macro announcements jpy core_inflation '],
  ['macro compare usd,eu', 'macro compare usd,eur '],
  ['macro track add senti', 'macro track add sentiment '],
  [
    'macro track add fx eur usd, announcements jpy core_inf',
    'macro track add fx eur usd, announcements jpy core_inflation ',
  ],
  ['macro track add fx eur usd,senti', 'macro track add fx eur usd,sentiment '],
  ['macro TRACK ADD CALENDAR US', 'macro TRACK ADD CALENDAR usd '],
  ['macro sync fx eur us', 'macro sync fx eur usd '],
  ['macro track remove announcements us', 'macro track remove announcements usd '],
  ['macro track remove announcements usd in', 'macro track remove announcements usd inflation '],
  ['macro track remove fx eur usd, calen', 'macro track remove fx eur usd, calendar '],
  ['macro manual poin', 'macro manual point-in-time '],
  ['macro manual fx sess', 'macro manual fx session '],
  ['macro why eur/us', 'macro why eur/usd '],
  ['macro why usd/infl', 'macro why usd/inflation '],
  ['macro why EUR/US', 'macro why eur/usd '],
];

/** Words are listed with what they mean: commands, flags, currencies, indicators as the catalogue names them, profiles. */
const MEANINGS: readonly (readonly [typed: string, meaning: RegExp])[] = [
  ['macro s', /sync\b.*Bring what is named or tracked into the mirror/],
  ['macro fx eur usd --re', /--reverse\b.*turn the order of the rows around/],
  ['macro fx c', /chf\b.*Swiss Franc/],
  ['macro announcements usd g', /gov_bond_10y\b.*Government Bond, 10 Years/],
  ['macro profile use ', /desk\b.*http:\/\/127\.0\.0\.1:8787/],
];

const folder = freshFolder();
const home = join(folder, 'home');
const server = terminalServer();

/** A home where everything is set up by the program, over a mirror that knows catalogues and a consumer. */
beforeAll(async () => {
  if (!hasTmux) return;
  const path = join(folder, 'mirror.db');
  const at = testPlatform({ folder, env: { MACRO_HOME: join(home, 'macro'), MACRO_MIRROR: path } });
  copyFileSync(await sandboxPath(at.platform), path);
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform: at.platform, mode: 'write' });
  await mirror.journal.moveConsumer('trading', 1, at.clock.now());
  mirror.close();
  await macro('profile add desk --base-url http://127.0.0.1:8787', at);
  await macro('profile add Home --base-url http://127.0.0.1:8788', at);
  await macro('track add fx eur usd, announcements usd inflation, calendar usd', at);
  for (const shell of NAMES) await macro(`completion install ${shell}`, at);
  // Whatever starts a program of ours leaves a line.
  mkdirSync(join(home, 'shims'));
  for (const name of ['node', 'macro']) {
    writeFileSync(join(home, 'shims', name), `#!/bin/sh\necho ${name} >>${home}/started\n`);
    chmodSync(join(home, 'shims', name), 0o755);
  }
  for (const name of NAMES) {
    mkdirSync(dirname(join(home, SHELLS[name].file)), { recursive: true });
    writeFileSync(join(home, SHELLS[name].file), SHELLS[name].text(home));
  }
});

async function openShell(name: (typeof NAMES)[number]): Promise<Terminal> {
  const terminal = await server.open(
    SHELLS[name].start,
    { columns: 120, rows: 40 },
    {
      HOME: home,
      MACRO_HOME: join(home, 'macro'),
      PATH: `${join(home, 'shims')}:${process.env.PATH ?? ''}`,
      LC_ALL: 'C.UTF-8',
      OUT: home,
    },
  );
  await expect.poll(() => terminal.screen()).toContain('ready> ');
  return terminal;
}

/** The line after keys were pressed behind a text. */
async function lineAfter(terminal: Terminal, typed: string, ...keys: readonly string[]): Promise<string> {
  await terminal.type(typed);
  await terminal.press(...keys, 'C-x', 'C-n');
  await terminal.signalled('noted');
  const line = readFileSync(join(home, 'line'), 'utf8');
  await terminal.press('C-u');
  return line;
}

describe.skipIf(!hasTmux).each(NAMES)('a Tab in %s (where it and tmux are installed)', (name) => {
  const isThere = spawnSync(name, ['-c', 'exit 0']).status === 0;

  it.skipIf(!isThere)('completes the words of every place, and starts no program', async () => {
    const terminal = await openShell(name);
    const lines: (readonly [string, string])[] = [];
    for (const [typed] of TABS) lines.push([typed, await lineAfter(terminal, typed, 'Tab')]);
    expect(lines).toEqual(TABS);
    expect(existsSync(join(home, 'started'))).toBe(false);
    await terminal.close();
  });

  it.skipIf(!isThere || name === 'bash')('says what each word means', async () => {
    for (const [typed, meaning] of MEANINGS) {
      const terminal = await openShell(name);
      await terminal.type(typed);
      await terminal.press('Tab');
      await expect.poll(() => terminal.screen()).toMatch(meaning);
      await terminal.close();
    }
  });
});
