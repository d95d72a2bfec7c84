import type { App } from '../app.ts';

export interface Lines {
  /** Queues a line for stdout. */
  write(line: string): void;
  /** Gives up with this error. */
  fail(error: unknown): void;
  /** Rejects when a line could not be written, or with what was failed with. */
  readonly failed: Promise<never>;
  /** Resolves when everything that was queued is written. */
  written(): Promise<void>;
}

/** Lines for stdout in the order in which they come, from callers that must not wait for a slow reader. */
export function createLines(app: Pick<App, 'printText'>): Lines {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Whoever waits for it hears of it; nobody has to.
  failed.catch(() => undefined);
  let last = Promise.resolve();
  return {
    write(line) {
      last = last.then(() => app.printText(line)).catch(fail);
    },
    fail,
    failed,
    written: () => last,
  };
}
