import { isoSeconds } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { nextDue } from '../../../sync/series/due.ts';
import { expandWords } from '../../../sync/series/expand.ts';
import { sleepUntil } from '../../../sync/sleep-until.ts';
import type { App, LiveHandle } from '../../app/app.ts';
import { printReport } from './report.ts';
import { failureIn, PASSING } from './run.ts';

export interface Watch {
  readonly once: () => Promise<SyncReport>;
  readonly mirror: Mirror;
  readonly live: LiveHandle;
  readonly words: readonly string[];
}

/**
 * Syncs, sleeps until something is due, and syncs again, until it is interrupted. The lock is free while it sleeps. A spent
 * quota is waited for; what no later run can mend ends it.
 */
export async function watch(app: App, { once, mirror, live, words }: Watch): Promise<never> {
  const { clock } = app.platform;
  const onceTold = async () => {
    const report = await once();
    await printReport(app, report);
    return report;
  };
  for (;;) {
    const failure = await failureIn(onceTold);
    if (failure && !PASSING.has(failure.kind)) throw failure;
    if (failure) await app.warn(failure.message, 'sync_failed');
    const now = clock.now();
    const { targets } = await expandWords(words, { endpoints: ENDPOINTS, mirror, now });
    const due = await nextDue({ reader: mirror, asker: live.client, targets, now });
    const at = Math.max(due.at, now + (failure?.retryAfter ?? 0) * 1000);
    const what = due.release ? ` for ${due.release.currency} ${due.release.indicator}` : '';
    await app.note(`Next look at ${isoSeconds(Math.ceil(at / 1000))}${what}.`, 'next_look');
    await sleepUntil(clock, at, app.signal);
  }
}
