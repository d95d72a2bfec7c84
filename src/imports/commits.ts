/** Commits of a checked file, made while it is read a second time: range by range, so that its size costs no memory. */
import { type JsonObject, objectIn, toJsonText } from '../contract/json/json.ts';
import { addDays, dateToMs } from '../contract/time/time.ts';
import type { ImportCommit, NewRow } from '../mirror/api/page-commit.ts';
import { FILE_ACCESS } from '../mirror/rules/coverage.ts';
import { type FileLine, type FileRow, type FileSeries, type ImportFormat, nameOfFileSeries } from './format.ts';
import { refuse } from './read/cells.ts';
import { type FileCoverage, fileCoverageOf, fileRequest, proofOf } from './request.ts';
import type { Survey, SurveyedSeries } from './survey.ts';

/** Rows of one commit: enough to be fast, few enough that the file's size does not matter to memory. */
const MAX_BATCH_ROWS = 500;

/** Rows of all series together that wait for a commit. A file may list thousands of series for each date. */
const MAX_WAITING_ROWS = 40_000;

export interface CommitContext {
  /** Milliseconds. */
  readonly now: number;
  /** Is a series of the file stored already? */
  isHeld(series: FileSeries): boolean;
}

/**
 * Rows gather by series; a full batch replaces the stored rows between its ends, the last one to the file's end with
 * its proof. Outside of the file's dates nothing changes.
 */
export function* commitsOf(survey: Survey, context: CommitContext): Generator<ImportCommit> {
  const open = new Map<string, Batch>();
  // A series that the file only names is none, unless earlier rows of it have to go.
  for (const [name, one] of survey.series) {
    if (one.series.ownRange && one.rows === 0) continue;
    const range = one.series.ownRange ? { from: one.oldest, to: one.newest } : survey;
    const covers = fileCoverageOf({ ...range, format: survey.format }, one.series);
    if (covers && (one.rows > 0 || context.isHeld(one.series))) open.set(name, batchOf(range, one, covers));
  }
  let waiting = 0;
  for (const { date, number, rows } of survey.format.read(survey.file)) {
    for (const row of rows) {
      const name = nameOfFileSeries(row.series);
      const batch = open.get(name);
      if (!batch) continue;
      waiting += batch.add({ date, number, row: newRow(survey.format, { date, number }, row, context.now) });
      if (batch.isComplete()) {
        waiting -= batch.size();
        open.delete(name);
        for (const last of batch.finish()) yield commitOf(survey, last, context);
      } else if (
        batch.size() >= MAX_BATCH_ROWS ||
        (waiting >= MAX_WAITING_ROWS && batch.size() > waiting / open.size)
      ) {
        waiting -= batch.size();
        yield commitOf(survey, batch.cut(), context);
      }
    }
  }
  for (const batch of open.values()) for (const last of batch.finish()) yield commitOf(survey, last, context);
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

interface WaitingRow {
  readonly date: string;
  /** Line of the file. */
  readonly number: number;
  readonly row: NewRow;
}

/** Rows of a series between two dates of the file. */
interface Stretch {
  readonly series: SurveyedSeries;
  /** The part that the whole file covers. */
  readonly covers: FileCoverage;
  readonly rows: readonly NewRow[];
  readonly from: string;
  readonly to: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Rows of a series that are in no commit yet. */
interface Batch {
  /** How many more rows wait to be cut: none of a series in no order, which waits for its last row. */
  add(row: WaitingRow): 0 | 1;
  size(): number;
  /** Were all of its rows added? */
  isComplete(): boolean;
  cut(): Stretch;
  finish(): Iterable<Stretch>;
}

function batchOf(
  { from: first, to: last }: Pick<Survey, 'from' | 'to'>,
  series: SurveyedSeries,
  covers: FileCoverage,
): Batch {
  let [from, to] = [covers.from ?? first, last];
  let rows: WaitingRow[] = [];
  let added = 0;
  let isFirst = true;
  const isMixed = series.order === 'mixed';
  const isAscending = series.order !== 'descending';
  const take = (bounds: { readonly from: string; readonly to: string }, isLast: boolean): Stretch => {
    const stretch = { series, covers, rows: rows.map(({ row }) => row), ...bounds, isFirst, isLast };
    rows = [];
    isFirst = false;
    return stretch;
  };
  const cut = (): Stretch => {
    const end = rows.at(-1)?.date ?? last;
    const bounds = isAscending ? { from, to: end } : { from: end, to };
    if (isAscending) from = addDays(end, 1);
    else to = addDays(end, -1);
    return take(bounds, false);
  };
  return {
    add(row) {
      rows.push(row);
      added += 1;
      return isMixed ? 0 : 1;
    },
    size: () => (isMixed ? 0 : rows.length),
    isComplete: () => added === series.rows,
    cut,
    *finish() {
      if (isMixed) {
        const sorted = inOrder(rows);
        rows = [];
        for (const row of sorted) {
          if (rows.length === MAX_BATCH_ROWS) yield cut();
          rows.push(row);
        }
      }
      yield take({ from, to }, true);
    },
  };
}

function inOrder(rows: readonly WaitingRow[]): readonly WaitingRow[] {
  const sorted = [...rows].sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  for (const [place, { date, number }] of sorted.entries())
    if (sorted[place - 1]?.date === date) throw refuse(`${date} stands in the file twice.`, { line: number });
  return sorted;
}

function commitOf(survey: Survey, range: Stretch, { now }: CommitContext): ImportCommit {
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
    rows: range.rows,
    extent: 'replaces',
    ...(format.publication.revised === 'often' && { dated: true }),
    window: { from: range.from, to: range.to },
    ...(range.isLast && { proof: { ...proofOf(covers, survey.fetched), rows } }),
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
