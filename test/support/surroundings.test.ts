import { tmpdir } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { surroundings } from './surroundings.ts';

const folder = process.cwd();
const { random } = Math;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  process.chdir(folder);
  Math.random = random;
  Reflect.deleteProperty(Array.prototype, 'second');
});

test('are equal when nothing was changed', () => {
  expect(surroundings()).toEqual(surroundings());
});

test.each([
  ['a variable', () => vi.stubEnv('MACRO_HOME', '/elsewhere')],
  ['the folder', () => process.chdir(tmpdir())],
  ['timers', () => vi.useFakeTimers({ toFake: ['setTimeout'] })],
  ['the clock', () => vi.useFakeTimers({ toFake: ['Date'] })],
  ['randomness', () => Object.assign(Math, { random: () => 0.5 })],
  ['a name that is global', () => vi.stubGlobal('leftBehind', 1)],
  ['a method of all arrays', () => Object.assign(Array.prototype, { second: () => 2 })],
])('tell that %s was changed', (_what, change) => {
  const found = surroundings();
  change();
  expect(surroundings()).not.toEqual(found);
});
