import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longer than their length tells: they ask everything of every endpoint, run suites of other files or the program,
 * or wait for the disk or a clock. Unless it has run before, a file's length stands for its time, so these would come last and
 * leave workers idle.
 */
const LONG =
  /[\\/](e2e|laws|torture)[\\/]|[\\/](browser|commands|conformance|consistency|estimate|fetch-formats|figures|json-messages|lake|moving\.property|official-series|packed|quota-together|stream-storm)\.test\.ts$/;

/** Runs long test files before the others. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
