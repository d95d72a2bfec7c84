import { expect, it } from 'vitest';
import { commandData } from '../../src/cli/commands/command-data.ts';

it('gives the commands of a word as it gives them among all', async () => {
  const all = await commandData();
  const words = [...new Set(all.map(({ path }) => path[0] ?? ''))];
  expect(words.length).toBeGreaterThan(40);
  for (const word of words) expect(await commandData(word)).toEqual(all.filter(({ path }) => path[0] === word));
});
