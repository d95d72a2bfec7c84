import type { PageView } from '../../contract/hooks.ts';
import { cadenceOf, RHYTHMS, SAMPLE } from '../cadence.ts';
import type { SeriesKind } from './change-members.ts';
import { type Print, readPrint } from './print.ts';

/** The prints that a page of history is made of, newest first. */
export interface PrintReading {
  readonly page: readonly Print[];
  /** All of the window. */
  readonly window: readonly Print[];
  /** What follows the page, inside the window and beyond it, without gaps. */
  readonly older: readonly Print[];
  /** Prints of the window. */
  readonly total: number;
}

export interface HistoryOptions {
  readonly kind: SeriesKind;
  /** The print as the question wants it; undefined when the question knows none of the period. */
  readonly select: (print: Print) => Print | undefined;
  /** `select` can leave out periods: then the pages are cut here. */
  readonly chooses: boolean;
}

type HistoryView = PageView<{ readonly limit: number; readonly offset: number }>;

/** Reads a page with the prints before it, as many as its rows are compared with. */
export async function readHistory(view: HistoryView, options: HistoryOptions): Promise<PrintReading> {
  const read = (texts: readonly Parameters<typeof readPrint>[0][]) =>
    texts.flatMap((text) => options.select(readPrint(text)) ?? []);
  const stored = await view.window();
  const window = read(stored);
  if (!options.chooses) {
    const page = read(view.rows);
    const older = await lookBack(view, { page, kind: options.kind, read, skip: 0 });
    return { page, window, older, total: view.total };
  }
  const { limit, offset } = view.args;
  const page = window.slice(offset, offset + limit);
  const end = stored.at(-1);
  const last = end && readPrint(end).date;
  const beyond = await lookBack(view, { page: window, kind: options.kind, read, skip: stored.length });
  const outside = last === undefined ? beyond : beyond.filter((print) => print.date < last);
  return { page, window, older: [...window.slice(offset + limit), ...outside], total: window.length };
}

interface LookBack {
  readonly page: readonly Print[];
  readonly kind: SeriesKind;
  readonly read: (texts: readonly Parameters<typeof readPrint>[0][]) => readonly Print[];
  /** Rows of the window that may stand between the page and what lies beyond the window. */
  readonly skip: number;
}

/** What follows the page: for percentages over a year as far as a year reaches, which the cadence tells. */
async function lookBack(view: HistoryView, { page, kind, read, skip }: LookBack): Promise<readonly Print[]> {
  // One more than the neighbour: an empty window shows the first of them and compares it with the second.
  const sample = read(await view.following(skip + SAMPLE));
  const behind = rowsBehind(
    kind,
    [...page, ...sample].map((print) => print.date),
  );
  return behind === SAMPLE ? sample : read(await view.following(skip + behind));
}

/** How many rows behind a page its rows may be compared with, by the dates of the page and of the rows next to it. */
export function rowsBehind(kind: SeriesKind, dates: readonly string[]): number {
  if (kind === 'percent') return SAMPLE;
  const cadence = cadenceOf(dates);
  const perYear = cadence ? RHYTHMS[cadence].rowsPerYear : 0;
  return perYear <= SAMPLE - 1 ? SAMPLE : perYear;
}
