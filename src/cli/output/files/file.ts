import { pictureOf } from '../chart/picture.ts';
import { type FileFormat, isPicture } from '../format.ts';
import type { Listing } from '../listing.ts';
import type { Shape } from '../shape.ts';
import { listingFile } from './listing-file.ts';

export interface FileFormatOptions extends Shape {
  readonly format: FileFormat;
  /** Milliseconds. */
  readonly now: number;
}

/** A listing as the contents of a file that is no list of lines: a picture, or a table with typed cells. */
export async function fileOf(
  listing: Listing,
  { format, ...options }: FileFormatOptions,
): Promise<string | Uint8Array> {
  return isPicture(format) ? pictureOf(listing, options, format) : listingFile(listing, { ...options, format });
}
