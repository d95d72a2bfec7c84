/** Dates to compare, as they are typed for one option. */
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';

/** The dates of a list; undefined for a single one. */
export function severalDates({ options }: Call): readonly string[] | undefined {
  const dates = (textOption(options, 'date') ?? '').split(',').map((date) => date.trim());
  return dates.length < 2 ? undefined : [...new Set(dates.filter(Boolean))];
}
