/** Moments of a day at which a run begins, in local time. */
export interface Every {
  readonly word: string;
  readonly minutes: readonly number[];
  /** Undefined for every hour. */
  readonly hours: readonly number[] | undefined;
}

/** Steps that divide an hour or a day: the only ones that every scheduler can keep evenly. */
export const EVERY_WORDS = ['5m', '10m', '15m', '30m', '1h', '2h', '3h', '4h', '6h', '8h', '12h', '1d'] as const;

/** Runs of whole hours begin here: at the full hour everybody asks. */
const MINUTE = 7;

/** The moments of a step; undefined for one that is none of the words. */
export function everyOf(text: string): Every | undefined {
  const word = EVERY_WORDS.find((known) => known === text.trim().toLowerCase());
  if (!word) return undefined;
  const count = Number.parseInt(word, 10);
  if (word.endsWith('m')) return { word, minutes: steps(count, 60), hours: undefined };
  const hours = word === '1d' ? [6] : steps(count, 24);
  return { word, minutes: [MINUTE], hours: hours.length === 24 ? undefined : hours };
}

function steps(step: number, end: number): readonly number[] {
  return Array.from({ length: end / step }, (_, i) => i * step);
}

/** The grain of calendars that know no seconds. */
export const MINUTE_MS = 60_000;

/** When the next run begins, in milliseconds; by the clock on the wall, as schedulers go. */
export function nextRun({ minutes, hours }: Every, now: number): number {
  let at = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  for (;;) {
    at += MINUTE_MS;
    const wall = new Date(at);
    if (minutes.includes(wall.getMinutes()) && (hours?.includes(wall.getHours()) ?? true)) return at;
  }
}
