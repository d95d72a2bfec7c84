// What builds ask the program, so that the functions of every question are compiled before anybody starts it.

/** The question of the README's first line, a shorter one, and what a start does before any. */
export const QUESTIONS = [
  'fx eur usd --indicators all --offline --allow-partial',
  'fx eur usd --offline --allow-partial',
  'fx --help',
].map((line) => line.split(' '));

/** Whoever builds may have a mirror and a key: nothing of the environment, of a project file or of a kept setting is read. */
export function environmentOf(home, mirror) {
  const { PATH, SystemRoot } = process.env;
  return { PATH, ...(SystemRoot && { SystemRoot }), MACRO_HOME: home, MACRO_MIRROR: mirror };
}

/**
 * Numbers in the shape of the official file, enough of them for the longest window. The newest are of ten days ago: an answer
 * has rows, and says what it does not cover. They never leave the build.
 */
export function ratesWithoutMeaning() {
  const newest = Date.now() - 10 * DAY_MS;
  const days = Array.from({ length: 400 }, (_, day) => {
    const date = new Date(newest - day * DAY_MS);
    return `${date.toISOString().slice(0, 10)},${(1 + (day % 17) / 100).toFixed(4)},${(150 + (day % 23)).toFixed(2)},`;
  });
  return `${['Date,USD,JPY,', ...days].join('\n')}\n`;
}

const DAY_MS = 86_400_000;
