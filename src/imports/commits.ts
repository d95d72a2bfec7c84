/** Commits of a checked file, made while it is read a second time: range by range, so that its size costs no memory. */
import { type JsonObject, objectIn, toJsonText } from '../contract/json/json.ts';
import { addDays, dateToMs } from '../contract/time/time.ts';
import type { ImportCommit, NewRow } from '../mirror/api/page-commit.ts';
import { FILE_ACCESS } from '../mirror/rules/coverage.ts';
import { type FileLine, type FileRow, type FileSeries, type ImportFormat, nameOfFileSeries } from './format.ts';
import { refuse } from './read/cells.ts';
import { coveredByFile, type FileCoverage, fileCoverageOf, fileRequest } from './request.ts';
import type { Survey, SurveyedSeries } from './survey.ts';

/** Rows of one commit: enough to be fast, few enough that the file's size does not matter to memory. */
const MAX_BATCH_ROWS = 500;

/** Characters of one commit. A row may list hundreds of vintages. */
const MAX_BATCH_LENGTH = 2_000_000;

/** Rows of all series together that wait for a commit. A file may list thousands of series for each date. */
const MAX_WAITING_ROWS = 40_000;

export interface CommitContext {
  /** Milliseconds. */
  readonly now: number;
  /** Is a series of the file stored already? */
  isHeld(series: FileSeries): boolean;
}

/** Rows of a series that are in no commit yet. */
interface OpenSeries {
  readonly series: SurveyedSeries;
  /** The part that the whole file covers. */
  readonly covers: FileCoverage;
  rows: WaitingRow[];
  added: number;
  /** First and last date of what no commit has yet. */
  from: string;
  to: string;
  isFirst: boolean;
}

interface WaitingRow {
  readonly date: string;
  /** Line of the file. */
  readonly number: number;
  readonly row: NewRow;
}

/**
 * Rows gather by series; a full batch replaces the stored rows between its ends, the last one to the file's end with
 * its coverage. A series in no order waits for its last row. Outside of the file's dates nothing changes.
 */
export function* commitsOf(survey: Survey, context: CommitContext): Generator<ImportCommit> {
  const open = openSeries(survey, context);
  let waiting = 0;
  for (const { date, number, rows } of survey.format.read(survey.file)) {
    for (const row of rows) {
      const name = nameOfFileSeries(row.series);
      const one = open.get(name);
      if (!one) continue;
      one.rows.push({ date, number, row: newRow(survey.format, { date, number }, row, context.now) });
      one.added += 1;
      const isMixed = one.series.order === 'mixed';
      if (!isMixed) waiting += 1;
      const size = one.rows.length;
      const length = size * row.row.text.length;
      const isLarge =
        size >= MAX_BATCH_ROWS ||
        length >= MAX_BATCH_LENGTH ||
        (waiting >= MAX_WAITING_ROWS && size > waiting / open.size);
      if (one.added < one.series.rows && (isMixed || !isLarge)) continue;
      if (!isMixed) waiting -= size;
      if (one.added === one.series.rows) {
        open.delete(name);
        yield* lastCommits(survey, one, context);
      } else yield nextCommit(survey, one, context);
    }
  }
  for (const one of open.values()) yield* lastCommits(survey, one, context);
}

/** A series that the file only names is none, unless earlier rows of it have to go. */
function openSeries(survey: Survey, context: CommitContext): Map<string, OpenSeries> {
  const open = new Map<string, OpenSeries>();
  for (const [name, one] of survey.series) {
    if (one.series.ownRange && one.rows === 0) continue;
    const range = one.series.ownRange ? { from: one.oldest, to: one.newest } : survey;
    const covers = fileCoverageOf({ ...range, format: survey.format }, one.series);
    if (!covers || (one.rows === 0 && !context.isHeld(one.series))) continue;
    const { from = range.from } = covers;
    open.set(name, { series: one, covers, rows: [], added: 0, from, to: range.to, isFirst: true });
  }
  return open;
}

function* lastCommits(survey: Survey, one: OpenSeries, context: CommitContext): Generator<ImportCommit> {
  if (one.series.order === 'mixed') {
    const sorted = inOrder(one.rows);
    for (; sorted.length > MAX_BATCH_ROWS; ) {
      one.rows = sorted.splice(0, MAX_BATCH_ROWS);
      yield nextCommit(survey, one, context);
    }
    one.rows = sorted;
  }
  yield commitOf(survey, { ...one, isLast: true }, context);
}

/** The rows so far, up to the last one of them. */
function nextCommit(survey: Survey, one: OpenSeries, context: CommitContext): ImportCommit {
  const end = one.rows.at(-1)?.date ?? one.to;
  const isDescending = one.series.order === 'descending';
  const commit = commitOf(survey, { ...one, ...(isDescending ? { from: end } : { to: end }), isLast: false }, context);
  if (isDescending) one.to = addDays(end, -1);
  else one.from = addDays(end, 1);
  one.rows = [];
  one.isFirst = false;
  return commit;
}

/** The row with the time at which its value became known, as far as the description may say so. */
function newRow(
  { publication }: ImportFormat,
  { date, number }: Pick<FileLine, 'date' | 'number'>,
  { row, knownFrom }: FileRow,
  now: number,
): NewRow {
  const known = publication.revised === 'never' ? publication.at(date) : knownFrom;
  if (known === undefined) return row;
  if (known * 1000 < dateToMs(date))
    throw refuse(`${date} is later than the file that it stands in.`, { line: number });
  // A file that came before the assumed time shows that its values were public by then.
  return { ...row, assumedRelease: Math.min(known, Math.floor(now / 1000)) };
}

function inOrder(rows: readonly WaitingRow[]): WaitingRow[] {
  const sorted = [...rows].sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  for (const [place, { date, number }] of sorted.entries())
    if (sorted[place - 1]?.date === date) throw refuse(`${date} stands in the file twice.`, { line: number });
  return sorted;
}

function commitOf(
  survey: Survey,
  range: OpenSeries & { readonly isLast: boolean },
  { now }: CommitContext,
): ImportCommit {
  const { format, file } = survey;
  const { covers } = range;
  const { series, rows } = range.series;
  const question = questionOfFile(format.id, series.scope);
  const members = toJsonText(membersOf(format, range.series));
  return {
    series: { origin: originOf(format), endpoint: series.endpoint, scope: series.scope },
    nature: 'real',
    access: FILE_ACCESS,
    request: fileRequest(survey, covers, range.isFirst ? members : undefined),
    question,
    // The digest makes another file another answer: a file that changes no row is noted as well.
    envelope: { text: members, inputs: inputsOfMembers(question, file.digest) },
    rows: range.rows.map(({ row }) => row),
    extent: 'replaces',
    ...(format.publication.revised === 'often' && { dated: true }),
    window: { from: range.from, to: range.to },
    ...(range.isLast && { covered: { ...coveredByFile(covers, survey.fetched), rows } }),
    at: now,
  };
}

/** Members of a file beside the rows, with a mark if a rule dates its values. */
function membersOf(
  { publication }: ImportFormat,
  { series: { envelope }, isUndated, knownFrom }: SurveyedSeries,
): JsonObject {
  const isByRule = publication.revised === 'never' || (isUndated && knownFrom !== undefined);
  if (!isByRule) return envelope;
  const { data_quality: quality } = envelope;
  return { ...envelope, data_quality: { ...objectIn(quality), has_assumed_release_times: true } };
}

export const questionOfFile = (format: string, scope: FileSeries['scope']): string =>
  `import ${format} ${Object.values(scope).join('/')}`;

export const inputsOfMembers = (question: string, digest: string): string => `${question} sha256:${digest}`;

export const originOf = ({ publisher }: Pick<ImportFormat, 'publisher'>): string => `import:${publisher}`;
