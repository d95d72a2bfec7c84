import type { App } from '../app/app.ts';
import { escapeJson } from './text.ts';

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

/**
 * Lines of JSON, or of harmless text, for stdout in the order in which they come, from callers that must not wait for a slow
 * reader. On a terminal what could steer it is escaped, as in all JSON.
 */
export function createLines(app: Pick<App, 'printText' | 'platform'>): Lines {
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Whoever waits for it hears of it; nobody has to.
  failed.catch(() => undefined);
  let waiting: string[] = [];
  let last = Promise.resolve();
  const writeOn = async () => {
    const text = waiting.join('\n');
    waiting = [];
    await app.printText(app.platform.io.stdout.isTerminal ? escapeJson(text) : text);
  };
  return {
    write(line) {
      waiting.push(line);
      // What comes before the reader is ready for the first of them is one write.
      if (waiting.length === 1) last = last.then(writeOn).catch(fail);
    },
    fail,
    failed,
    written: () => last,
  };
}
