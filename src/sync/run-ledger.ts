import { type ErrorKind, MacroError } from '../errors.ts';
import type { Step } from './plan/step.ts';
import { addRows, noRows, type SeriesReport, type SyncOutcome, type SyncReport, worstOf } from './report.ts';
import type { SyncOptions } from './run.ts';
import { type SyncTarget, targetName } from './target.ts';
import { newWork, type Work } from './work.ts';

/** Errors that the next series would meet as well: the run ends here. */
const FATAL: ReadonlySet<ErrorKind> = new Set(['quota', 'mirror', 'upstream', 'interrupted', 'internal', 'busy']);

/** What a run knows of itself while it goes on: the work of each series, what ended it, what is left to do. */
export interface RunLedger {
  /** Says which steps are still to be made. */
  expect(steps: readonly Step[]): void;
  /** Makes a part of a step; nothing when its series has failed or the run is over. True when the step is done with. */
  attempt(step: Step, part: (work: Work) => Promise<unknown>): Promise<boolean>;
  /** An error ended the run. */
  isOver(): boolean;
  report(): SyncReport;
}

interface Entry {
  readonly work: Work;
  error?: MacroError;
}

/** Opens the books of a run. */
export function createLedger(options: SyncOptions): RunLedger {
  const { targets, client, mirror, clock, signal, onProgress } = options;
  const entries = new Map<string, Entry>(targets.map((target, i) => [targetName(target), open(target, i + 1)]));
  const left = new Set<Step>();
  let fatal: MacroError | undefined;

  function open(target: SyncTarget, index: number): Entry {
    const name = targetName(target);
    // Feeds that nobody named are series of the run, too.
    const onPage = (at: { seen: number; total: number | undefined }) =>
      onProgress?.({ name, index, of: entries.size, ...at });
    return { work: newWork({ target, client, mirror, clock, signal, onPage }) };
  }

  const entryOf = (target: SyncTarget): Entry => {
    const name = targetName(target);
    const entry = entries.get(name) ?? open(target, entries.size + 1);
    entries.set(name, entry);
    return entry;
  };

  return {
    expect(steps) {
      for (const step of steps) left.add(step);
    },
    async attempt(step, part) {
      const entry = entryOf(step.target);
      if (fatal || entry.error) return true;
      const result = await attemptTo(() => settled(entry.work, part));
      if (result.error === undefined) {
        if (result.value === GOES_ON) return false;
        left.delete(step);
        return true;
      }
      const { error } = result;
      if (FATAL.has(error.kind)) fatal = error;
      // What only spares requests to others is no loss: they are asked instead.
      if (step.implied && !fatal) entry.work.counts.notes.push(`${error.message} The series are asked one by one.`);
      else entry.error = error;
      return true;
    },
    isOver: () => fatal !== undefined,
    report() {
      const open = new Set([...left].map(({ target }) => targetName(target)));
      // What was done before the file was taken away went with it.
      const lost = fatal?.code === 'mirror_moved' ? fatal : undefined;
      const all = [...entries].map(([name, { work, error }]) =>
        reportOf(name, work, { error: error ?? (open.has(name) ? undefined : lost), isOpen: open.has(name) }),
      );
      const tried = all.filter((one) => one.requests > 0 || one.problem || !open.has(one.name));
      return summarize(tried, { skipped: all.length - tried.length, fatal });
    },
  };
}

/** What a part of a step gives when the step is not done with it. */
export const GOES_ON = Symbol('goes on');

/** A part is over when its pages are committed, however it ended: what came before an error is kept. */
async function settled(work: Work, part: (work: Work) => Promise<unknown>): Promise<unknown> {
  try {
    return await part(work);
  } finally {
    await work.batch.settle();
  }
}

/** Runs the work; gives the MacroError that ended it. Anything else is a bug and passes through. */
async function attemptTo<T>(work: () => Promise<T>): Promise<{ value?: T; error?: MacroError }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof MacroError) return { error };
    throw error;
  }
}

function reportOf(
  name: string,
  { counts }: Work,
  { error, isOpen }: { error: MacroError | undefined; isOpen: boolean },
): SeriesReport {
  const { requests, rows, notes } = counts;
  const problem = error && {
    kind: error.kind,
    message: error.message,
    ...(error.hint !== undefined && { hint: error.hint }),
  };
  const outcome = error ? outcomeOf(error) : isOpen || counts.isPartial ? 'incomplete' : 'complete';
  return { name, outcome, requests, rows, notes: [...new Set(notes)], ...(problem && { problem }) };
}

function outcomeOf({ kind }: MacroError): SyncOutcome {
  if (kind === 'quota') return 'stopped';
  return kind === 'incomplete' || kind === 'interrupted' ? 'incomplete' : 'failed';
}

function summarize(
  series: readonly SeriesReport[],
  rest: { skipped: number; fatal: MacroError | undefined },
): SyncReport {
  const outcome = worstOf(series.map((one) => one.outcome));
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
