import { expect, it } from 'vitest';
import { ownCommandData } from '../../src/cli/commands/nouns.ts';
import { macro } from '../support/run.ts';

const COMMANDS = (await ownCommandData()).filter(({ words }) => words.length === 0).map(({ path }) => path.join(' '));

it('is every command that takes no words refused with one', async () => {
  const secret = 'fxmd_secret';
  const refusals = await Promise.all(COMMANDS.map((command) => macro(`${command} ${secret}`)));
  const told = refusals.map(({ code, out, err }) => [code, out, err]);
  expect(told).toEqual(
    COMMANDS.map((command) => [2, '', `macro: macro ${command} takes no words.\nSee macro ${command} --help.\n`]),
  );
  const found = ['status', 'mirror path', 'mirror status', 'profile list', 'config explain', 'schedule status'];
  expect(COMMANDS).toEqual(expect.arrayContaining(found));
});
