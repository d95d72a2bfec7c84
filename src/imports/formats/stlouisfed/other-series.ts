/** Series of FRED that the interface has no word for, and its dollar rates: what follows from an id and from dates. */
import { FX_PUBLISHERS } from '../../../contract/words/publishers.ts';
import { readPositive } from '../../read/cells.ts';
import { H10_CURRENCIES, pairSeries, rateRow, ratesOf } from '../../read/fx-rates.ts';
import { type PublishedPeriod, type PublishedWriter, writerOf } from '../../read/published-series.ts';

const { publication } = ratesOf(FX_PUBLISHERS.fred, 'as those of H.10');

/** Unix seconds from which a dollar rate is known. The Board never changes one. */
export const rateIsKnown = (date: string): number | undefined =>
  publication.revised === 'never' ? publication.at(date) : undefined;

/** Writer of a dollar rate: `DEX..US` is units for a dollar, `DEXUS..` dollars. Undefined for another id. */
export function dollarRateWriter(id: string): PublishedWriter | undefined {
  const [, dollars, units] = /^DEX(?:US([A-Z]{2})|([A-Z]{2})US)$/.exec(id) ?? [];
  const currency = H10_CURRENCIES[dollars ?? units ?? ''];
  if (currency === undefined) return undefined;
  const [base, quote] = dollars === undefined ? ['USD', currency] : [currency, 'USD'];
  const series = pairSeries(FX_PUBLISHERS.fred, base, quote);
  return {
    names: [series],
    rowsOf({ date, line, steps, knownFrom }) {
      const text = steps.at(-1)?.val;
      if (text === undefined) return [];
      return [{ ...rateRow(series, date, readPositive({ text, line, of: id })), knownFrom }];
    },
  };
}

/** Titles of other tables with a column DATE. */
const NO_IDS: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...'ADJ CLOSE CODE COUNTRY HIGH ID INDEX LOW NAME OPEN PRICE RATE SYMBOL TICKER TIME VALUE VOLUME'.split(' '),
]);

/** Could this be the id of a series? Those of FRED have capital letters and digits. */
export const isFredId = (title: string): boolean => /^[A-Z0-9][A-Z0-9_]+$/.test(title) && !NO_IDS.has(title);

/** The database of the Bank of England has codes of this form below a header `DATE`, and FRED has SONIA as IUDSOIA. */
export const OF_THE_BANK_OF_ENGLAND = /^[IX]U[DM][A-Z0-9]{4}$/;

/** Writer of a series known by its id alone: `fred_dff`. Its unit is unknown. */
export function otherWriter(id: string, currency: string, period: PublishedPeriod): PublishedWriter {
  return writerOf({
    currency,
    source: 'FRED',
    sourceUrl: `https://fred.stlouisfed.org/series/${id}`,
    sourceSeriesId: id,
    period,
    ...(period === 'day' && { everyDay: true }),
    outputs: [{ indicator: `fred_${id.toLowerCase()}`, name: `${id} of FRED` }],
  });
}

/** Facts about the dates of a column while they are read in ascending order. */
export interface DateSteps {
  readonly last: string;
  /** Fewest days between two of them; undefined while there is only one. */
  readonly fewest?: number;
  /** All of them are whole weeks apart. */
  readonly areWeeks: boolean;
  /** The max period that begins with each of them. */
  readonly begins: 'day' | 'month' | 'quarter' | 'year';
}

const DAY_MS = 86_400_000;

/** Takes one more date of a column with a value. */
export function addDate(steps: DateSteps | undefined, date: string): DateSteps {
  const begins = beginOf(date);
  if (!steps) return { last: date, areWeeks: true, begins };
  const days = (Date.parse(date) - Date.parse(steps.last)) / DAY_MS;
  return {
    last: date,
    fewest: Math.min(days, steps.fewest ?? days),
    areWeeks: steps.areWeeks && days % 7 === 0,
    begins: BEGINS[Math.min(BEGINS.indexOf(begins), BEGINS.indexOf(steps.begins))] ?? 'day',
  };
}

const BEGINS = ['day', 'month', 'quarter', 'year'] as const;

function beginOf(date: string): DateSteps['begins'] {
  if (!date.endsWith('-01')) return 'day';
  const month = Number(date.slice(5, 7));
  return month === 1 ? 'year' : month % 3 === 1 ? 'quarter' : 'month';
}

/** How often a series has a value, by the dates that have one; undefined where they do not tell, as a single one. */
export function periodOfSteps({ fewest, areWeeks, begins }: DateSteps): PublishedPeriod | undefined {
  if (fewest === undefined) return undefined;
  if (fewest < 7) return 'day';
  if (areWeeks && fewest < 28) return 'week';
  if (begins === 'day') return undefined;
  if (fewest < 89) return fewest < 28 ? undefined : 'month';
  if (fewest < 180) return begins === 'month' ? 'month' : 'quarter';
  return fewest >= 365 && begins === 'year' ? 'year' : undefined;
}
