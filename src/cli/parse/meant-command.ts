import { meaningOf } from '../../contract/words/everyday.ts';
import { COMMODITIES, INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';

const COMMAND_WORDS: Readonly<Record<string, string>> = {
  chart: 'fx eur usd --chart',
  check: 'doctor',
  config: 'config explain',
  configure: 'init',
  dashboard: 'status',
  diagnose: 'doctor',
  docs: 'manual',
  download: 'sync',
  events: 'calendar',
  fetch: 'sync',
  find: 'search',
  forecasts: 'predictions',
  list: 'track list',
  login: 'auth login',
  logout: 'auth logout',
  man: 'manual',
  plot: 'fx eur usd --chart',
  pull: 'sync',
  rates: 'fx',
  server: 'serve',
  setup: 'init',
  start: 'init',
  update: 'sync',
  usage: 'help',
  version: '--version',
};

const isCurrency = (word: string) => MAIN_CURRENCIES.includes(word.toUpperCase());

/** The words after `macro` that the user may have meant; undefined when they cannot be guessed. */
export function meantCommand([first = '', second = '']: readonly string[]): string | undefined {
  const word = first.toLowerCase();
  const own = COMMAND_WORDS[word];
  if (own !== undefined) return own;
  if (/^[a-z]{3}[/-]?[a-z]{3}$/.test(word) && [word.slice(0, 3), word.slice(-3)].every(isCurrency)) return `fx ${word}`;
  const currency = isCurrency(second) ? second.toUpperCase() : 'USD';
  const commodity = slugIn(word, COMMODITIES, currency);
  const indicator = slugIn(word, INDICATORS, currency);
  if (indicator !== undefined) return `announcements ${currency.toLowerCase()} ${indicator}`;
  if (commodity !== undefined) return `commodities ${commodity}`;
  const code = isCurrency(word) ? word : currencyOf(word);
  if (code === undefined) return undefined;
  const other = isCurrency(second) ? second.toLowerCase() : currencyOf(second);
  if (other !== undefined && other !== code) return `fx ${code} ${other}`;
  const beside = second === '' ? undefined : slugIn(second.toLowerCase(), INDICATORS, code.toUpperCase());
  return beside === undefined ? `announcements latest ${code}` : `announcements ${code} ${beside}`;
}

function currencyOf(word: string): string | undefined {
  return meaningOf(word.toLowerCase(), { noun: 'currency', set: MAIN_CURRENCIES, currency: undefined })?.toLowerCase();
}

function slugIn(word: string, set: readonly string[], currency: string): string | undefined {
  return set.includes(word) ? word : meaningOf(word, { noun: 'indicator', set, currency });
}
