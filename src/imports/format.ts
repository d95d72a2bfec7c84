/** The description of a publisher's files: each importer is one such description, in its own file in `formats/`. */
import type { JsonObject } from '../contract/json/json.ts';
import type { NewRow } from '../mirror/api/page-commit.ts';
import type { Download } from './fetch/download.ts';
import type { Period } from './generic/release-rule.ts';
import type { CsvRecord, CsvShape } from './read/csv.ts';
import type { XmlEvent } from './read/xml.ts';

export interface ImportFormat {
  /** Word after `macro import`. */
  readonly id: string;
  /** Short name of the publisher: its series have the origin `import:<publisher>`. */
  readonly publisher: string;
  /** The kind and name of the file, for help. */
  readonly doc: string;
  /** The terms of the publisher for those who pass its numbers on. */
  readonly terms: string;
  readonly publication: Publication;
  /** How the publisher offers its files; left out of a table that a person describes. */
  readonly download?: Download;
  /** First date of the publisher's history: a file that begins there is whole. Left out when no file is. */
  readonly begins?: string;
  /** A last line without an end is whole. Else it may have been cut off inside of its last number. */
  readonly mayEndOpen?: true;
  /** The fact that a person may state about a file of this format. */
  readonly takes?: keyof TellableFacts;
  /** Looks at the beginning of a file (`head`): is it one of these? */
  recognises(file: ImportedFile): boolean;
  /**
   * Reads the file and refuses what it does not know, with the line. It is called twice: once to check the whole file,
   * once to write it. So it keeps nothing, and reads on only when it is asked for the next line.
   */
  read(file: ImportedFile): Iterable<FileLine>;
}

/** How it is known when a value became public. */
export type Publication =
  | {
      /** The publisher does not change these values later, so a scheduled time of publication may be assumed. */
      readonly revised: 'never';
      /** The rule in words, without a first capital. */
      readonly rule: string;
      /** Unix seconds, never before the publisher can have published; undefined when nobody knows. */
      at(date: string): number | undefined;
    }
  | {
      /** The publisher changes values later. A value is known from its vintage, the date of its file, or the import. */
      readonly revised: 'often';
      readonly rule: string;
    };

/** Facts that a person states about a file, where neither the file nor its name does. */
export interface TellableFacts {
  /** Currency of the series that no table of the program has. */
  readonly as?: string;
  /** Month of which it shows the state, `2026-03`. */
  readonly vintage?: string;
}

/** A file as a description sees it. */
export interface ImportedFile {
  readonly facts: TellableFacts;
  /** Without its folder. */
  readonly name: string;
  /** The first characters; empty for a workbook. */
  readonly head: string;
  readonly isWorkbook: boolean;
  /** Cells of a text file, record by record. */
  records(shape: CsvShape): Iterable<CsvRecord>;
  /** Elements of an XML file. */
  elements(): Iterable<XmlEvent>;
  /** All bytes, for workbooks. */
  bytes(): Uint8Array;
}

/** The value of one line of a file for one date. */
export interface FileLine {
  /** Counted from 1, as editors do. */
  readonly number: number;
  readonly date: string;
  /** None for a date that the file lists without a value. */
  readonly rows: readonly FileRow[];
  /** Columns that are left out, because nobody knows their period. It is enough to say it once. */
  readonly leftOut?: readonly string[];
  /** Series that the file has, even those without any value. It is enough to say it once. */
  readonly names?: readonly FileSeries[];
}

export interface FileRow {
  readonly series: FileSeries;
  readonly row: Pick<NewRow, 'text' | 'value'>;
  /** Unix seconds of the file's own date, of a series that is revised and has no vintages. */
  readonly knownFrom?: number | undefined;
}

/** A series of the mirror that a file has values of. */
export interface FileSeries {
  readonly endpoint: string;
  readonly scope: Readonly<Record<string, string>>;
  /** Members beside the rows, in the words of the endpoint's answers. */
  readonly envelope: JsonObject;
  /** First date of its history, where it is not that of the format. */
  readonly begins?: string;
  /** For values that stand for a whole period under its last day: no other day of the period has one. */
  readonly period?: Exclude<Period, 'day'>;
  /** The file tells of its dates alone, and not of those of other series in it. */
  readonly ownRange?: true;
  /** For daily values: none is of a weekend or of New Year's Day. */
  readonly ofBusinessDays?: true;
  /** For weekly reports of a Tuesday, or of Monday before a holiday: no other day of the week behind the last Tuesday has one. */
  readonly ofTuesdays?: true;
  /** For computed values: how many months back the other value of each is. */
  readonly monthsBack?: number;
}

/** Names that were made: a file says the same series again and again. */
const names = new WeakMap<object, string>();

/** Names a series among those of one file. */
export function nameOfFileSeries(series: Pick<FileSeries, 'endpoint' | 'scope'>): string {
  const known = names.get(series);
  if (known !== undefined) return known;
  const scope = Object.entries(series.scope).sort(([a], [b]) => (a < b ? -1 : 1));
  const name = `${series.endpoint} ${scope.map(([member, value]) => `${member}=${value}`).join(' ')}`;
  names.set(series, name);
  return name;
}
