// How Stryker runs the area that mutate.mjs names in MACRO_MUTATION_AREA; MACRO_MUTATION_FILES, separated by commas, leaves files out.
import { join } from 'node:path';
import { AREAS } from './areas.mjs';

const name = process.env.MACRO_MUTATION_AREA;
const folder = join('bench', 'mutation');

export default {
  mutate: process.env.MACRO_MUTATION_FILES?.split(',') ?? AREAS[name].sources,
  testRunner: 'vitest',
  plugins: [`./${folder}/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js`],
  vitest: { configFile: join(folder, 'vitest.config.mjs'), related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // A loop that ends no more is noticed by its count of steps; this is for what hangs.
  timeoutMS: 10_000,
  timeoutFactor: 2,
  // Nothing to rewrite there, and TypeScript 7 does not have the function that Stryker reads it with.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: join(folder, 'reports', `${name}.json`) },
  tempDirName: join(folder, '.stryker-tmp'),
  // Sandboxes of other runs too.
  ignorePatterns: [
    '/dist',
    '/lib',
    '/executable',
    ...['node_modules', 'reports', '.stryker-tmp'].map((name) => `/${folder}/${name}`),
  ],
  allowConsoleColors: false,
  logLevel: 'warn',
};
