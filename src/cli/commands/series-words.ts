import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import type { WordSpec } from './command.ts';

/** Currencies as people type them. */
export const CURRENCY_WORDS: readonly string[] = MAIN_CURRENCIES.map((code) => code.toLowerCase());

/** A currency as a word of a command. */
export function currencyWord(doc: string): WordSpec {
  return { name: 'currency', doc, words: CURRENCY_WORDS };
}

/** An indicator behind a currency. */
export function indicatorWord(doc: string): WordSpec {
  return { name: 'indicator', doc, words: INDICATORS, from: 'indicators' };
}
