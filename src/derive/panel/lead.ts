import { dateToMs } from '../../contract/time/time.ts';
import type { PanelPeriod } from './timeline.ts';

const DAY = 86_400_000;
const NANO_PER_MS = 1_000_000n;

/**
 * How many days before its date a period of a series was known, at most; 0 where none was known before. A survey of a month
 * is published before the month ends, a count of its jobs never is: so the series itself tells which dates ahead of a
 * decision could have been known at it.
 */
export function leadOf(periods: readonly PanelPeriod[]): number {
  let lead = 0;
  for (const { date, said } of periods) {
    const ms = dateToMs(date);
    for (const { known } of said) {
      const at = known.public ?? known.captured;
      if (at !== undefined) lead = Math.max(lead, Math.ceil((ms - Number(at / NANO_PER_MS)) / DAY));
    }
  }
  return lead;
}
