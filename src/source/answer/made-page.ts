export interface PagePlace {
  readonly limit: number;
  readonly offset: number;
}

/** A body as it is kept: what stays the same as the bytes that are sent. Nobody may change them. */
export type BodyPieces = readonly (string | Uint8Array)[];

/** A page that was made without reading. */
export interface MadePage {
  readonly etag: string;
  readonly parts: BodyPieces;
}

/**
 * Makes other pages of a question that was answered, while the mirror is the same: the rows and the place of a page are
 * spliced between members that all pages share.
 */
export interface PageMaker {
  /** Undefined for a page that has to be answered anew. */
  make(place: PagePlace): MadePage | undefined;
  /** Unix second from which on the pages are others. */
  readonly until: number;
  /** Rows of all pages. */
  readonly total: number;
  /** Those of them whose texts it may keep. */
  readonly reach: number;
}
