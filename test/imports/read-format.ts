import type { ImportFormat } from '../../src/imports/format.ts';
import { openFile } from '../../src/imports/read/open-file.ts';
import { type Survey, surveyFile } from '../../src/imports/survey.ts';

const NOW = Date.parse('2026-11-22T00:00:00Z');

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A file of some content, given in pieces of a few bytes so that every cut between two cells happens. */
export function fileOf(content: string | Uint8Array, name = 'rates.csv') {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  const size = bytes.length > 100_000 ? 65_536 : 7;
  return openFile({
    name,
    *pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
    },
  });
}

/** A file that was checked as an import checks it. */
export function surveyOf(
  format: ImportFormat,
  content: string | Uint8Array,
  { now = NOW, name = 'rates.csv' } = {},
): Survey {
  return surveyFile(format, fileOf(content, name), now);
}

/** Texts of the rows of each series, in the order of the file, by the words of its scope. */
export function textsOf(format: ImportFormat, content: string | Uint8Array, now = NOW): Record<string, string[]> {
  const survey = surveyOf(format, content, { now });
  const found: Record<string, string[]> = {};
  const listOf = (scope: Readonly<Record<string, string>>) => {
    const name = Object.values(scope).join('/');
    found[name] ??= [];
    return found[name];
  };
  for (const line of format.read(survey.file)) {
    for (const { scope } of line.names ?? []) listOf(scope);
    for (const { series, row } of line.rows) listOf(series.scope).push(row.text);
  }
  return found;
}

/** The message with which a file is refused. */
export function refusalOf(format: ImportFormat, content: string | Uint8Array, name = 'rates.csv'): string {
  try {
    surveyOf(format, content, { name });
  } catch (error) {
    if (error instanceof Error && 'kind' in error && error.kind === 'usage') return error.message;
    throw error;
  }
  throw new Error('the file was accepted');
}
