import { expect, test } from 'vitest';
import { createByteCache } from '../../src/source/memory/byte-cache.ts';

/** A cache of 100 bytes with values of 25, and the names that are still there. */
function cacheOf(...names: readonly string[]) {
  const cache = createByteCache<string>(100);
  for (const name of names) cache.put(name, name, 25);
  return cache;
}

test('what nobody has asked for the longest makes room for what is new', () => {
  const cache = cacheOf('a', 'b', 'c', 'd');
  cache.get('a');
  cache.put('e', 'e', 25);
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => cache.get(name) === name)).toEqual(['a', 'c', 'd', 'e']);
});

test('a value that is put again takes its new room and not the old one besides', () => {
  const cache = cacheOf('a', 'b', 'c', 'd');
  for (let i = 0; i < 9; i += 1) cache.put('d', `d${i}`, 20);
  expect(['a', 'b', 'c', 'd'].map((name) => cache.get(name))).toEqual(['a', 'b', 'c', 'd8']);
});

test('a value larger than a quarter of the room is not kept, nor what stood under its name', () => {
  const cache = cacheOf('a', 'b');
  cache.put('a', 'large', 26);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'b']);
});

test('what is not held is made, and held from then on', async () => {
  const cache = cacheOf('a');
  let made = 0;
  const ask = (name: string) =>
    cache.through(
      name,
      async () => {
        made += 1;
        return `made ${made}`;
      },
      () => 25,
    );
  expect([await ask('a'), await ask('b'), await ask('b')]).toEqual(['a', 'made 1', 'made 1']);
});
