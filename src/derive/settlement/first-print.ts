import { instantOf } from '../../contract/time/time.ts';
import type { Print } from '../announcements/print.ts';
import { type PrintVintage, printVintages, publicAt, secondsToNs } from '../announcements/vintages.ts';

/** The value that a release was published with, and when whoever reports it had it. */
export interface FirstPrint {
  readonly val: number;
  /** Unix seconds. */
  readonly release: number;
  /** First capture of this value that was no later backfill, in Unix milliseconds; undefined when unknown. */
  readonly capturedAt: number | undefined;
}

/**
 * The first print of a period; undefined where it is not established. It is, when a vintage says that it is the first
 * release, or when the value public at the moment of the release is the earliest value listed. A row without a list
 * stands for itself when it was captured or taken from a source as it came out, not when it is only the latest value.
 */
export function firstPrintOf(print: Print): FirstPrint | undefined {
  const stated = instantOf(print.row.announcement_datetime);
  const vintages = printVintages(print);
  const first = vintages.find((vintage) => vintage.isFirst === true) ?? valueAtRelease(print, vintages, stated);
  const release = stated ?? instantOf(first?.entry?.value.epoch);
  if (!first || first.val === null || release === undefined || isDisputed(first, vintages)) return undefined;
  const same = vintages.slice(0, vintages.indexOf(first) + 1).filter((vintage) => Object.is(vintage.val, first.val));
  const captures = same.filter((vintage) => !isBackfill(vintage, print)).flatMap(({ known }) => known.captured ?? []);
  const earliest = captures.reduce<bigint | undefined>(
    (least, at) => (least === undefined || at < least ? at : least),
    undefined,
  );
  return {
    val: first.val,
    release,
    capturedAt: earliest === undefined ? undefined : Number(earliest / 1_000_000n),
  };
}

/** Sources whose rows stand for themselves. */
const FRESH = new Set(['source_vintage', 'captured_snapshot']);

function valueAtRelease(
  print: Print,
  vintages: readonly PrintVintage[],
  release: number | undefined,
): PrintVintage | undefined {
  if (release === undefined) return undefined;
  const listed = vintages.some(({ entry }) => entry !== undefined);
  if (!listed) {
    const isFresh = FRESH.has(String(print.row.vintage_status)) && !startsAsBackfill(print.row.capture_time_basis);
    return isFresh ? vintages[0] : undefined;
  }
  const at = secondsToNs(release);
  const place = vintages.findIndex(({ known }) => known.public === at);
  const found = vintages[place];
  const isEarliest = vintages.slice(0, place).every(({ val }) => Object.is(val, found?.val));
  return found && isEarliest ? found : undefined;
}

/** Nobody can tell which of several values was published then. */
function isDisputed({ dispute, known }: PrintVintage, vintages: readonly PrintVintage[]): boolean {
  return (
    dispute !== undefined || (known.public !== undefined && publicAt(vintages, known.public)?.state === 'ambiguous')
  );
}

function isBackfill({ entry }: PrintVintage, { row }: Print): boolean {
  return startsAsBackfill((entry?.value ?? row).capture_time_basis);
}

function startsAsBackfill(basis: unknown): boolean {
  return typeof basis === 'string' && basis.startsWith('backfill');
}
