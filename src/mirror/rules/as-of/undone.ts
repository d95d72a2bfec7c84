import type { MirrorReader } from '../../api/mirror.ts';
import type { StoredSeries } from '../../api/series.ts';
import type { Where } from '../select.ts';

/** Commits that undid an import: what they took back was a mistake, which the public never knew. */
export interface UndoneDates {
  /** First commit of the import. */
  readonly since: number;
  /** The commit that took it back. */
  readonly until: number;
  /** Both dates are inclusive. */
  readonly from: string;
  readonly to: string;
}

/** The request of a commit that takes an import back. */
export function undoRequest({ since, from, to }: Omit<UndoneDates, 'until'>): string {
  return `import undo ${since} of ${from}..${to}`;
}

/** The request of a commit with the real release times of rows: the public never knew them at the assumed ones. */
export function retimeRequest({ from, to }: Pick<UndoneDates, 'from' | 'to'>): string {
  return `import retime 0 of ${from}..${to}`;
}

const REQUEST = /^import (?:undo|retime) (\d+) of (\S+)\.\.(\S+)$/;

/** Undefined for a request that took nothing back. */
export function undoneBy({ number, request }: { number: number; request: string }): UndoneDates | undefined {
  const [, since, from, to] = REQUEST.exec(request) ?? [];
  if (since === undefined || from === undefined || to === undefined) return undefined;
  return { since: Number(since), until: number, from, to };
}

/** Selects the commits of a series that took an import back; a service's series has none, and is not looked through. */
export function undoneSelect(series: number): Where {
  return {
    sql: `select commits.number, commits.request from series join commits on commits.series = series.id
      where series.id = ? and series.origin like 'import:%' and (commits.request like 'import undo %' or commits.request like 'import retime %')`,
    values: [series],
  };
}

export function undoneIn(commits: readonly (readonly [number: number, request: string])[]): readonly UndoneDates[] {
  return commits.flatMap(([number, request]) => undoneBy({ number, request }) ?? []);
}

/** Was every import of the series taken back? Then it is as if no file had ever had it. */
const isUndone = ({ origin, checkedAt }: Pick<StoredSeries, 'origin' | 'checkedAt'>): boolean =>
  checkedAt === 0 && origin.startsWith('import:');

/** A reader that does not find such series. A list without any is found as it is, so that it stays the same object. */
export function withoutUndone(reader: MirrorReader): MirrorReader {
  return {
    ...reader,
    find: async (ref, time) => {
      const found = await reader.find(ref, time);
      return found.some(isUndone) ? found.filter((series) => !isUndone(series)) : found;
    },
  };
}
