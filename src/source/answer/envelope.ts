import type { Endpoint } from '../../contract/endpoint.ts';
import type { Envelope } from '../../contract/hooks.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/params.ts';

/** Where a page stands in its window. */
export interface PagePosition {
  readonly returned: number;
  readonly total: number;
  /** Undefined where the mirror cannot tell. */
  readonly includesLatest: boolean | undefined;
  /** Where in the answer the page ends; behind its own rows when left out. */
  readonly reached?: number;
}

/** The seven-field pagination of docs/interface.md#pages; nothing where the endpoint is not paged by offset. */
export function paginationMember(endpoint: Endpoint, args: Args, place: PagePosition): Envelope {
  if (endpoint.paging.kind !== 'offset') return {};
  const limit = Number(args.limit);
  const offset = Number(args.offset);
  const reached = place.reached ?? offset + place.returned;
  const more = place.returned > 0 && reached < place.total;
  return {
    pagination: {
      limit,
      offset,
      returned_count: place.returned,
      total_count: place.total,
      has_more: more,
      ...(more && { next_offset: reached }),
      ...(endpoint.paging.marksLatest &&
        place.includesLatest !== undefined && { page_includes_latest_available: place.includesLatest }),
    },
  };
}

/** The arguments that the endpoint repeats beside its rows. */
export function echoOf(endpoint: Endpoint, args: Args): Envelope {
  return Object.fromEntries((endpoint.echo ?? []).map((name) => [name, args[name]]));
}

/**
 * True when a stored envelope still counts what the mirror would answer: an excerpt, or an answer from before the mirror
 * held more, does not, and then the counts are computed.
 */
export function describes(stored: JsonObject, place: PagePosition): boolean {
  const { pagination, data_quality: quality, count } = stored;
  const agrees = (stated: unknown, real: number) => typeof stated !== 'number' || stated === real;
  return (
    agrees(isJsonObject(pagination) ? pagination.total_count : undefined, place.total) &&
    agrees(isJsonObject(pagination) ? pagination.returned_count : undefined, place.returned) &&
    agrees(isJsonObject(quality) ? quality.row_count : undefined, place.total) &&
    agrees(count, place.returned)
  );
}

/** The envelope without some members. */
export function without(envelope: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(envelope).filter(([name]) => !names.includes(name)));
}
