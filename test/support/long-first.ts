import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Short files that take long: they run suites of other files or the program many times, or wait for the disk or a clock. Unless
 * it has run before, a file's length stands for its time, so these would come last and leave one of two workers idle.
 */
const LONG = /[\\/](conformance|selftest|packed|canary|memory|quota-together)\.test\.ts$/;

/** Runs long test files before the others. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
