import type { RunEnd, SyncRun } from '../../api/mirror.ts';
import { DIED, failedText, KEPT_RUNS } from '../../ledger/runs.ts';
import type { ServerConnection } from '../connection.ts';

/** Notes that a run begins. A run without an end died: whoever holds the lock next says so. */
export async function startRun(
  { ledger }: ServerConnection,
  { started, holder, words }: Pick<SyncRun, 'started' | 'holder' | 'words'>,
): Promise<number> {
  await ledger.updateTable('runs').set({ outcome: 'failed', problem: DIED }).where('outcome', 'is', null).execute();
  const { id } = await ledger
    .insertInto('runs')
    .values({ started, holder, words })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ledger
    .deleteFrom('runs')
    .where('id', '<=', id - KEPT_RUNS)
    .execute();
  return id;
}

export async function endRun(
  { ledger }: ServerConnection,
  id: number,
  { ended, outcome, requests, rows, problem, failed: names }: RunEnd,
): Promise<void> {
  const end = { ended, outcome, requests, rows, problem: problem ?? null, failed: failedText(names) };
  await ledger.updateTable('runs').set(end).where('id', '=', id).execute();
}
