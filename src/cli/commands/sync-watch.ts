import { isoSeconds } from '../../contract/time.ts';
import { ENDPOINTS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { nextDue } from '../../sync/due.ts';
import { expandWords } from '../../sync/expand.ts';
import type { SyncReport } from '../../sync/report.ts';
import type { App, LiveSide } from '../app.ts';
import { failureOf, printReport } from './sync-report.ts';

export interface Watch {
  readonly once: () => Promise<SyncReport>;
  readonly mirror: Mirror;
  readonly live: LiveSide;
  readonly words: readonly string[];
}

/** Kinds of failure that a later run may not meet any more. */
const PASSING: ReadonlySet<string> = new Set(['upstream', 'incomplete', 'quota', 'busy', 'protocol']);

/**
 * Syncs, sleeps until something is due, and syncs again, until it is interrupted. The lock is free while it sleeps. A spent
 * quota is waited for; what no later run can mend ends it.
 */
export async function watch(app: App, { once, mirror, live, words }: Watch): Promise<never> {
  const { clock } = app.platform;
  for (;;) {
    const failure = await failureIn(app, once);
    if (failure && !PASSING.has(failure.kind)) throw failure;
    if (failure) await app.warn(failure.message);
    const now = clock.now();
    const { targets } = await expandWords(words, { endpoints: ENDPOINTS, mirror, now });
    const due = await nextDue({ reader: mirror, asker: live.client, targets, now });
    const at = Math.max(due.at, now + (failure?.retryAfter ?? 0) * 1000);
    const what = due.release ? ` for ${due.release.currency} ${due.release.indicator}` : '';
    await app.note(`Next look at ${isoSeconds(Math.ceil(at / 1000))}${what}.`);
    await clock.sleep(at - now, app.signal);
  }
}

/** Runs once and prints what was done; gives what went wrong, another run's lock included. */
async function failureIn(app: App, once: Watch['once']): Promise<MacroError | undefined> {
  try {
    const report = await once();
    await printReport(app, report);
    return failureOf(report);
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'busy') return error;
    throw error;
  }
}
