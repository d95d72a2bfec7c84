// The one door to what a command changes: under --dry-run it says what would be done, and does not do it.

import { isOn, type Options } from '../parse/options.ts';
import type { Messages } from '../print/messages.ts';

export interface Changes {
  /** Whether the command shall only say what it would change. */
  readonly isDryRun: boolean;
  /**
   * Does a change and gives what came of it. Under `--dry-run` it says "Would …" instead, and gives undefined.
   *
   * @param would what follows "Would", without the full stop: `keep the profile work in /x/config.json`
   */
  change<T>(would: string, work: () => T | Promise<T>): Promise<Changed<T> | undefined>;
}

export interface Changed<T> {
  readonly result: T;
}

export function openChanges(options: Options, { say }: Pick<Messages, 'say'>): Changes {
  const isDryRun = isOn(options, 'dry-run');
  return {
    isDryRun,
    async change(would, work) {
      if (!isDryRun) return { result: await work() };
      await say(`Would ${would}.`, 'would');
      return undefined;
    },
  };
}
