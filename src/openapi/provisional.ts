import { SHARED_DECISIONS } from '../contract/decisions.ts';
import type { JsonObject } from '../contract/json/json.ts';

/**
 * The marks of a part of the document that this project decided, or some of it; see docs/interface.md#openapi-document.
 */
export function provisionalMarks(decided: string | undefined): JsonObject {
  return decided === undefined ? {} : { 'x-provisional': true, 'x-provisional-parts': decided };
}

/** Shared parts with their marks; names of the service's own headers begin with `prefix`. */
export function withMarks(parts: Readonly<Record<string, JsonObject>>, prefix = 'X-SVC'): JsonObject {
  const marked = Object.entries(parts).map(([name, part]) => {
    const known = name.startsWith(prefix) ? `X-SVC${name.slice(prefix.length)}` : name;
    return [name, { ...part, ...provisionalMarks(SHARED_DECISIONS[known]) }] as const;
  });
  return Object.fromEntries(marked);
}
