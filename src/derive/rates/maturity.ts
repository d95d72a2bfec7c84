/** A point of a curve. */
export interface Maturity {
  /** `10Y`, `3M`. */
  readonly label: string;
  readonly years: number;
}

const SLUG = /^gov_bond_(\d+(?:_\d+)?)([my])$/;
const LABEL = /^(\d+(?:\.\d+)?)([MY])$/i;

/** The maturity that an indicator is the yield of; undefined for any other indicator. `gov_bond_1_5m` is `1.5M`. */
export function maturityOfSlug(slug: string): Maturity | undefined {
  const [, size, unit] = SLUG.exec(slug) ?? [];
  return size === undefined || unit === undefined ? undefined : maturity(Number(size.replace('_', '.')), unit);
}

/** The maturity that a label names. */
export function maturityOfLabel(label: string): Maturity | undefined {
  const [, size, unit] = LABEL.exec(label) ?? [];
  return size === undefined || unit === undefined ? undefined : maturity(Number(size), unit);
}

/** The maturity of a tenor in years: whole months below a year, years from there on. */
export function maturityOfYears(years: number): Maturity {
  const months = Math.round(years * 120) / 10;
  return years < 1 && Math.abs(months - years * 12) < 0.01 ? maturity(months, 'M') : maturity(years, 'Y');
}

function maturity(size: number, unit: string): Maturity {
  const word = unit.toUpperCase();
  return { label: `${size}${word}`, years: word === 'M' ? size / 12 : size };
}

/** The indicator of a maturity. */
export function slugOfMaturity({ label }: Maturity): string {
  return `gov_bond_${label.toLowerCase().replace('.', '_')}`;
}

export const byYears = (a: Maturity, b: Maturity): number => a.years - b.years;
