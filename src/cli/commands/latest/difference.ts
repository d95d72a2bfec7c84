/** Differences of published numbers, with the digits that they were published with. */

const LONGEST = 15;

/** `0.1` for `3.2` and `3.1`, which binary arithmetic makes `0.10000000000000009`. */
export function differenceText(value: string, before: string): string {
  const digits = Math.min(LONGEST, Math.max(digitsOf(value), digitsOf(before)));
  const text = (Number(value) - Number(before)).toFixed(digits);
  // A minus before nothing but zeros says a fall where there is none.
  return Number(text) === 0 ? text.replace('-', '') : text;
}

function digitsOf(spelled: string): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(spelled) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
