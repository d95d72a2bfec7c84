/** How a commit says which file brought it, and what of a series the file covers. */
import { BEGINNING, dateToMs } from '../contract/time/time.ts';
import type { ImportFormat } from './format.ts';
import type { Survey } from './survey.ts';

/** What a file covers of a series, as its commits say it. */
export interface FileCoverage {
  /** First date; undefined for a file that begins where the history does. */
  readonly from: string | undefined;
  readonly to: string;
}

export interface FileRequest {
  readonly format: string;
  readonly file: string;
  /** SHA-256 as hexadecimal digits. */
  readonly digest: string;
  /** Undefined for a file that came before its commits said so. */
  readonly covers: FileCoverage | undefined;
  /** Members beside the rows, as JSON. The first commit of each series says them. */
  readonly members: string | undefined;
}

/** A path would tell about the machine, so the file's name stands alone. */
export function fileRequest(
  {
    format,
    file,
  }: { readonly format: Pick<ImportFormat, 'id'>; readonly file: Pick<Survey['file'], 'name' | 'digest'> },
  { from = '', to }: FileCoverage,
  members?: string,
): string {
  const suffix = members === undefined ? '' : ` members ${members}`;
  return `import ${format.id} ${file.name} sha256:${file.digest} covers ${from}..${to}${suffix}`;
}

const REQUEST = /^import (\S+) (.*?) sha256:([0-9a-f]{64})(?: covers (\S*?)\.\.(\S+))?(?: members (\{.*\}))?$/s;

/** A request for people, without the members beside the rows. */
export function requestForPeople(request: string): string {
  const members = readFileRequest(request)?.members;
  return members === undefined ? request : request.slice(0, -` members ${members}`.length);
}

/** Undefined for a request that brought no file. */
export function readFileRequest(request: string): FileRequest | undefined {
  const [, format, file, digest, from, to, members] = REQUEST.exec(request) ?? [];
  if (format === undefined || file === undefined || digest === undefined) return undefined;
  return { format, file, digest, covers: to === undefined ? undefined : { from: from || undefined, to }, members };
}

/**
 * What a file covers. One that begins where the publisher's history begins is whole: nothing came before it. Of any other
 * file both ends are closed.
 */
export function fileCoverageOf({ from, to }: Pick<Survey, 'from' | 'to'>, begins: string | undefined): FileCoverage {
  return { from: begins === undefined || from > begins ? from : undefined, to };
}

/** The proof of a coverage: a whole file tells what there was on the day of its last row. */
export function proofOf({ from, to }: FileCoverage) {
  return from === undefined ? { from: BEGINNING, to, provenAt: dateToMs(to) } : { from, to };
}
