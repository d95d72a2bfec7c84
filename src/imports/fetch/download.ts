/** How a publisher offers the files of a format, as data: fetches, plans, help and docs/imports.md are made from it. */

export interface Download {
  /** Page of the publisher on which a person finds the file. */
  readonly page: string;
  /**
   * Address of the file. Words in braces are filled in; each value of `{id}` and `{year}` is a file of its own:
   * `{id}` (see `ids`), `{year}` (from `begins` on), `{from}` (first date that is asked for; `{from:DD/MMM/YYYY}` spells it so),
   * `{flow}` and `{key}` (the two parts of an id of the ECB), `{vintages}` (dates, with commas) and `{ids}` (the id as often). Left out where no lasting address is known.
   */
  readonly address?: string;
  /** The address of the file changes with each edition: `address` is a page, and its first link of this form is the file. */
  readonly link?: RegExp;
  /** Page that lists the vintages of `{id}` as `<option value="2026-01-09">`, and how many of them one file may have. */
  readonly vintages?: { readonly address: string; readonly max: number };
  /** The name of the file here, with the same words in braces. Importers that read a file's name see it. */
  readonly file: string;
  /** What `{id}` may be: typed after the format, or each of the defaults. No default: at least one is to be typed, as the example is. */
  readonly ids?: {
    readonly doc: string;
    readonly pattern: RegExp;
    readonly defaults: readonly string[];
    readonly example?: string;
  };
  /** First date that the publisher has: the first `{year}`, and the default of `{from}`. */
  readonly begins?: string;
  /** A small file with the last days. It is fetched where the mirror is no more than `days` behind. */
  readonly recent?: { readonly address: string; readonly file: string; readonly days: number };
  /** Hosts beside that of the address that may serve the file, by a redirect or a link. */
  readonly hosts?: readonly string[];
  /** The publisher refuses whoever names no contact: `macro config set publishers.ID.contact ADDRESS`. */
  readonly needsContact?: true;
  /** A larger answer is refused. */
  readonly maxBytes: number;
  readonly appears: Appearance;
  /** Where the terms stand that the format names in a sentence. */
  readonly termsPage: string;
  /** The day or year in which the address was last seen in use, and the evidence. Nobody asked it while this was built. */
  readonly seen: { readonly on: string; readonly by: string };
}

/** When a new state of the file can be there. */
export interface Appearance {
  /** Local time, `16:00`, and its zone. */
  readonly at: string;
  readonly zone: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekdays: readonly number[];
  /** First and last day of the month on which it may appear; any day when left out. */
  readonly daysOfMonth?: readonly [first: number, last: number];
  /** The publisher is silent when its newest date is older than this and the distance of its two newest dates together. */
  readonly silentAfterDays: number;
}

/** Where a file was fetched, and what its publisher said of it. Times are milliseconds. */
export interface FetchedFrom {
  readonly address: string;
  readonly at: number;
  readonly etag: string | undefined;
  readonly modified: number | undefined;
  readonly bytes: number;
  /** Last date that the file may ever have; undefined for one that goes on. */
  readonly until: string | undefined;
}

/** A file that may have a new state on each day from Monday to Friday. */
export function onWorkingDays(at: string, zone: string, silentAfterDays: number): Appearance {
  return { at, zone, weekdays: [1, 2, 3, 4, 5], silentAfterDays };
}

/** What stands for an id in a template: the whole, or the flow and the key of a series of the ECB. */
export function wordsOf(id: string) {
  const end = id.indexOf('.');
  return { id, flow: id.slice(0, end), key: id.slice(end + 1) };
}
