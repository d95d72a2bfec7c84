/** True when an `If-None-Match` list or `*` names this validator; comparison is weak. See docs/interface-access.md#caching. */
export function etagMatches(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  const expected = opaque(etag);
  for (const [tag] of header.matchAll(/(?:W\/)?"[^"]*"/g)) if (opaque(tag) === expected) return true;
  return false;
}

/** The quoted part of a validator. */
function opaque(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}

/** Seconds that an answer asks to wait, from `Retry-After` (seconds or a date); undefined when it does not say. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const raw = headers.get('retry-after')?.trim();
  if (!raw) return undefined;
  if (/^\d{1,9}$/.test(raw)) return Number(raw);
  const then = Date.parse(raw);
  if (Number.isNaN(then) || /^[-+\d.]+$/.test(raw)) return undefined;
  // The answer's own clock says more about its dates than ours.
  const sent = Date.parse(headers.get('date') ?? '');
  return Math.max(0, Math.ceil((then - (Number.isNaN(sent) ? now : sent)) / 1000));
}
