import { defineConfig } from 'vitest/config';
import { AREAS } from './areas.mjs';

/** The tests of one area; Stryker chooses among them by what each one reaches. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['./test/support/whole-run.ts'],
    include: AREAS[process.env.MACRO_MUTATION_AREA].tests,
  },
});
