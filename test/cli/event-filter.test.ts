import { expect, it } from 'vitest';
import { streamWorld } from './stream-world.ts';

it.each([
  ["stream --currencies ''", '--currencies names nothing.'],
  ["stream --indicators ' , '", '--indicators names nothing.'],
  ["journal --currencies ''", '--currencies names nothing.'],
])('%s, as a variable that is not set makes it, is exit 2', async (line, sentence) => {
  const world = await streamWorld();
  expect(await world.run(line).end()).toBe(2);
  expect(world.err()).toContain(`macro: ${sentence}\n`);
  expect(world.streams.asked).toBe(0);
});
