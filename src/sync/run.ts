import type { Client } from '../client/client.ts';
import type { SyncStrategy } from '../contract/mapping.ts';
import { type ErrorKind, MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Clock } from '../platform/platform.ts';
import { addRows, noRows, type SeriesReport, type SyncOutcome, type SyncReport } from './report.ts';
import { syncCursor } from './strategies/cursor.ts';
import { syncDocument } from './strategies/document.ts';
import { syncHistory } from './strategies/history.ts';
import { syncPages } from './strategies/pages.ts';
import { syncSequence } from './strategies/sequence.ts';
import { syncSpans } from './strategies/spans.ts';
import { syncWindow } from './strategies/window.ts';
import { type SyncTarget, targetName } from './target.ts';
import { newWork, type Strategy } from './work.ts';

const STRATEGIES: Partial<Readonly<Record<SyncStrategy['kind'], Strategy>>> = {
  document: syncDocument,
  snapshot: syncDocument,
  window: syncWindow,
  history: syncHistory,
  pages: syncPages,
  sequence: syncSequence,
  spans: syncSpans,
  cursor: syncCursor,
};

export interface SyncProgress {
  readonly name: string;
  /** Position of this series in the run, from 1. */
  readonly index: number;
  readonly of: number;
  readonly seen: number;
  readonly total: number | undefined;
}

export interface SyncOptions {
  readonly client: Client;
  readonly mirror: Mirror;
  readonly clock: Clock;
  readonly targets: readonly SyncTarget[];
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly signal?: AbortSignal;
}

/** Errors that the next series would meet as well: the run ends here. */
const FATAL: ReadonlySet<ErrorKind> = new Set(['quota', 'mirror', 'upstream', 'interrupted', 'internal']);

/**
 * Brings every target up to date, one after the other. A series that fails is reported and the others go on, unless its
 * error would meet them all. What is committed stays: the next run continues from there.
 */
export async function runSync(options: SyncOptions): Promise<SyncReport> {
  const { targets } = options;
  const done: SeriesReport[] = [];
  let fatal: MacroError | undefined;
  for (const [at, target] of targets.entries()) {
    const { report, error } = await syncOne(options, target, { index: at + 1, of: targets.length });
    done.push(report);
    if (error && FATAL.has(error.kind)) {
      fatal = error;
      break;
    }
  }
  return summarize(done, { skipped: targets.length - done.length, fatal });
}

async function syncOne(
  options: SyncOptions,
  target: SyncTarget,
  place: { index: number; of: number },
): Promise<{ report: SeriesReport; error: MacroError | undefined }> {
  const name = targetName(target);
  const onPage = (at: { seen: number; total: number | undefined }) => options.onProgress?.({ name, ...place, ...at });
  const { client, mirror, clock, signal } = options;
  const work = newWork({ target, client, mirror, clock, signal, onPage });
  const error = await attempt(async () => {
    const strategy = STRATEGIES[target.endpoint.mirror?.sync.kind ?? 'document'];
    if (!strategy || !target.endpoint.mirror)
      throw new MacroError('usage', `${name} is not kept in a mirror.`, { hint: 'Ask it with --live.' });
    await strategy(work);
  });
  const { requests, rows, notes } = work.counts;
  const problem = error && {
    kind: error.kind,
    message: error.message,
    ...(error.hint !== undefined && { hint: error.hint }),
  };
  const outcome = outcomeOf(error);
  return { report: { name, outcome, requests, rows, notes: [...new Set(notes)], ...(problem && { problem }) }, error };
}

/** Runs the work; gives the MacroError that ended it. Anything else is a bug and passes through. */
async function attempt(work: () => Promise<void>): Promise<MacroError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof MacroError) return error;
    throw error;
  }
}

function outcomeOf(error: MacroError | undefined): SyncOutcome {
  if (!error) return 'complete';
  if (error.kind === 'quota') return 'stopped';
  return error.kind === 'incomplete' || error.kind === 'interrupted' ? 'incomplete' : 'failed';
}

/** The worst outcome decides: failed, then stopped, then incomplete. */
function summarize(
  series: readonly SeriesReport[],
  rest: { skipped: number; fatal: MacroError | undefined },
): SyncReport {
  const order: readonly SyncOutcome[] = ['failed', 'stopped', 'incomplete'];
  const outcome = order.find((worst) => series.some((one) => one.outcome === worst)) ?? 'complete';
  const kind = rest.fatal?.kind ?? series.find((one) => one.outcome === outcome)?.problem?.kind;
  return {
    outcome,
    requests: series.reduce((sum, one) => sum + one.requests, 0),
    rows: series.reduce((sum, one) => addRows(sum, one.rows), noRows),
    series,
    skipped: rest.skipped,
    ...(kind !== undefined && { kind }),
    ...(rest.fatal?.retryAfter !== undefined && { retryAfter: rest.fatal.retryAfter }),
  };
}
