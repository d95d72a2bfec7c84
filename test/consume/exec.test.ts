import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { execHandler } from '../../src/consume/exec.ts';
import { nodeRun } from '../../src/platform/node-run.ts';
import { freshFolder } from '../support/platform.ts';
import { EVENT } from './event.ts';

const exec = (command: string, heard: string[] = []) =>
  execHandler(command, { run: nodeRun, os: 'linux', hear: async (line) => void heard.push(line) })(EVENT);

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

it('a command that is not there is no failure of an event', async () => {
  await expect(exec('no-such-command-here')).rejects.toMatchObject({ kind: 'usage', code: 'exec_not_run' });
});

it('what a command prints is heard, line by line', async () => {
  const heard: string[] = [];
  await exec('echo one; echo two; echo late >&2', heard);
  expect(heard).toEqual(['one', 'two', 'late']);
});
