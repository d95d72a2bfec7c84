// Validators that stay when the rows change.
import { etagMatches } from '../../contract/headers.ts';
import { type CapturedAnswer, headerIn, withHeader } from './captured-answer.ts';

/** Validators that never change again, by caller and address. */
export interface StaleEtags {
  /** The 304 for a caller who holds the old validator; undefined when the question must be asked. */
  unchanged(name: string, from: { id: string; ifNoneMatch: string | undefined }): CapturedAnswer | undefined;
  /** The answer under the first validator that this address had. */
  keep(name: string, answer: CapturedAnswer): CapturedAnswer;
}

/** Addresses that are remembered; later ones keep their own validators. */
const MAX_ETAGS = 10_000;

/** An address keeps the validator of its first answer, whatever its rows do: a cache that trusts it shows old rows. */
export function createStaleEtags(): StaleEtags {
  const first = new Map<string, string>();
  return {
    unchanged(name, { id, ifNoneMatch }) {
      const etag = first.get(name);
      if (etag === undefined || !etagMatches(ifNoneMatch, etag)) return undefined;
      return { status: 304, headers: ['X-Request-ID', id, 'ETag', etag], body: Buffer.alloc(0) };
    },
    keep(name, answer) {
      const etag = headerIn(answer.headers, 'etag');
      if (etag === undefined) return answer;
      const known = first.get(name);
      if (known === undefined && first.size < MAX_ETAGS) first.set(name, etag);
      return known === undefined ? answer : { ...answer, headers: withHeader(answer.headers, 'ETag', known) };
    },
  };
}
