import type { JsonObject } from '../contract/json/json.ts';
import type { NewRow } from '../mirror/api/mirror.ts';

/** A bulk file of an official publisher, as something that the mirror can take in. */
export interface Importer {
  /** Word after `macro import`. */
  readonly id: string;
  /** Short name of the publisher: its series have the origin `import:<publisher>`. */
  readonly publisher: string;
  readonly doc: string;
  /** First date of the publisher's history: a file that begins there is whole, and nothing came before it. */
  readonly begins: string;
  /** How it knows when a row was published, as a sentence without its first capital. */
  readonly rule: string;
  /** Reads and checks the whole file before it gives the first series, so that a bad file leaves nothing behind. */
  read(bytes: Uint8Array): Iterable<ImportedSeries>;
}

/** One series of a file. */
export interface ImportedSeries {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  /** Members beside the rows, in the words of the endpoint's answers. */
  readonly envelope: JsonObject;
  /** The stretch of dates that the file speaks about: inside of it, what is not listed does not exist. */
  readonly window: { readonly from: string; readonly to: string };
  /** Rows in the order of the endpoint's answers, with the publication time that the publisher's rule gives them. */
  readonly rows: Iterable<NewRow>;
}
