import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandSpec } from '../../src/cli/commands/command.ts';
import { commandsUnder } from '../../src/cli/commands/tree.ts';
import { main } from '../../src/main.ts';
import type { Fetch, Run } from '../../src/platform/platform.ts';
import { inputOf, machine } from '../docs/worlds.ts';
import { memoryKeychain } from '../support/keychain.ts';
import type { TestPlatform } from '../support/platform.ts';
import { macro, splitLine } from '../support/run.ts';

const COMMANDS = await commandsUnder();

/** What is typed in place of an example that needs something of its own. */
const TYPED: Readonly<Record<string, string>> = {
  init: 'init --preset sandbox --track "calendar usd" --sync --every 1h --completion bash',
  'import undo 2': 'import undo 1',
  'import undo 2 --dry-run': 'import undo 1',
  'completion install zsh --dry-run': 'completion install zsh',
  'mirror restore macro-backup.db': 'mirror restore macro-backup.db --yes',
  'mirror restore /tmp/macro-backup.db --yes': 'mirror restore macro-backup.db --yes',
  'mirror export announcements usd -o usd.xlsx': 'mirror export fx eur usd -o eurusd.xlsx',
  'mirror backup macro-backup.db': 'mirror backup another-backup.db',
  'mirror backup /tmp/macro-backup.db --yes': 'mirror backup macro-backup.db --yes',
};

/** Changing commands whose examples find nothing to change here, each with where they are tried. */
const FAILS: Readonly<Record<string, string>> = {
  'journal forget': 'needs a consumer: test/cli/journal.test.ts',
  'mirror bind': 'needs the mirror of a service: test/cli/named-service.test.ts',
  'mirror prepare': 'needs a server: test/mirror/postgres/servers.test.ts',
  'webhooks replay': 'needs events that were set aside: test/cli/consuming.test.ts',
  'webhooks trigger': 'needs the mirror of a served sandbox: test/cli/webhooks-trigger.test.ts',
};

/** What a command says that finds nothing to change. */
const NOTHING = /is there already|tracked already|No key is stored/;

/** Commands that are not run here, each with its reason. They say themselves what they keep. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^(serve|stream|mcp|demo|webhooks listen)\b/, 'starts servers, or runs until it is ended'],
  [/^wait\b/, 'waits for a release'],
  [/^mirror verify\b/, 'notes when it last ran, beside the mirror'],
  [/ -o | --watch /, 'writes the file that is named, or waits for files'],
];

/** Whatever the command line may change: files, the table of the scheduler, the keychain, what the service is sent. */
async function world() {
  const changes: string[] = [];
  let table = '';
  const keychain = memoryKeychain();
  const run: Run = async (program, args, { input = '' } = {}) => {
    if (program === 'pgrep') return { code: 0, stdout: '1', stderr: '' };
    if (program !== 'crontab') return { code: 127, stdout: '', stderr: `${program}: not found` };
    if (args[0] === '-') table = input;
    if (args[0] === '-r') table = '';
    if (args[0] === '-l' && table === '') return { code: 1, stdout: '', stderr: 'no crontab for me' };
    return { code: 0, stdout: args[0] === '-l' ? table : '', stderr: '' };
  };
  const fetch: Fetch = async (url, init) => {
    // One question is posted, because it is long.
    const isQuestion = /^(GET|HEAD)$/i.test(init.method ?? 'GET') || url.endsWith('/v1/research/panel');
    if (!isQuestion) changes.push(`${init.method} ${url}`);
    if (url.endsWith('/v1/ping')) return Response.json({ status: 'ok', service: 'x' });
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  const at = machine({
    run,
    fetch,
    keychain: keychain.keychain,
    env: { SHELL: '/bin/bash' },
    sleeping: 'jumps',
    stdin: 'some-key-1234567',
  });
  for (const line of [
    'profile add work --base-url https://svc.example --quiet',
    'profile add home --base-url https://svc.example --quiet',
    'profile add local --base-url http://127.0.0.1:8787 --quiet',
    'auth login --offline --quiet',
    'track add usd, fx eur usd, calendar usd, announcements usd inflation, cot usd --quiet',
    'import ecb rates.csv --quiet',
    'mirror backup macro-backup.db --quiet',
    'schedule install --every 1h --with cron --quiet',
  ])
    expect(await macro(line, at)).toMatchObject({ code: 0 });
  copyFileSync(join(at.folder, 'macro-backup.db'), join(at.folder, 'rates.db'));
  const state = () => ({ ...filesIn(at.folder), table, keychain: keychain.entries(), sent: [...changes] });
  return { at, state };
}

/** Digests of all files but the ledger of the quota: a request that was sent is counted. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/state\/quota|-(shm|sync)$/.test(path))
    .filter((path) => !path.endsWith('-wal') || statSync(path).size > 0);
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}

async function typed({ platform, ...at }: TestPlatform, line: string) {
  const before = [at.out().length, at.err().length];
  const stdin = {
    ...platform.io.stdin,
    readBytes: async () => Buffer.from(inputOf(`macro ${line}`) || 'a-key-1234567'),
  };
  const code = await main(splitLine(line), { ...platform, io: { ...platform.io, stdin } });
  return { code, out: at.out().slice(before[0]), err: at.err().slice(before[1]) };
}

const nameOf = ({ path }: CommandSpec) => path.join(' ');
const isRun = (line: string) => !NOT_RUN.some(([pattern]) => pattern.test(line));
const changing = COMMANDS.filter(({ changes }) => changes);
const others = COMMANDS.filter(({ changes }) => !changes);

describe('a command that changes something', () => {
  it('has --dry-run, and no other one has', () => {
    const withOption = COMMANDS.filter(({ options }) => options.some(({ name }) => name === 'dry-run'));
    expect(withOption.map(nameOf)).toEqual(changing.map(nameOf));
    expect(changing.length).toBeGreaterThan(30);
  });

  it('changes nothing under --dry-run, and says what it would change', async () => {
    const { at, state } = await world();
    const before = state();
    for (const command of changing)
      for (const example of command.examples) {
        // What a shell would read from a file comes as standard input.
        const line = `${(TYPED[example] ?? example).replace(/ < \S+$/, '')} --dry-run`;
        const { code, out, err } = await typed(at, line);
        expect([line, state()]).toEqual([line, before]);
        if (nameOf(command) in FAILS) continue;
        expect([line, code, err]).toEqual([
          line,
          0,
          expect.stringContaining('This was a dry run: nothing was changed.'),
        ]);
        expect([line, /^Would /m.test(err) || out !== '' || NOTHING.test(err)]).toEqual([line, true]);
      }
  });
});

describe('every other command', () => {
  it('changes nothing, or it would have to have --dry-run', async () => {
    const { at, state } = await world();
    const before = state();
    for (const example of others.flatMap(({ examples }) => examples).filter(isRun)) {
      await typed(at, example);
      expect([example, state()]).toEqual([example, before]);
    }
  });

  it('is left out for a reason that still holds for one', () => {
    const examples = COMMANDS.flatMap((command) => command.examples);
    expect(NOT_RUN.filter(([pattern]) => !examples.some((line) => pattern.test(line)))).toEqual([]);
    expect(Object.keys(FAILS).filter((name) => !changing.map(nameOf).includes(name))).toEqual([]);
  });
});
