import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';
import { POSTGRES_BIN } from './test/support/postgres.ts';

/**
 * Tests that run once more with mirrors on a PostgreSQL server. Syncs of every strategy, deaths among them, and what is
 * known when: everything that rests on more than one operation of a mirror. Not those that check arithmetic or the wire with
 * hundreds of commits, which no engine decides.
 */
const ON_SERVER = [
  ...['run', 'one-bad', 'moving', 'spans', 'feed'].map((name) => `test/sync/${name}.test.ts`),
  'test/laws/sync-crash.test.ts',
  'test/laws/as-of.test.ts',
  'test/source/choose-source.test.ts',
  'test/source/late-rows.test.ts',
];

export default defineConfig({
  test: {
    environment: 'node',
    // A bound on what hangs, not on what is slow: filling the sandbox takes half a minute on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes late on a busy machine; only what never comes takes so long.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // Two more than the cores that are meant: tests that wait for programs leave a third of two cores idle.
    maxWorkers: 4,
    // The processes read the sources once for all files, in place of once a file: that took as long as the tests. `as-found.ts`
    // sees to it that no file changes what the next one in its process finds.
    isolate: false,
    setupFiles: ['./test/support/as-found.ts'],
    sequence: { sequencer: LongFirst },
    globalSetup: ['./test/support/whole-run.ts'],
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: POSTGRES_BIN === undefined ? [] : ON_SERVER,
          env: { MACRO_TEST_ENGINE: 'PostgreSQL' },
        },
      },
    ],
    reporters: ['default', './test/support/closing-line.ts'],
  },
});
