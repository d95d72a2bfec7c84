// What a server tells of a request that is over.

/** A request that is over. */
export interface LoggedRequest {
  /** When it began, in milliseconds of the server's clock. */
  readonly at: number;
  readonly method: string;
  /** With the query, but never with a key. */
  readonly path: string;
  /** Label of a key in the keys file, else `key:` and the beginning of its digest; `keyless`, `owner` or `unknown`. */
  readonly caller: string;
  readonly address: string;
  /** Undefined where the connection ended before an answer. */
  readonly status: number | undefined;
  /** Rows of the answer, where it has rows. */
  readonly rows: number | undefined;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  /** Milliseconds until the last byte, or until the connection ended. */
  readonly ms: number;
  /** Where the answer came from. */
  readonly from: 'mirror' | 'upstream' | 'cache' | undefined;
  /** Faults that spoiled the answer. */
  readonly fault: string | undefined;
  readonly id: string | undefined;
}
