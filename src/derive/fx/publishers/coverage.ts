import { isoSeconds } from '../../../contract/time/time.ts';
import { compareTexts } from './observations.ts';
import type { Rate } from './rates.ts';
import { sourceOfRate } from './rows.ts';

/** A time of day counts as usual when so large a part of a source's rows has it: both halves of a year with its clock. */
const USUAL_SHARE = 0.1;

/** Who contributes to a window: each source with its rows, their dates and the times at which it usually fixes. */
export function sourcesOf(rates: readonly Rate[]) {
  const bySource = new Map<string, Rate[]>();
  for (const rate of rates) {
    const known = bySource.get(rate.sourceId);
    if (known) known.push(rate);
    else bySource.set(rate.sourceId, [rate]);
  }
  return [...bySource].sort(([a], [b]) => compareTexts(a, b)).map(([source, own]) => describe(source, own));
}

function describe(source: string, rates: readonly Rate[]) {
  let [from, to] = [rates[0]?.date ?? '', rates[0]?.date ?? ''];
  const times = new Map<number, number>();
  for (const { date, at } of rates) {
    if (date < from) from = date;
    if (date > to) to = date;
    const minute = Math.floor(at / 60) % 1440;
    times.set(minute, (times.get(minute) ?? 0) + 1);
  }
  const usual = [...times]
    .filter(([, count]) => count >= rates.length * USUAL_SHARE)
    .map(([minute]) => minute)
    .sort((a, b) => a - b);
  const name = rates[0] && sourceOfRate(rates[0]).name;
  return {
    source,
    ...(typeof name === 'string' && { name }),
    row_count: rates.length,
    start_date: from,
    end_date: to,
    usual_fix_times_utc: usual.map((minute) => isoSeconds(minute * 60).slice(11, 16)),
  };
}
