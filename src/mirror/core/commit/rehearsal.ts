import type { CommitReport } from '../../api/page-commit.ts';

/** Ends a transaction whose changes shall not stay; carries what it did out of it. */
export class TakenBack extends Error {
  readonly reports: readonly CommitReport[];

  constructor(reports: readonly CommitReport[]) {
    super('a rehearsed commit is taken back');
    this.reports = reports;
  }
}

/** What a transaction that took itself back did. @throws what else it failed with */
export function reportsIn(error: unknown): readonly CommitReport[] {
  if (error instanceof TakenBack) return error.reports;
  throw error;
}
