import type { Envelope, FurtherPages, LoadedSeries } from '../../../contract/hooks.ts';
import type { JsonText } from '../../../contract/json/json.ts';
import { createPageRows } from '../../page-rows.ts';
import type { Band } from './bands.ts';
import type { Place } from './release-order.ts';

/** Bytes of a row that is read and kept besides its text. */
const ROW_BYTES = 400;

/** Bytes of the rows of histories that pages hold on to. */
export function bytesOfHistories(histories: ReadonlyMap<string, LoadedSeries>): number {
  let bytes = 0;
  for (const { rows } of histories.values()) for (const { text } of rows) bytes += text.length + ROW_BYTES;
  return bytes;
}

interface PagesOptions {
  readonly total: number;
  /** Releases whose rows are loaded. */
  readonly band: Band;
  readonly heldBytes: number;
  readonly textOf: (place: Place, onHole: () => void) => JsonText;
  readonly envelopeOf: (count: number) => Envelope;
}

/** Any page of some releases. One with a row that would be compared across a hole is answered anew: it tells what it lacks. */
export function recentPages(
  places: readonly Place[],
  { total, band, heldBytes, textOf, envelopeOf }: PagesOptions,
): FurtherPages {
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
    heldBytes,
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
