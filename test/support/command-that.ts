import type { Ran, Run } from '../../src/platform/platform.ts';

const DONE: Ran = { code: 0, stdout: '', stderr: '' };

/** A machine where every command of `--exec` is found, and does this with an event. `line` is what was started. */
export function commandThat(deal: (event: string, line: string) => Promise<Partial<Ran>> | Partial<Ran>): Run {
  return async (program, args, { input } = {}) =>
    input === undefined ? DONE : { ...DONE, ...(await deal(input.trim(), [program, ...args].join(' '))) };
}
