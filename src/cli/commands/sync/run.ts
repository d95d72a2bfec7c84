import type { Priority } from '../../../client/quota/account.ts';
import { MIRROR_INCOMPLETE } from '../../../contract/answer-members.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { type ErrorKind, MacroError } from '../../../errors.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { holderName } from '../../../platform/schedule/scheduler.ts';
import { joinReports, type SyncReport } from '../../../sync/report.ts';
import { inSession, runSync } from '../../../sync/run.ts';
import { expandWords, type SyncTarget } from '../../../sync/series/select.ts';
import type { SyncProgress } from '../../../sync/work.ts';
import type { App, LiveHandle } from '../../app/app.ts';
import { takenLater } from '../../app/settings.ts';
import { openProgressBar, quotaLeft } from '../../print/progress-bar.ts';
import { noteBinding } from '../endpoint/binding.ts';
import { failureOf } from './report.ts';

/** What a run is about. */
export interface SyncOptionsTyped {
  readonly words: readonly string[];
  /** Where the words stand when nobody typed them. */
  readonly from?: string;
  /** Milliseconds that a series may be old; its own freshness when left out. */
  readonly maxAge?: number;
  readonly check?: true;
}

interface Run extends SyncOptionsTyped {
  readonly live: LiveHandle;
  readonly mirror: Mirror;
  /** What runs before this one have noted already: those who watch hear it once. */
  readonly noted?: Set<string>;
}

/** One run under the lock: the catalogues that the words need first, then everything that they mean. */
export async function runOnce(app: App, run: Run): Promise<SyncReport> {
  const { words, mirror, noted = new Set() } = run;
  const { clock, pid, env } = app.platform;
  const expand = () => expandWords(words, { endpoints: ENDPOINTS, mirror, now: clock.now() });
  const session = { mirror, clock, holder: holderName(pid, env), words: words.join(' ') };
  // Words that mean nothing are refused before anything is done.
  const first = await takenLater(run.from, expand());
  const note = async (sentence: string) => {
    if (!noted.has(sentence)) await app.note(sentence, 'about_sync');
    noted.add(sentence);
  };
  for (const one of first.notes) await note(one);
  const work = async () => {
    const shown = runBar(app);
    const catalogueReport = await syncTargets(app, { run, show: shown('catalogues') }, first.catalogues);
    // A catalogue that cannot be had leaves out the indicators of its currency, and nothing else.
    if (catalogueReport.end) return catalogueReport;
    const { targets } = first.catalogues.length > 0 ? await expand() : first;
    return joinReports(catalogueReport, await syncTargets(app, { run, show: shown('targets') }, targets));
  };
  const report = await noteBinding(app, () => inSession(session, work));
  for (const { name, notes } of report.series) for (const one of notes) await note(`${name}: ${one}`);
  return report;
}

/** Brings targets up to date and shows how far that is. */
async function syncTargets(
  app: App,
  { run, show }: { run: Run; show: (progress: SyncProgress) => void },
  targets: readonly SyncTarget[],
): Promise<SyncReport> {
  const { live, mirror, maxAge, check } = run;
  return runSync({
    client: live.client,
    mirror,
    clock: app.platform.clock,
    targets,
    signal: app.signal,
    ...(maxAge !== undefined && { maxAge }),
    ...(check && { check }),
    onProgress: show,
  });
}

/** Shows how far a run has come: its requests and rows go on behind those of the part before it. */
function runBar(app: App): (part: 'catalogues' | 'targets') => (progress: SyncProgress) => void {
  const bar = openProgressBar(app, app.platform.clock);
  const quota = quotaLeft(app);
  let before = { requests: 0, rows: 0 };
  let now = before;
  return (part) => {
    before = now;
    return ({ name, share, requests, rows, seen }) => {
      now = { requests: before.requests + requests, rows: before.rows + Math.max(rows, seen) };
      bar.show({ ...now, quota: quota(), what: name, ...(part === 'targets' && { share }) });
    };
  };
}

/**
 * The service to sync from, asked on behalf of a person or of a run in the background.
 * @throws MacroError of kind `auth`.
 */
export async function requireLive(app: App, priority: Priority): Promise<LiveHandle> {
  if (app.settings.baseUrl.value === undefined) throw notConfigured();
  // Nothing is asked that could not be kept.
  await app.writable();
  const live = await app.live(priority);
  if (live) return live;
  throw notConfigured();
}

export function notConfigured(): MacroError {
  return new MacroError('auth', 'No service is chosen, so there is nothing to sync from.', {
    code: 'not_configured',
    hint: 'macro init chooses a service; macro demo shows the tool without one.',
  });
}

/** Kinds of failure that a later run may not meet any more. */
export const PASSING: ReadonlySet<ErrorKind> = new Set(['upstream', 'incomplete', 'quota', 'busy', 'protocol']);

/** True for a failure that another try may not meet. What a service lacks that is a mirror itself does not come by asking. */
export function mayPass({ kind, code }: MacroError): boolean {
  return PASSING.has(kind) && code !== MIRROR_INCOMPLETE;
}

/** What went wrong with a run, another run's lock included; undefined when all of it went well. */
export async function failureIn(run: () => Promise<SyncReport>): Promise<MacroError | undefined> {
  try {
    return failureOf(await run());
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'busy') return error;
    throw error;
  }
}

/** The same of a run for series that are needed, all of them: what no later run can mend of one is what went wrong. */
export function failureInAny(run: () => Promise<SyncReport>): Promise<MacroError | undefined> {
  return failureIn(async () => {
    const report = await run();
    const lost = report.series.find(({ problem }) => problem && !PASSING.has(problem.kind))?.problem;
    return lost ? { ...report, kind: lost.kind } : report;
  });
}
