import { jsonEqual } from '../../src/contract/json/json.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { CommitReport, NewRow, PageCommit } from '../../src/mirror/api/page-commit.ts';
import type { StoredSeries } from '../../src/mirror/api/series.ts';

/** As much of a mirror as an import uses: current rows by date, in memory. */
export interface MemoryMirror extends Pick<Mirror, 'find' | 'rows' | 'commitStream' | 'rehearseStream'> {
  readonly commits: PageCommit[];
  /** Texts of the rows of a series, newest first. */
  texts(scope: string): readonly string[];
}

export function memoryMirror(): MemoryMirror {
  const held = new Map<string, Map<string, NewRow>>();
  const commits: PageCommit[] = [];
  const nameOf = (scope: Readonly<Record<string, string>>) => `${scope.base}/${scope.quote}`;
  return {
    commits,
    texts: (scope) =>
      [...(held.get(scope) ?? new Map<string, NewRow>())]
        .sort(([a], [b]) => (a < b ? 1 : -1))
        .map(([, { text }]) => text),
    find: async () =>
      [...held.keys()].map((name): StoredSeries => {
        const [base = '', quote = ''] = name.split('/');
        return {
          endpoint: 'forex',
          scope: { base, quote },
          origin: 'import:ECB',
          id: 1,
          state: '',
          chain: '',
          envelope: undefined,
          checkedAt: 0,
        };
      }),
    // Its files are of rates, which are never revised.
    rows: async () => [],
    rehearseStream: () => Promise.reject(new Error('this mirror rehearses nothing')),
    commitStream: async (_, stream) =>
      Array.from(stream, (commit) => {
        commits.push(commit);
        const name = nameOf(commit.series.scope);
        const rows = held.get(name) ?? new Map<string, NewRow>();
        held.set(name, rows);
        return apply(rows, commit, commits.length);
      }),
  };
}

function apply(rows: Map<string, NewRow>, { rows: listed, window }: PageCommit, commit: number): CommitReport {
  const report = { commit, added: 0, revised: 0, vanished: 0, unchanged: 0 };
  const dates = new Set(listed.map(({ value }) => String(value.date)));
  for (const row of listed) {
    const date = String(row.value.date);
    const old = rows.get(date);
    if (!old) report.added += 1;
    else if (jsonEqual(old.value, row.value)) report.unchanged += 1;
    else report.revised += 1;
    rows.set(date, row);
  }
  for (const date of [...rows.keys()]) {
    const inside = date >= String(window?.from) && date <= String(window?.to);
    if (dates.has(date) || !inside) continue;
    rows.delete(date);
    report.vanished += 1;
  }
  return report;
}
