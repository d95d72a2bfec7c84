import { readJson } from '../../contract/json/json.ts';
import type { RunEnd, SyncRun } from '../api/mirror.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = LedgerSchema['runs'];

/** Runs that are kept; older ones go. */
export const KEPT_RUNS = 1000;

/** What is noted of a run that nobody ended. */
export const DIED = 'The program ended before the run did.';

export function runOf(row: Row): SyncRun {
  return {
    id: row.id,
    started: row.started,
    ended: row.ended ?? undefined,
    holder: row.holder,
    words: row.words,
    outcome: outcomeOf(row.outcome),
    requests: row.requests,
    rows: row.rows,
    problem: row.problem ?? undefined,
    failed: row.failed ? readJson(row.failed) : [],
  };
}

/** How the failed series of a run are kept. */
export function failedText(failed: RunEnd['failed'] = []): string | null {
  return failed.length === 0 ? null : JSON.stringify(failed);
}

const OUTCOMES = ['complete', 'incomplete', 'stopped', 'failed'] as const;

function outcomeOf(text: string | null): RunEnd['outcome'] | undefined {
  return OUTCOMES.find((outcome) => outcome === text);
}
