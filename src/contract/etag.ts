/**
 * True when an `If-None-Match` header names this validator. The header is a list or `*`; comparison is weak, so `W/"a"`
 * and `"a"` are one. See docs/interface.md#caching.
 */
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
