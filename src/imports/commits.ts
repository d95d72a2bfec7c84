/** Commits of a checked file, made while it is read a second time: stretch by stretch, so that its size costs no memory. */
import { toJsonText } from '../contract/json/json.ts';
import { addDays, dateToMs } from '../contract/time/time.ts';
import type { NewRow, PageCommit } from '../mirror/api/mirror.ts';
import { FILE_ACCESS } from '../mirror/ledger/certain.ts';
import { type FileLine, type FileRow, type FileSeries, type ImportFormat, nameOfFileSeries } from './format.ts';
import { refuse } from './refuse.ts';
import { fileCoverageOf, fileRequest, proofOf } from './request.ts';
import type { Survey, SurveyedSeries } from './survey.ts';

/** Rows of one commit: enough to be fast, few enough that the file's size does not matter to memory. */
const STRETCH = 500;

export interface CommitContext {
  /** Milliseconds. */
  readonly now: number;
  /** Is a series of the file held already? */
  isHeld(series: FileSeries): boolean;
}

/**
 * Walk: rows gather by series; a full stretch becomes a commit that replaces what was held between its first and its last
 * date; the last stretch of a series reaches to the end of the file and brings the proof. So inside of the file's dates
 * what is not listed vanishes, and outside of them nothing is touched: a file of 90 days never looks like a deletion.
 */
export function* commitsOf(survey: Survey, context: CommitContext): Generator<PageCommit> {
  const open = new Map<string, Stretches>();
  // A series that the file only names is none, unless earlier rows of it have to go.
  for (const [name, one] of survey.series)
    if (one.rows > 0 || context.isHeld(one.series)) open.set(name, stretchesOf(survey, one));
  for (const line of survey.format.read(survey.file)) {
    for (const told of line.rows) {
      const stretches = open.get(nameOfFileSeries(told.series));
      const full = stretches?.add({ date: line.date, line, row: newRow(survey.format, line, told, context.now) });
      if (full) yield commitOf(survey, full, context);
    }
  }
  for (const stretches of open.values()) for (const last of stretches.finish()) yield commitOf(survey, last, context);
}

/** The row with the time at which its value became known, as far as the description may say so. */
function newRow(
  { publication }: ImportFormat,
  { date, number }: FileLine,
  { row, knownFrom }: FileRow,
  now: number,
): NewRow {
  const known = publication.revised === 'never' ? publication.at(date) : knownFrom;
  if (known === undefined) return row;
  if (known * 1000 < dateToMs(date))
    throw refuse(`${date} is later than the file that it stands in.`, { line: number });
  // A file that came before the usual time shows that its values were public by then.
  return { ...row, assumedRelease: Math.min(known, Math.floor(now / 1000)) };
}

interface HeldRow {
  readonly date: string;
  readonly line: FileLine;
  readonly row: NewRow;
}

/** Rows of a series between two dates of the file. */
interface Stretch {
  readonly series: SurveyedSeries;
  readonly rows: readonly NewRow[];
  readonly from: string;
  readonly to: string;
  readonly isLast: boolean;
}

interface Stretches {
  /** A stretch that is full by then. */
  add(row: HeldRow): Stretch | undefined;
  finish(): Iterable<Stretch>;
}

function stretchesOf({ from: first, to: last }: Survey, series: SurveyedSeries): Stretches {
  let [from, to] = [first, last];
  let held: HeldRow[] = [];
  const isAscending = series.order !== 'descending';
  const cut = (): Stretch => {
    const end = held.at(-1)?.date ?? last;
    const bounds = isAscending ? { from, to: end } : { from: end, to };
    if (isAscending) from = addDays(end, 1);
    else to = addDays(end, -1);
    const rows = held.map(({ row }) => row);
    held = [];
    return { series, rows, ...bounds, isLast: false };
  };
  return {
    add(row) {
      // The row behind a full stretch shows that it is not the last one.
      const full = series.order !== 'mixed' && held.length === STRETCH ? cut() : undefined;
      held.push(row);
      return full;
    },
    *finish() {
      if (series.order === 'mixed') {
        const sorted = inOrder(held);
        held = [];
        for (const row of sorted) {
          if (held.length === STRETCH) yield cut();
          held.push(row);
        }
      }
      yield { series, rows: held.map(({ row }) => row), from, to, isLast: true };
    },
  };
}

function inOrder(held: readonly HeldRow[]): readonly HeldRow[] {
  const sorted = [...held].sort((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
  for (const [place, { date, line }] of sorted.entries())
    if (sorted[place - 1]?.date === date) throw refuse(`${date} stands in the file twice.`, { line: line.number });
  return sorted;
}

function commitOf(survey: Survey, stretch: Stretch, { now }: CommitContext): PageCommit {
  const { format, file } = survey;
  const { series, rows } = stretch.series;
  const question = `import ${format.id} ${Object.values(series.scope).join('/')}`;
  const covers = fileCoverageOf(survey, series.begins ?? format.begins);
  return {
    series: { origin: originOf(format), endpoint: series.endpoint, scope: series.scope },
    nature: 'real',
    access: FILE_ACCESS,
    request: fileRequest(survey, covers),
    question,
    // The digest makes another file another answer: a file that changes no row is noted as well.
    envelope: { text: toJsonText(series.envelope), inputs: `${question} sha256:${file.digest}` },
    rows: stretch.rows,
    extent: 'replaces',
    window: { from: stretch.from, to: stretch.to },
    ...(stretch.isLast && { proof: { ...proofOf(covers), rows } }),
    at: now,
  };
}

export const originOf = ({ publisher }: Pick<ImportFormat, 'publisher'>): string => `import:${publisher}`;
