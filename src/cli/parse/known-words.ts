import { nearestSlug } from '../../contract/words/everyday.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import type { App } from '../app/app.ts';
import type { EventFilter } from './event-filter.ts';

const KNOWN = { currencies: MAIN_CURRENCIES.map((code) => code.toLowerCase()), indicators: INDICATORS } as const;

/**
 * Notes the words of a filter that no table has: a typo would wait for events that never come. The tables age, so that the
 * service decides.
 */
export async function noteUnknownWords(app: Pick<App, 'note'>, filter: Partial<EventFilter>): Promise<void> {
  for (const option of ['currencies', 'indicators'] as const) {
    const known = KNOWN[option];
    for (const word of filter[option] ?? []) {
      if (known.includes(word)) continue;
      const close = option === 'indicators' ? nearestSlug(word, known) : nearest(word, known);
      await app.note(
        `${word} is not in the table of ${option}.${close ? ` Did you mean ${close}?` : ''}`,
        'unknown_word',
      );
    }
  }
}
