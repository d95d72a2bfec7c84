import { isoSeconds } from '../../contract/time/time.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import type { Evidence } from './evidence.ts';
import type { Findings } from './findings.ts';

interface Counted {
  readonly series: number;
  readonly bySeen: ReadonlyMap<number, number>;
  readonly byEnd: ReadonlyMap<number, number>;
}

/**
 * A commit says how many rows it brought and ended. Each of them is still stored, as a current or a superseded row: a commit
 * that lacks one names the answer that a missing row came with.
 */
export async function checkCommits(
  { rows }: Evidence,
  { series, bySeen, byEnd }: Counted,
  findings: Findings,
): Promise<void> {
  const commits = await rows<LedgerSchema['commits']>('select * from commits where series = ? order by number', series);
  for (const commit of commits) {
    const { number, added, revised, vanished } = commit;
    compare({ commit, noted: added + revised, counted: bySeen.get(number) ?? 0, verb: 'brought' }, findings);
    compare({ commit, noted: revised + vanished, counted: byEnd.get(number) ?? 0, verb: 'ended' }, findings);
  }
  const known = new Set(commits.map(({ number }) => number));
  for (const number of new Set([...bySeen.keys(), ...byEnd.keys()]))
    if (!known.has(number)) findings.problem('orphan', `rows say that they came with commit ${number}, which is none`);
}

function compare(
  {
    commit,
    noted,
    counted: stored,
    verb,
  }: { commit: LedgerSchema['commits']; noted: number; counted: number; verb: string },
  findings: Findings,
): void {
  if (noted === stored) return;
  const { number, at, request } = commit;
  const when = isoSeconds(Math.floor(at / 1000));
  findings.problem(
    stored < noted ? 'missing' : 'added',
    `commit ${number} (${request}, ${when}) ${verb} ${noted} rows, ${stored} are held`,
  );
}
