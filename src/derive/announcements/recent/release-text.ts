import type { HookContext, LoadedColumns, LoadedSeries } from '../../../contract/hooks.ts';
import { type JsonText, toJsonText } from '../../../contract/json/json.ts';
import type { Range } from '../../../contract/time/coverage.ts';
import { type Cadence, cadenceOf, RHYTHMS, SAMPLE } from '../../cadence.ts';
import { perObject } from '../../per-object.ts';
import { type ComparedPrint, kindOf, withChange } from '../change-members.ts';
import { seriesMembers, withIdentity } from '../identity.ts';
import { type Print, patched, printText, readKept } from '../print.ts';
import { selectVintage } from '../selection.ts';
import { type Place, placeColumnsOf } from './release-order.ts';

export interface Showing {
  readonly histories: ReadonlyMap<string, LoadedSeries>;
  readonly context: HookContext<{ readonly currency: string }>;
  readonly cutoff: number | undefined;
  readonly visibleFrom: string | undefined;
  readonly onHole: (history: LoadedSeries, range: Range) => void;
}

/** A row as the history route would show it, with the indicator in front. */
export function releaseText(
  { indicator, at }: Place,
  { histories, context, cutoff, visibleFrom, onHole }: Showing,
): JsonText {
  const history = histories.get(indicator);
  if (!history) throw new RangeError(`There is no history of ${indicator}`);
  const { envelope, coverage } = history;
  const cadence = cadenceAt(history, at);
  const reach = rowsOfYear(cadence);
  const prints = printsOf(history, at, { cutoff, now: context.now, reach });
  const [shown, before] = prints;
  if (!shown) throw new RangeError(`There is no row ${at} of ${indicator}`);
  const kind = kindOf(
    envelope,
    prints.slice(0, 2).map(({ row }) => row),
  );
  const older = showsStoredValues(history)
    ? periodsOf(placeColumnsOf(history)).slice(at + 1, at + reach + 1)
    : prints.slice(1);
  const print = withChange(
    shown,
    { before, older },
    {
      kind,
      cadence,
      visibleFrom,
      asReceived: true,
      coverage,
      onHole: (range) => onHole(history, range),
    },
  );
  const name = { currency: context.args.currency, indicator };
  const identified = withIdentity(print, name, seriesMembers(name, envelope).selected_series_id);
  return printText(patched(identified, { indicator: toJsonText(indicator) }));
}

/** How many rows of a history it takes to show one. Where nothing is hidden the values of those before are columns. */
export function rowsToShow({ indicator, at }: Place, histories: ReadonlyMap<string, LoadedSeries>): number {
  const history = histories.get(indicator);
  if (!history) return 0;
  const { length = 0 } = placeColumnsOf(history).date ?? [];
  return Math.min(length, at + (showsStoredValues(history) ? 2 : rowsOfYear(cadenceAt(history, at)) + 1));
}

/** A row and those before it: of a year where the delay may hide some of their values, else the next one alone. */
function printsOf(
  history: LoadedSeries,
  at: number,
  { cutoff, now, reach }: { readonly cutoff: number | undefined; readonly now: number; readonly reach: number },
): readonly Print[] {
  const question = { revisions: 'latest', asOf: undefined, availability: 'public', cutoff, now } as const;
  const { rows, kept } = history;
  return rows
    .slice(at, at + (showsStoredValues(history) ? 2 : reach + 1))
    .map((row) => readKept(row, kept))
    .map((print) => selectVintage(print, question) ?? print);
}

/** Neither the delay nor a moment of the past changes a value: those far from a row are read as columns. */
function showsStoredValues({ columns, kept }: LoadedSeries): boolean {
  return columns !== undefined && !kept;
}

function cadenceAt(history: LoadedSeries, at: number): Cadence | undefined {
  return cadenceOf((placeColumnsOf(history).date ?? []).slice(at, at + 2 * SAMPLE).map(String));
}

/** Rows that reach a year back from one. */
function rowsOfYear(cadence: Cadence | undefined): number {
  return cadence ? RHYTHMS[cadence].rowsPerYear : 2;
}

/** The values of a history. */
const periodsOf = perObject(({ date: dates = [], val: values }: LoadedColumns): readonly ComparedPrint[] =>
  dates.map((date, i) => {
    const val = values?.[i];
    return { date: String(date), val: typeof val === 'number' ? val : null, altered: false };
  }),
);
