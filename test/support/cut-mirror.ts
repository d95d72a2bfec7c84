import type { SeriesRef } from '../../src/contract/hooks.ts';
import { boundAfter, boundBefore, type Range } from '../../src/contract/time/coverage.ts';
import type { Mirror, MirrorReader } from '../../src/mirror/api/mirror.ts';
import type { StoredCoverage, StoredRow, StoredSeries } from '../../src/mirror/api/series.ts';

/** What is taken out of a mirror. */
export interface Cut {
  /** Every origin of it; a scope name left out matches any value. */
  readonly series: SeriesRef;
  /** Both ends inside, in the terms of the series' window. All of the series when left out. */
  readonly range?: Range;
}

/** The mirror as if it had never held parts of some series: their rows, what is known of these, and their coverage. */
export function cutMirror(from: Mirror, cuts: readonly Cut[]): Mirror {
  const whole = reading(from, cuts);
  return {
    ...from,
    ...whole,
    snapshot: (read) => from.snapshot((reader) => read({ ...reading(reader, cuts), seen: reader.seen })),
  };
}

function reading(reader: MirrorReader, cuts: readonly Cut[]): MirrorReader {
  const cutsOf = (held: StoredSeries) => cuts.filter(({ series }) => isOf(held, series));
  const hidden = async (held: StoredSeries): Promise<ReadonlySet<string>> => {
    const parts = await Promise.all(cutsOf(held).map(({ range }) => reader.rows(held, range ?? {})));
    return new Set(parts.flat().map(nameOf));
  };
  const rows: MirrorReader['rows'] = async (held, selection, page) => {
    if (cutsOf(held).length === 0) return reader.rows(held, selection, page);
    const gone = await hidden(held);
    const left = (await reader.rows(held, selection)).filter((row) => !gone.has(nameOf(row)));
    const { limit = left.length, offset = 0, reverse = false } = page ?? {};
    return (reverse ? left.toReversed() : left).slice(offset, offset + limit);
  };
  return {
    ...reader,
    find: async (ref) => (await reader.find(ref)).filter((held) => cutsOf(held).every(({ range }) => range)),
    rows,
    texts: async (held, selection) => (await rows(held, selection)).map(({ text }) => text),
    count: async (held, selection) => (await rows(held, selection)).length,
    columns: async (held, selection, names) => {
      if (cutsOf(held).length === 0) return reader.columns(held, selection, names);
      const left = await rows(held, selection);
      const columns = names.map((name) => {
        const values = left.map((row) => row.columns[name] ?? null);
        return [name, values.some((value) => value !== null) ? values : undefined] as const;
      });
      return Object.fromEntries(columns) as Awaited<ReturnType<typeof reader.columns>>; // one entry a name
    },
    changes: (held) => reader.changes(held),
    timeline: async (held) => (cutsOf(held).length === 0 ? reader.timeline(held) : undefined),
    vintages: async (held, key, selection) => {
      const gone = await hidden(held);
      return (await reader.vintages(held, key, selection)).filter((vintage) => !gone.has(nameOf(vintage)));
    },
    coveredRanges: async (held, access) =>
      cutsOf(held).reduce<readonly StoredCoverage[]>(
        (coveredRanges, { range }) => coveredRanges.flatMap((covered) => (range ? proofWithout(covered, range) : [])),
        await reader.coveredRanges(held, access),
      ),
  };
}

function nameOf({ key }: Pick<StoredRow, 'key'>): string {
  return JSON.stringify(key);
}

function isOf({ endpoint, scope }: StoredSeries, wanted: SeriesRef): boolean {
  if (endpoint !== wanted.endpoint) return false;
  const names = Object.keys(wanted.exact ? { ...scope, ...wanted.scope } : wanted.scope);
  return names.every((name) => scope[name] === wanted.scope[name]);
}

/** What is left of a proof on both sides of a range. */
function proofWithout(covered: StoredCoverage, { from, to }: Range): readonly StoredCoverage[] {
  if (covered.to < from || covered.from > to) return [covered];
  return [
    ...(covered.from < from ? [{ ...covered, to: boundBefore(from) }] : []),
    ...(covered.to > to ? [{ ...covered, from: boundAfter(to) }] : []),
  ];
}
