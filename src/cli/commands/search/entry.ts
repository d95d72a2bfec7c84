/** Something that a search can find. */
export interface SearchEntry {
  readonly kind: 'indicator' | 'commodity' | 'currency' | 'command' | 'value';
  /** What is typed for it. */
  readonly word: string;
  readonly name: string | null;
  /** Other names. */
  readonly aliases: readonly string[];
  /** Currencies whose catalogue lists it; codes. */
  readonly currencies: readonly string[];
  /** Further words that lead to it, but less. */
  readonly about: string;
  /** What follows `macro`. `currency` is one that the search named. */
  readonly command: (currency: string | undefined) => string;
}
