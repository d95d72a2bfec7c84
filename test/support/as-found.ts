import { afterAll, expect } from 'vitest';
import { DEFAULT_MEMORY_BYTES, processMemory } from '../../src/contract/memory-budget.ts';
import { surroundings } from './surroundings.ts';

/**
 * Before each test file: what it changes in the process, the next file would find there, and whether that passes would depend
 * on the order. So each leaves its surroundings as it found them. What modules keep follows from its key; their memory is empty
 * as each file begins, so that none counts what another one kept.
 */
processMemory.resize(0);
processMemory.resize(DEFAULT_MEMORY_BYTES);
const found = surroundings();
afterAll(() => expect(surroundings()).toEqual(found));
