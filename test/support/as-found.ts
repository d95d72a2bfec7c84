import { afterAll, expect } from 'vitest';
import { surroundings } from './surroundings.ts';

/**
 * Before each test file: what it changes in the process, the next file would find there, and whether that passes would depend
 * on the order. So each leaves its surroundings as it found them.
 */
const found = surroundings();
afterAll(() => expect(surroundings()).toEqual(found));
