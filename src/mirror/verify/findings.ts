import type { KeyValue } from '../api/rows.ts';
import type { FindingKind, VerificationFinding } from '../api/verification.ts';

/** Findings about one thing; of one kind only the first are kept, for a mirror may be wrong in every row. */
export interface Findings {
  note(what: FindingKind, detail: string): void;
  problem(what: FindingKind, detail: string, key?: readonly KeyValue[]): void;
  /** How many there are of a kind, those that were not kept included. */
  count(what: FindingKind): number;
  list(): readonly VerificationFinding[];
}

const KEPT = 20;

export function collectFindings(): Findings {
  const kept: VerificationFinding[] = [];
  const counts = new Map<FindingKind, number>();
  // Of a kind that has both, the rest may be problems.
  const levelOf = (what: FindingKind): VerificationFinding['level'] =>
    kept.some((one) => one.what === what && one.level === 'problem') ? 'problem' : 'note';
  const add = (finding: VerificationFinding) => {
    const count = (counts.get(finding.what) ?? 0) + 1;
    counts.set(finding.what, count);
    if (count <= KEPT) kept.push(finding);
  };
  return {
    note: (what, detail) => add({ level: 'note', what, detail }),
    problem: (what, detail, key) => add({ level: 'problem', what, detail, ...(key && { key }) }),
    count: (what) => counts.get(what) ?? 0,
    list() {
      const more = [...counts].filter(([, count]) => count > KEPT);
      return [
        ...kept,
        ...more.map(([what, count]) => ({ level: levelOf(what), what, detail: `and ${count - KEPT} more` })),
      ];
    },
  };
}
