import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execHandler, refuseMissing } from '../../src/events/handlers.ts';
import { nodeRun } from '../../src/platform/node.ts';
import { freshFolder } from '../support/platform.ts';
import { EVENT } from './event.ts';

const parts = { run: nodeRun, os: 'linux', env: process.env } as const;
const exec = (command: string, heard: string[] = [], longest = 20_000) =>
  execHandler(command, { ...parts, longest, hear: async (line) => void heard.push(line) })(EVENT);

it('a command reads the event on its standard input, one line of JSON', async () => {
  const path = join(freshFolder(), 'event');
  expect(await exec(`cat > '${path}'`)).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe(`${EVENT.text}\n`);
});

it.each([
  ['exit 3', 'exit 3'],
  ['echo working; echo "no desk" >&2; exit 1', 'exit 1: no desk'],
  ['kill $$', 'exit 1: ended by SIGTERM'],
])('%s: %s', async (command, error) => {
  expect(await exec(command)).toBe(error);
});

it('a command of which a part is missing has failed like others', async () => {
  expect(await exec('echo so far; no-such-command-here')).toMatch(/^exit 127: .*no-such-command-here/);
});

it('a command that takes longer than it may is ended, and says which option gives it more time', async () => {
  expect(await exec('sleep 60', [], 50)).toBe('it took longer than 0.05 s (--exec-timeout) and was ended');
});

it.each(['no-such-command-here', 'no-such-command-here --now; true', './no-such-file | cat', '/etc/passwd', '/etc'])(
  'before anything is given to it, %s is refused: the shell cannot start it',
  async (command) => {
    await expect(refuseMissing(command, parts)).rejects.toMatchObject({ kind: 'usage', code: 'exec_not_run' });
  },
);

it.each([
  'cat',
  'echo done; no-such-command-here',
  'if true; then cat; fi',
  'DESK=1 no-such-command-here',
  '"$DESK" --now',
  '(no-such-command-here)',
  '~/no-such-command-here',
])('%s is left to the shell', async (command) => {
  expect(await refuseMissing(command, parts)).toBeUndefined();
});

it('on Windows every command is left to the shell', async () => {
  expect(await refuseMissing('no-such-command-here', { ...parts, os: 'windows' })).toBeUndefined();
});

it('what a command prints is heard, line by line', async () => {
  const heard: string[] = [];
  await exec('echo one; echo two; echo late >&2', heard);
  expect(heard).toEqual(['one', 'two', 'late']);
});
