/** The facts of the mirror about a publisher's files: fetched files, last check, age. */
import { dateOf } from '../../contract/time/time.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { importsIn, type PastImport, restsOn, storedByKey } from '../past-imports.ts';
import { wordsOf } from './download.ts';
import type { FetchUnit } from './units.ts';

type Reads = Pick<Mirror, 'find' | 'rows' | 'coveredRanges' | 'files'>;

/** A fetch of a file that is still in the mirror. */
export interface PastFetch extends PastImport {
  readonly fetched: NonNullable<PastImport['fetched']>;
  /** No later import speaks of the same dates: what the mirror has is what this file said. */
  readonly isLast: boolean;
}

/** Times are milliseconds. */
export interface UnitState {
  /** By address, oldest first; the newest one of an address counts. */
  readonly fetches: readonly PastFetch[];
  readonly series: readonly StoredSeries[];
  /** When its files were last found to be as they are stored; undefined when never. */
  readonly checkedAt: number | undefined;
  /** When a file last had other values. */
  readonly changedAt: number | undefined;
  /** The two newest dates of the series that reaches furthest, newest first. */
  readonly dates: readonly string[];
}

const NOTHING: UnitState = { fetches: [], series: [], checkedAt: undefined, changedAt: undefined, dates: [] };

/** Reads the history of imports once for all units. */
export async function readUnitStates(
  mirror: Reads | undefined,
  units: readonly FetchUnit[],
): Promise<readonly UnitState[]> {
  if (!mirror || units.length === 0) return units.map(() => NOTHING);
  const left = importsIn(await mirror.files.fileCommits()).filter(({ undoneAt }) => undoneAt === undefined);
  return Promise.all(units.map((unit) => stateOf(mirror, unit, left)));
}

async function stateOf(mirror: Reads, unit: FetchUnit, left: readonly PastImport[]): Promise<UnitState> {
  const fetches = left.flatMap((one, place): readonly PastFetch[] => {
    const { fetched } = one;
    if (!fetched || !isFetchOf(unit, one, fetched.address)) return [];
    return [{ ...one, fetched, isLast: !left.slice(place + 1).some((later) => restsOn(later, one)) }];
  });
  const last = fetches.at(-1);
  if (!last) return NOTHING;
  const series = await seriesOfImport(mirror, last);
  const times = await Promise.all(
    series.map(async (one) => {
      const coveredRanges = await mirror.coveredRanges(one, 'keyless');
      // A file of a year that is over reaches to its end.
      const reaches = (to: string, checkedAt: number) => to >= dateOf(checkedAt) || to === last.fetched.until;
      return Math.max(
        0,
        ...coveredRanges.flatMap(({ to, checkedAt }) => (reaches(String(to), checkedAt) ? checkedAt : [])),
      );
    }),
  );
  const newest = await Promise.all(
    series.map(async (one) => (await mirror.rows(one, {}, { limit: 2, offset: 0 })).map(({ key }) => String(key[0]))),
  );
  const dates = newest.reduce((a, b) => ((b[0] ?? '') > (a[0] ?? '') ? b : a), []);
  const checkedAt = Math.max(0, ...times) || undefined;
  // Publishers pack the same values anew: other bytes are no new state.
  const changedAt = fetches.findLast((one) => one.added + one.revised + one.withdrawn > 0)?.fetched.at;
  return { fetches, series, checkedAt, changedAt, dates };
}

/** Series of an import as they are stored now. */
export async function seriesOfImport(
  mirror: Pick<Mirror, 'find'>,
  { series }: Pick<PastImport, 'series'>,
): Promise<readonly StoredSeries[]> {
  const found = await Promise.all(series.map(({ key }) => storedByKey(mirror, key)));
  return found.flatMap((one) => one ?? []);
}

function isFetchOf({ format, download, id, as = 'USD' }: FetchUnit, past: PastImport, address: string): boolean {
  if (past.format !== format.id) return false;
  if (format.takes === 'as' && !past.series.some(({ key }) => (key.scope.currency ?? as) === as)) return false;
  // The address of the file itself changes with each edition.
  if (download.link) return true;
  const templates = [download.address ?? '', ...(download.recent ? [download.recent.address] : [])];
  return templates.some((template) => patternOf(template, id).test(address));
}

/** A template as a pattern: its words in braces may be anything that stands between two marks of an address. */
function patternOf(template: string, id: string): RegExp {
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const parts = template.split(/(\{[^}]*\})/).map((part) => {
    const word = Object.entries(wordsOf(id)).find(([name]) => part === `{${name}}`)?.[1];
    if (word !== undefined) return escaped(encodeURIComponent(word));
    if (part === '{ids}') return `${escaped(id)}(?:,${escaped(id)})*`;
    return part.startsWith('{') ? '[^&?]+' : escaped(part);
  });
  return new RegExp(`^${parts.join('')}$`);
}
