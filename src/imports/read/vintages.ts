/** Values that one period had, one after the other, and since when each was known. */
import { asJsonText, objectIn, readBoundedJson } from '../../contract/json/json.ts';
import type { FileRow, FileSeries } from '../format.ts';

/** A value and since when it was known. */
export interface VintageStep {
  /** Unix seconds; undefined where only the import tells. */
  readonly epoch: number | undefined;
  /** As JSON spells it; undefined where the publisher took the value back. */
  readonly val: string | undefined;
  /** The value is the first print of its period, and its vintage is the release: see `isFirstPrint`. */
  readonly isFirst: boolean;
}

/** The value of a period in each of some vintages, oldest first; undefined where it had none. */
export interface VintageCell {
  readonly epoch: number | undefined;
  readonly val: string | undefined;
}

/** Steps where a value changes. `isRelease` judges the place of the first value's vintage. */
export function stepsOfCells(
  cells: readonly VintageCell[],
  isRelease: (place: number) => boolean = () => false,
): readonly VintageStep[] {
  const steps: VintageStep[] = [];
  for (const [place, { epoch, val }] of cells.entries()) {
    const before = steps.at(-1);
    if (before ? isSame(before.val, val) : val === undefined) continue;
    steps.push({ epoch, val, isFirst: !before && isRelease(place) });
  }
  return steps;
}

export const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Number(a) === Number(b);

/** How exactly the times of vintages are known, in the words of the announcements. */
export type VintagePrecision = 'day' | 'month' | 'quarter';

/** The newest value of a period with its vintages; without times no list, without values no row. */
export function vintageRow(
  series: FileSeries,
  date: string,
  { steps, precision }: { readonly steps: readonly VintageStep[]; readonly precision: VintagePrecision },
): FileRow | undefined {
  const last = steps.at(-1);
  if (!last) return undefined;
  const dated = steps.filter(({ epoch }) => epoch !== undefined);
  const [first] = dated;
  const release = first?.isFirst && precision === 'day' ? first.epoch : undefined;
  const members = [
    `"date":"${date}"`,
    `"val":${last.val ?? 'null'}`,
    ...(release === undefined ? [] : [`"announcement_datetime":${release}`, ASSUMED]),
    ...(dated.length === 0 ? [] : [`"revisions":[${dated.map((step) => entryText(step, precision)).join(',')}]`]),
  ];
  const text = asJsonText(`{${members.join(',')}}`);
  return { series, row: { text, value: objectIn(readBoundedJson(text)) } };
}

const ASSUMED = '"publication_time_status":"assumed_historical"';

function entryText({ epoch, val, isFirst }: VintageStep, precision: VintagePrecision): string {
  const first = isFirst ? ',"is_first_release":true' : '';
  return `{"epoch":${epoch},"val":${val ?? 'null'}${first},${ASSUMED},"publication_time_precision":"${precision}"}`;
}
