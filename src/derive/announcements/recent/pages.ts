import type { Envelope, FurtherPages } from '../../../contract/hooks.ts';
import type { JsonText } from '../../../contract/json/json.ts';
import { createPageRows } from '../../page-rows.ts';
import type { Band } from './bands.ts';
import type { Place } from './release-order.ts';

interface PagesOptions {
  readonly total: number;
  /** Releases whose rows are loaded. */
  readonly band: Band;
  readonly textOf: (place: Place, onHole: () => void) => JsonText;
  readonly envelopeOf: (count: number) => Envelope;
}

/** Any page of some releases. One with a row that would be compared across a hole is answered anew: it tells what it lacks. */
export function recentPages(places: readonly Place[], { total, band, textOf, envelopeOf }: PagesOptions): FurtherPages {
  const holed = new Set<number>();
  const envelopes = new Map<number, Envelope>();
  const rows = createPageRows({
    total: band.to,
    textOf: (at) => {
      const place = places[at];
      return place ? textOf(place, () => holed.add(at)) : '';
    },
  });
  return {
    total,
    reach: band.to - band.from,
    page(offset, limit) {
      const end = Math.min(offset + limit, total);
      if (offset < band.from || end > band.to) return undefined;
      rows.between(offset, end);
      for (let at = offset; at < end; at += 1) if (holed.has(at)) return undefined;
      const envelope = envelopes.get(end - offset) ?? envelopeOf(end - offset);
      envelopes.set(end - offset, envelope);
      return { envelope, includesLatest: offset === 0, rows };
    },
  };
}
