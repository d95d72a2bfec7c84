import { nearest } from './nearest.ts';
import { COMMODITIES } from './words.ts';

/** Everyday words of one meaning for a statistic or a commodity; a word of several meanings is none of them. */
const SLUG_WORDS: Readonly<Record<string, string>> = {
  '2y': 'gov_bond_2y',
  '5y': 'gov_bond_5y',
  '10y': 'gov_bond_10y',
  '30y': 'gov_bond_30y',
  brent: 'oil_brent',
  claims: 'initial_jobless_claims',
  core_cpi: 'core_inflation',
  cpi: 'inflation',
  hicp: 'inflation',
  interest_rate: 'policy_rate',
  jobless_claims: 'initial_jobless_claims',
  jobless_rate: 'unemployment',
  jolts: 'job_openings',
  natgas: 'natural_gas',
  nfp: 'non_farm_payrolls',
  nonfarm: 'non_farm_payrolls',
  payrolls: 'non_farm_payrolls',
  unemployment_rate: 'unemployment',
  wti: 'oil_wti',
  xag: 'silver',
  xau: 'gold',
  xpt: 'platinum',
};

const CENTRAL_BANKS: Readonly<Record<string, string>> = {
  ...{ boc: 'CAD', boe: 'GBP', boj: 'JPY', ecb: 'EUR', fed: 'USD', fomc: 'USD' },
  ...{ norges_bank: 'NOK', pboc: 'CNY', rba: 'AUD', rbnz: 'NZD', riksbank: 'SEK', snb: 'CHF' },
};

const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  ...{ aussie: 'AUD', baht: 'THB', cable: 'GBP', dollar: 'USD', euro: 'EUR', eurozone: 'EUR', franc: 'CHF' },
  ...{ gold: 'XAU', greenback: 'USD', kiwi: 'NZD', loonie: 'CAD', naira: 'NGN', pound: 'GBP', renminbi: 'CNY' },
  ...{ rmb: 'CNY', shekel: 'ILS', sterling: 'GBP', swissie: 'CHF', uk: 'GBP', us: 'USD', yen: 'JPY', yuan: 'CNY' },
  // Countries with a currency of their own; that of others is of many, and so are its statistics.
  ...{ america: 'USD', australia: 'AUD', brazil: 'BRL', britain: 'GBP', canada: 'CAD', china: 'CNY', denmark: 'DKK' },
  ...{ israel: 'ILS', japan: 'JPY', nigeria: 'NGN', norway: 'NOK', peru: 'PEN', sweden: 'SEK', switzerland: 'CHF' },
  ...{ thailand: 'THB', usa: 'USD' },
  ...CENTRAL_BANKS,
};

/** Where a word stands: what it may be, and whose statistic it would be. */
interface WordPlace {
  readonly noun: 'currency' | 'indicator';
  /** Legal words. */
  readonly set: readonly string[];
  /** Code of the currency beside it. */
  readonly currency: unknown;
}

/** The slug or code of an everyday word; undefined for others. A central bank means its own policy rate. */
export function meaningOf(text: string, { noun, set, currency }: WordPlace): string | undefined {
  const word = normalForm(text);
  if (set.includes(word) || set.includes(word.toUpperCase())) return undefined;
  const bank = CENTRAL_BANKS[word];
  const meant =
    noun === 'currency'
      ? CURRENCY_WORDS[word]
      : bank === undefined
        ? SLUG_WORDS[word]
        : bank === currency
          ? 'policy_rate'
          : undefined;
  return meant !== undefined && set.includes(meant) ? meant : undefined;
}

/** The slug that a typed word was most likely meant for, by meaning, else by spelling; never a different statistic. */
export function nearestSlug(typed: string, slugs: readonly string[], currency?: unknown): string | undefined {
  const meant = meaningOf(typed, { noun: 'indicator', set: slugs, currency });
  const word = normalForm(typed);
  if (meant !== undefined || COMMODITIES.includes(word) || SLUG_WORDS[word] !== undefined) return meant;
  return nearest(
    word,
    slugs.filter((slug) => !isOther(word, slug)),
  );
}

/** Letters of a short name are the name (`ppi` is not `cpi`), and so are digits (`gov_bond_2y` is not `gov_bond_6y`). */
function isOther(typed: string, slug: string): boolean {
  const digits = typed.replace(/\D/g, '');
  if (digits !== '' && digits !== slug.replace(/\D/g, '')) return true;
  return slug.length <= MAX_ACRONYM && lettersOf(slug) !== lettersOf(typed);
}

const MAX_ACRONYM = 3;

function lettersOf(word: string): string {
  return [...word].sort().join('');
}

function normalForm(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}
