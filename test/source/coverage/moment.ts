/** The moment of all questions, a Saturday, in milliseconds. */
export const NOW = Date.parse('2026-11-21T05:46:13Z');

/** The same in Unix seconds. */
export const SECOND = 1_795_239_973;

export const DAY_MS = 86_400_000;
