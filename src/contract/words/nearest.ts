/** The word nearest to a typed one: a typo, else its beginning (`rsi` of `rsi_14`); undefined when there is none. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  // MA without more is the simple moving average.
  const lower = typed.toLowerCase().replace(/^ma_?(\d+)$/, 'sma_$1');
  if (lower === '') return undefined;
  const allowed = lower.length <= 3 ? 1 : lower.length <= 6 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const word of words) {
    const distance = editDistance(lower, word.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best ?? (lower.length < 3 ? undefined : words.find((word) => word.toLowerCase().startsWith(lower)));
}

/** The hint about a word outside of a list: the nearest word if there is one, before `legal`. */
export function hintFor(typed: string, words: readonly string[], legal: string): string {
  return withGuessed(nearest(typed, words), legal);
}

/** A hint that begins with a guess, where there is one. */
export function withGuessed(guess: string | undefined, legal: string): string {
  return guess === undefined ? legal : `Did you mean ${guess}? ${legal}`;
}

/** Optimal string alignment distance: a swap of neighbours is one edit. Gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? limit;
}
