/**
 * What is changed, and whose tests must notice: an area's sources and tests, as globs from the root. Only tests that end within
 * seconds stand here, because each change runs those that reach it.
 */
export const AREAS = {
  signatures: {
    sources: ['src/webhooks/sign.ts', 'src/webhooks/receive/{verify,delivery-headers}.ts'],
    tests: ['test/webhooks/{sign,verify,refusals,receive}.test.ts'],
  },
  paging: {
    sources: ['src/client/pages.ts'],
    tests: ['test/client/{pages,cursor-pages,paging-refusals}.test.ts'],
  },
  'as-of': {
    sources: ['src/mirror/rules/as-of/**/*.ts'],
    tests: ['test/mirror/as-of/*.test.ts'],
  },
  'past-reads': {
    sources: ['src/mirror/sqlite/reader.ts'],
    tests: ['bench/mutation/past-reads.test.ts', 'test/mirror/past-listed.test.ts'],
  },
  scanner: {
    sources: ['src/contract/json/*.ts', '!src/contract/json/schema.ts'],
    tests: ['test/contract/{body,scan,spelling,float,json-depth,post}.test.ts', 'test/contract/json/*.test.ts'],
  },
  settlement: {
    sources: ['src/derive/settlement/*.ts'],
    tests: ['test/derive/settlement/*.test.ts'],
  },
  quota: {
    sources: ['src/client/quota/{account,budget,budgets,ledger,reserve,service-clock,settle,sqlite-ledger}.ts'],
    tests: ['test/client/quota/{budget,budgets,learn,service-clock,settle,settled,sqlite-ledger,accounts}.test.ts'],
  },
  coverage: {
    sources: ['src/coverage/*.ts', 'src/source/*.ts', 'src/mirror/rules/coverage.ts'],
    tests: ['test/source/coverage/*.test.ts', 'test/mirror/coverage/coverage.test.ts'],
  },
  'short-texts': {
    sources: ['src/mirror/rules/short-text.ts'],
    tests: ['test/mirror/short-text{,-forms}.test.ts'],
  },
};
