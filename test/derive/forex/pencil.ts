/**
 * Division as with pencil and paper: one digit after the other, then the rounding by looking at the written digits. It
 * shares nothing with the program's own division. Numbers are digits and the count of decimals among them, above zero.
 */
export function pencilDivide(
  [top, topDecimals]: readonly [bigint, number],
  [bottom, bottomDecimals]: readonly [bigint, number],
  decimals: number,
): bigint {
  const shared = Math.max(topDecimals, bottomDecimals);
  const a = BigInt(String(top) + '0'.repeat(shared - topDecimals));
  const b = BigInt(String(bottom) + '0'.repeat(shared - bottomDecimals));
  let rest = a % b;
  let digits = String(a / b);
  for (let i = 0; i < decimals; i += 1) {
    rest *= 10n;
    let digit = 0;
    while (rest >= b) {
      rest -= b;
      digit += 1;
    }
    digits += String(digit);
  }
  const next = (rest * 10n) / b;
  const somethingAfter = (rest * 10n) % b !== 0n;
  const last = Number(digits.at(-1));
  const up = next > 5n || (next === 5n && (somethingAfter || last % 2 === 1));
  return BigInt(digits) + (up ? 1n : 0n);
}

/** The digits of a published rate and how many of them are decimals. */
export function written(text: string): readonly [bigint, number] {
  const [whole = '', decimals = ''] = text.split('.');
  return [BigInt(whole + decimals), decimals.length];
}
