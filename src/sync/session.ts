import { MacroError } from '../errors.ts';
import type { Mirror, RunEnd } from '../mirror/api/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import type { SyncReport } from './report.ts';

export interface SessionOptions {
  readonly mirror: Mirror;
  readonly clock: Clock;
  /** Who runs it, for whoever finds the lock taken. */
  readonly holder: string;
  /** What was asked for. */
  readonly words: string;
}

/** Does a run under the lock of its mirror and notes there how it began and ended; another run is refused as `busy`. */
export async function inSession(
  { mirror, clock, holder, words }: SessionOptions,
  run: () => Promise<SyncReport>,
): Promise<SyncReport> {
  const lock = await mirror.lockSync();
  try {
    const id = await mirror.startRun({ started: clock.now(), holder, words });
    const end = (outcome: Omit<RunEnd, 'ended'>) => mirror.endRun(id, { ended: clock.now(), ...outcome });
    try {
      const report = await run();
      // A mirror that ended the run may take no word of it either: then the next run notes that this one died.
      await (report.kind === 'mirror' ? end(endOf(report)).catch(() => undefined) : end(endOf(report)));
      return report;
    } catch (error) {
      await end({ outcome: 'failed', requests: 0, rows: 0, problem: sentenceOf(error) }).catch(() => undefined);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

function endOf({ outcome, requests, rows, series }: SyncReport): Omit<RunEnd, 'ended'> {
  const failed = series.filter((one) => one.outcome === 'failed').map(({ name }) => name);
  const problem = series.find((one) => one.outcome === outcome)?.problem ?? series.find((one) => one.problem)?.problem;
  return { outcome, requests, rows: rows.added + rows.revised, failed, ...(problem && { problem: problem.message }) };
}

function sentenceOf(error: unknown): string {
  return error instanceof MacroError ? error.message : 'A bug ended it.';
}
