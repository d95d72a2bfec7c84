import type { Client } from '../client/client.ts';
import ping from '../endpoints/health/ping.ts';
import { type ErrorKind, MacroError } from '../errors.ts';
import type { Clock } from '../platform/platform.ts';
import { type PageBatches, pageBatches } from './page-batch.ts';
import { phaseOf, type Step } from './plan/step.ts';
import { type RunProblem, reportSeries, type SyncReport, summarizeRun } from './report.ts';
import { type SyncTarget, targetName } from './series/select.ts';
import { newWork, type SyncOptions, type SyncProgress, type Work } from './work.ts';

/** Errors that the next series would meet as well: the run ends here. */
const FATAL: ReadonlySet<ErrorKind> = new Set(['quota', 'mirror', 'interrupted', 'internal', 'busy']);

/** Errors of a series that another try may not meet. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['upstream', 'protocol']);

/** Requests without an answer that go on beside the others. Without a key the service takes two at a time. */
const MAX_ASIDE = { keyed: 4, keyless: 1 } as const;

/** The state of a running sync: the work of each series, the error that ended the run, the steps left. */
export interface RunState {
  /** Says which steps are still to be made; `whole` when no others will follow. */
  expect(steps: readonly Step[], whole?: 'whole'): void;
  /**
   * Does a part of a step, unless its series failed or waits, or the run is over. True when the step is done for now.
   */
  attempt(step: Step, part: (work: Work) => Promise<unknown>): Promise<boolean>;
  /** An error ended the run. */
  isOver(): boolean;
  /** Series that the service has replaced by others; their rows so far are those planned for the old ones. */
  replaced(): readonly SyncTarget[];
  /** Series to try again at the end of the run: first failed ones, then those still without an answer. */
  unfinished(): readonly SyncTarget[];
  /** When the youngest request began that is still waited for beside the others, in milliseconds. */
  awaitedSince(): number | undefined;
  /** Stages of the steps of a series that are still to be made, once its answer has come; none where no try would help. */
  stagesLeft(target: SyncTarget): Promise<ReadonlySet<number>>;
  /** Begins with a series once more: these are its steps from now on. */
  beginAgain(target: SyncTarget, steps: readonly Step[]): void;
  /** Waits no longer for series that were never answered since they were begun with once more. */
  giveUp(): void;
  /** Series of which this run brought the newest rows, while what lies behind them may be stored or not. */
  headsOnly(): readonly SyncTarget[];
  /** Ends running requests, and resolves when they have ended. */
  close(): Promise<void>;
  report(): SyncReport;
}

interface Entry {
  readonly target: SyncTarget;
  readonly work: Work;
  /** Ends its requests. */
  readonly stop: AbortController;
  /** Part of its rows that is there, from 0 to 1, as far as the service said how many there are. */
  fraction: number;
  error?: MacroError;
  /** A part that goes on beside the others. */
  aside?: Promise<boolean>;
  /** Why it failed at first, once it is begun with again. */
  first?: MacroError;
  answersBefore?: number;
}

/** Milliseconds without an answer after which the other series go on meanwhile. */
const PATIENCE_MS = 5_000;

/** Work that nobody waits for any longer: it continues beside the others. */
const SET_ASIDE = Symbol('set aside');

const ENDED = 'ended';

interface Around {
  readonly clock: Pick<Clock, 'now' | 'alarm'>;
  /** Whether one more may go on beside the others. */
  readonly hasRoom: () => boolean;
}

/** Different series that fail one after the other: from the second on the probe is asked, the fifth ends the run. */
const PROBED_IN_ROW = 2;
const MAX_IN_ROW = 5;

/** Time for the probe, in milliseconds. */
const PROBE_MS = 10_000;

/** Distinguishes a service that fails as a whole from failures of some series. */
interface Circuit {
  /** The service answered for a series, be it with a refusal. */
  noteAnswer(): void;
  /** Notes that a series got no answer. Gives the error that ends the run when the service as a whole fails. */
  noteFailure(name: string, error: MacroError): Promise<MacroError | undefined>;
}

/** Makes the state of a new run. */
export function createRunState(options: SyncOptions): RunState {
  const { targets, client, clock } = options;
  // Feeds that nobody named are series of the run, too.
  const batches = pageBatches(options);
  const openEntry = entryOpener(options, batches, () => ({ of: entries.size, share: shareDone(), ...totalOf(all()) }));
  const entries = new Map<string, Entry>(targets.map((target, i) => [targetName(target), openEntry(target, i + 1)]));
  const selected = new Set(entries.keys());
  const left = new Set<Step>();
  const circuit = createCircuit(serviceProbe(client, clock, options.signal));
  const mostAside = client.access === 'keyless' ? MAX_ASIDE.keyless : MAX_ASIDE.keyed;
  /** Entries with a part beside the others that has not ended. */
  const awaited = new Set<Entry>();
  let isClosing = false;
  let isPlanned = false;
  let fatal: MacroError | undefined;

  const all = () => [...entries.values()];
  const asides = () => all().filter(({ aside }) => aside !== undefined);
  const leftOf = (target: SyncTarget) => [...left].filter((step) => targetName(step.target) === targetName(target));

  const shareDone = () => {
    if (!isPlanned) return undefined;
    const open = new Set([...left].map(({ target }) => targetName(target)));
    const parts = [...entries].map(([name, { error, fraction }]) => (error || !open.has(name) ? 1 : fraction));
    return parts.reduce((sum, part) => sum + part, 0) / Math.max(1, parts.length);
  };

  const entryOf = (target: SyncTarget): Entry => {
    const name = targetName(target);
    const entry = entries.get(name) ?? openEntry(target, entries.size + 1);
    entries.set(name, entry);
    return entry;
  };

  async function make(entry: Entry, step: Step, part: (work: Work) => Promise<unknown>): Promise<boolean> {
    try {
      const value = await settled(entry.work, part);
      circuit.noteAnswer();
      if (value === GOES_ON) return false;
      left.delete(step);
    } catch (error) {
      // Anything else is a bug.
      if (!(error instanceof MacroError)) throw error;
      await noteError(entry, step, error);
    }
    return true;
  }

  async function noteError(entry: Entry, step: Step, error: MacroError): Promise<void> {
    const isGivenUp = entry.stop.signal.aborted && error.kind === 'upstream';
    const down = isGivenUp || fatal ? undefined : await judge(targetName(entry.target), error);
    fatal ??= down;
    // A step that only spares requests to others may fail: the others are asked instead.
    if (step.implied && !down) entry.work.counts.notes.push(`${error.message} The series are asked one by one.`);
    else entry.error = (isGivenUp && entry.first) || error;
  }

  /** The error that ends the run; undefined when it is one of this series only. */
  async function judge(name: string, error: MacroError): Promise<MacroError | undefined> {
    if (FATAL.has(error.kind)) return error;
    if (error.kind === 'upstream') return circuit.noteFailure(name, error);
    circuit.noteAnswer();
    return undefined;
  }

  return {
    expect(steps, whole) {
      isPlanned ||= whole !== undefined;
      for (const step of steps) left.add(step);
    },
    async attempt(step, part) {
      const entry = entryOf(step.target);
      if (fatal || entry.error || entry.aside) return true;
      const doing = make(entry, step, part);
      const hasRoom = () => !isClosing && awaited.size < mostAside;
      const done = await waitOrSetAside(doing, entry.work, { clock, hasRoom });
      if (done !== SET_ASIDE) return done;
      awaited.add(entry);
      entry.aside = doing.finally(() => awaited.delete(entry));
      // Callers that wait for it at the end get the failure.
      entry.aside.catch(() => undefined);
      return true;
    },
    isOver: () => fatal !== undefined,
    replaced: () =>
      all().flatMap(({ target, error, work }) => (work.counts.isReplaced && !error && !fatal ? [target] : [])),
    unfinished() {
      isClosing = true;
      const mayPass = all().filter(({ target, error }) => {
        return error && PASSING.has(error.kind) && selected.has(targetName(target));
      });
      const byHaste = mayPass.toSorted(
        (a, b) => Number(a.error?.code === 'timeout') - Number(b.error?.code === 'timeout'),
      );
      const waiting = asides();
      for (const entry of [...byHaste, ...waiting]) entry.answersBefore = entry.work.progress.answers;
      return [...byHaste, ...waiting].map(({ target }) => target);
    },
    awaitedSince() {
      const since = [...awaited].flatMap(({ work }) => work.progress.awaitedSince ?? []);
      return since.length === 0 ? undefined : Math.max(...since);
    },
    async stagesLeft(target) {
      const entry = entryOf(target);
      await entry.aside;
      delete entry.aside;
      const isGone = entry.stop.signal.aborted || (entry.error && !PASSING.has(entry.error.kind));
      return new Set(isGone ? [] : leftOf(target).map(phaseOf));
    },
    beginAgain(target, steps) {
      const entry = entryOf(target);
      if (entry.error) entry.first = entry.error;
      delete entry.error;
      for (const step of leftOf(target)) left.delete(step);
      for (const step of steps) left.add(step);
    },
    giveUp() {
      for (const { stop, work, answersBefore } of all())
        if (work.progress.answers === answersBefore) stop.abort(noAnswer(client.service));
    },
    headsOnly() {
      const open = new Set([...left].map(({ target }) => targetName(target)));
      return all().flatMap(({ target, error }) => {
        const isHead = open.has(targetName(target)) && leftOf(target).every((step) => phaseOf(step) > 1);
        return isHead && !error ? [target] : [];
      });
    },
    async close() {
      for (const { stop, aside } of all()) if (aside) stop.abort(noAnswer(client.service));
      await Promise.all(asides().map(({ aside }) => aside));
      await batches.settle();
    },
    report() {
      const open = new Set([...left].map(({ target }) => targetName(target)));
      // Work from before the file was removed is gone with it.
      const lost = fatal?.code === 'mirror_moved' ? fatal : undefined;
      const reports = [...entries].map(([name, entry]) => {
        const isOpen = open.has(name);
        const error = entry.error ?? (isOpen ? undefined : lost);
        return reportSeries({ name, work: entry.work, error, isOpen, isImplied: !selected.has(name) });
      });
      const tried = reports.filter((one) => one.requests > 0 || one.problem || !open.has(one.name));
      return summarizeRun({
        series: tried,
        skipped: reports.length - tried.length,
        ...(fatal && { end: problemOf(fatal) }),
      });
    },
  };
}

type WholeRun = Pick<SyncProgress, 'of' | 'share' | 'requests' | 'rows'>;

function entryOpener(
  { client, mirror, clock, signal, onProgress }: SyncOptions,
  batches: PageBatches,
  wholeRun: () => WholeRun,
) {
  return (target: SyncTarget, index: number): Entry => {
    const place = { name: targetName(target), index };
    const onPage = (at: { seen: number; total: number | undefined }) => {
      if (at.total) entry.fraction = Math.min(1, at.seen / at.total);
      onProgress?.({ ...place, ...wholeRun(), ...at });
    };
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const work = newWork({ target, client, mirror, clock, batches, signal: either, onPage });
    const entry: Entry = { target, stop, work, fraction: 0 };
    return entry;
  };
}

/** The requests and commits of all series of a run. */
function totalOf(entries: readonly Entry[]): Pick<SyncProgress, 'requests' | 'rows'> {
  const rows = entries.map(({ work }) => Object.values(work.counts.rows).reduce((sum, count) => sum + count, 0));
  return {
    requests: entries.reduce((sum, { work }) => sum + work.counts.requests, 0),
    rows: rows.reduce((sum, count) => sum + count, 0),
  };
}

function problemOf({ kind, message, hint, retryAfter }: MacroError): RunProblem {
  return { kind, message, ...(hint !== undefined && { hint }), ...(retryAfter !== undefined && { retryAfter }) };
}

function noAnswer(service: string): MacroError {
  return new MacroError('upstream', `${service} gave no answer in time.`, {
    code: 'timeout',
    hint: 'Run it again later: it asks for the missing rows.',
  });
}

/** The result of a part of a step that is not done. */
export const GOES_ON = Symbol('goes on');

/** Waits for the pages of a step only when it ends, so that later series share their transaction. */
async function settled(work: Work, part: (work: Work) => Promise<unknown>): Promise<unknown> {
  let goesOn = false;
  try {
    const value = await part(work);
    goesOn = value === GOES_ON;
    return value;
  } finally {
    if (!goesOn) await work.batch.settle();
  }
}

/** Waits for a part of a step, but not for an answer that is long in coming. Time between two answers does not count. */
async function waitOrSetAside<T>(
  doing: Promise<T>,
  { progress }: Pick<Work, 'progress'>,
  { clock, hasRoom }: Around,
): Promise<T | typeof SET_ASIDE> {
  const ended = new AbortController();
  try {
    for (;;) {
      const left = (progress.awaitedSince ?? clock.now()) + PATIENCE_MS - clock.now();
      const nap = left > 0 && left < PATIENCE_MS ? left : PATIENCE_MS;
      const isSlow = clock.alarm(nap, ended.signal).then((): typeof SET_ASIDE => SET_ASIDE);
      const first = await Promise.race([doing, isSlow]);
      if (first !== SET_ASIDE) return first;
      const isWaiting = progress.awaitedSince !== undefined && clock.now() - progress.awaitedSince >= PATIENCE_MS;
      if (isWaiting && hasRoom()) return SET_ASIDE;
    }
  } finally {
    // With a reason of its own no error is made, with a stack, for each part of a step.
    ended.abort(ENDED);
  }
}

/**
 * Opens when several series in a row, or the probe, fail. The probe follows the second failure, or the first of a
 * silent service.
 */
function createCircuit(probe: () => Promise<boolean>): Circuit {
  const inRow = new Set<string>();
  let hasAnswered = false;
  return {
    noteAnswer() {
      hasAnswered = true;
      inRow.clear();
    },
    async noteFailure(name, error) {
      inRow.add(name);
      if (inRow.size >= MAX_IN_ROW) return down(`${inRow.size} series failed one after the other`, error);
      const isSuspect = !hasAnswered || inRow.size >= PROBED_IN_ROW;
      return !isSuspect || (await probe()) ? undefined : down('its probe (/v1/ping) fails too', error);
    },
  };
}

function down(why: string, error: MacroError): MacroError {
  return new MacroError('upstream', `The service as a whole does not work: ${why}. ${error.message}`, {
    code: 'service_down',
    hint: 'Run it again later: it begins with the series that were not tried yet.',
    cause: error,
  });
}

/** Makes the probe: true when the service answers anything at all. */
function serviceProbe(client: Client, clock: Pick<Clock, 'alarm'>, signal: AbortSignal | undefined) {
  return async (): Promise<boolean> => {
    const limit = new AbortController();
    const ended = new AbortController();
    clock.alarm(PROBE_MS, ended.signal).then(
      () => limit.abort(new MacroError('upstream', 'The probe got no answer in time.', { code: 'timeout' })),
      () => undefined,
    );
    try {
      await client.ask({
        endpoint: ping,
        args: {},
        signal: AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]),
      });
      return true;
    } catch (error) {
      if (error instanceof MacroError && error.kind !== 'interrupted') return error.kind !== 'upstream';
      throw error;
    } finally {
      ended.abort();
    }
  };
}
