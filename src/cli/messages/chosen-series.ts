import { endpointById } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { SeriesKey } from '../../mirror/api/series.ts';
import { storedName } from './held-name.ts';

/** Series whose name has all of these words; all series when there are none. */
export function chosenBy(words: readonly string[]): (series: SeriesKey) => boolean {
  const chosen = words.flatMap((word) => word.toLowerCase().split(/[\s/,]+/)).filter(Boolean);
  return (series) => {
    const parts = new Set(nameOfSeries(series).split(' '));
    return chosen.every((word) => parts.has(word));
  };
}

/** What a person would type for a series, whatever its endpoint. */
export function nameOfSeries(series: SeriesKey): string {
  return storedName(endpointById(series.endpoint) ?? { id: series.endpoint }, series);
}

/** The words name no held series. */
export function noneChosen(words: readonly string[]): MacroError {
  const what =
    words.length === 0 ? 'The mirror holds no series.' : `No series of the mirror is named '${words.join(' ')}'.`;
  return new MacroError('notFound', what, {
    code: 'not_held',
    hint: 'macro mirror status lists the series in the mirror.',
  });
}
