import { expect, test } from 'vitest';
import { createMemoryBudget } from '../../src/contract/memory-budget.ts';
import { createByteCache } from '../../src/source/memory/byte-cache.ts';

/** What a value of a one-letter name takes besides itself. */
const BESIDES = 202;
const SIZE = 98;

/** A cache with room for four values, and the names that are still there. */
function cacheOf(...names: readonly string[]) {
  const cache = createByteCache<string>(createMemoryBudget(4 * (SIZE + BESIDES)));
  for (const name of names) cache.put(name, name, SIZE);
  return cache;
}

test('what nobody has asked for the longest makes room for what is new', () => {
  const cache = cacheOf('a', 'b', 'c', 'd');
  cache.get('a');
  cache.put('e', 'e', SIZE);
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => cache.get(name) === name)).toEqual(['a', 'c', 'd', 'e']);
});

test('a value that is put again takes its new room and not the old one besides', () => {
  const cache = cacheOf('a', 'b', 'c', 'd');
  for (let i = 0; i < 9; i += 1) cache.put('d', `d${i}`, SIZE - 5);
  expect(['a', 'b', 'c', 'd'].map((name) => cache.get(name))).toEqual(['a', 'b', 'c', 'd8']);
});

test('a value larger than a quarter of the room is not kept, nor what stood under its name', () => {
  const cache = cacheOf('a', 'b');
  cache.put('a', 'large', SIZE + 1);
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
      () => SIZE,
    );
  expect([await ask('a'), await ask('b'), await ask('b')]).toEqual(['a', 'made 1', 'made 1']);
});

test('values of several caches share the room of their budget', () => {
  const budget = createMemoryBudget(4 * (SIZE + BESIDES));
  const [texts, numbers] = [createByteCache<string>(budget), createByteCache<number>(budget)];
  for (const name of ['a', 'b', 'c']) texts.put(name, name, SIZE);
  texts.get('a');
  for (const name of ['x', 'y']) numbers.put(name, 1, SIZE);
  expect(['a', 'b', 'c'].map((name) => texts.get(name))).toEqual(['a', undefined, 'c']);
  expect(['x', 'y'].map((name) => numbers.get(name))).toEqual([1, 1]);
});

test('what grows drives out what was used before it, and at last itself', () => {
  const budget = createMemoryBudget(400);
  const gone: string[] = [];
  const [a, b] = ['a', 'b'].map((name) => budget.keep(100, () => gone.push(name)));
  b?.grow(150);
  const before = [[...gone], budget.used()];
  b?.grow(100);
  b?.grow(100);
  a?.release();
  expect([before, gone, budget.used()]).toEqual([[[], 350], ['a', 'b'], 0]);
});

test('a smaller bound forgets at once', () => {
  const budget = createMemoryBudget(400);
  const gone: string[] = [];
  for (const name of ['a', 'b', 'c']) budget.keep(100, () => gone.push(name));
  budget.resize(150);
  expect([gone, budget.used()]).toEqual([['a', 'b'], 100]);
});

test('answers outlive what is read for others, as long as they take an eighth of the room', () => {
  const budget = createMemoryBudget(16 * (SIZE + BESIDES));
  const [rows, answers] = [createByteCache<number>(budget), createByteCache<number>(budget, 'answer')];
  const held = (cache: typeof rows, names: string) => [...names].filter((name) => cache.get(name) === 1).join('');
  for (const name of 'abc') answers.put(name, 1, SIZE);
  for (const name of 'ABCDEFGHIJKLM') rows.put(name, 1, SIZE);
  // There was room for all sixteen. One more drives out the oldest answer, which was one too many.
  rows.put('N', 1, SIZE);
  expect([held(answers, 'abc'), held(rows, 'ABCDEFGHIJKLMN')]).toEqual(['bc', 'ABCDEFGHIJKLMN']);
  for (const name of 'OPQRSTUVWXYZ') rows.put(name, 1, SIZE);
  expect([held(answers, 'abc'), held(rows, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')]).toEqual(['bc', 'MNOPQRSTUVWXYZ']);
  budget.resize(0);
  expect([held(answers, 'abc'), held(rows, 'MNOPQRSTUVWXYZ'), budget.used()]).toEqual(['', '', 0]);
});

test('a cache that is cleared gives its room to others', () => {
  const budget = createMemoryBudget(4 * (SIZE + BESIDES));
  const [old, fresh] = [createByteCache<string>(budget), createByteCache<string>(budget)];
  for (const name of ['a', 'b', 'c']) old.put(name, name, SIZE);
  fresh.put('d', 'd', SIZE);
  old.clear();
  expect([old.get('a'), old.get('b'), old.get('c'), budget.used()]).toEqual([
    undefined,
    undefined,
    undefined,
    SIZE + BESIDES,
  ]);
  old.put('a', 'a', SIZE);
  for (const name of ['e', 'f']) fresh.put(name, name, SIZE);
  expect([old.get('a'), ...['d', 'e', 'f'].map((name) => fresh.get(name))]).toEqual(['a', 'd', 'e', 'f']);
});

test('sizes that are estimates leave nothing behind when their values are gone', () => {
  const budget = createMemoryBudget(10_000);
  const entries = [0.1, 0.2, 0.7, 1000.1].map((bytes) => budget.keep(bytes, () => undefined));
  entries[0]?.grow(0.3);
  expect(budget.used()).toBe(1 + 1 + 1 + 1001 + 1);
  for (const entry of entries.toReversed()) entry?.release();
  expect(budget.used()).toBe(0);
});
