import { toJsonText } from '../contract/json/json.ts';
import { addDays, BEGINNING, dateOf, dateToMs } from '../contract/time/time.ts';
import type { Mirror, NewRow, PageCommit, SeriesKey } from '../mirror/api/mirror.ts';
import { FILE_ACCESS } from '../mirror/ledger/certain.ts';
import type { ImportedSeries, Importer } from './importer.ts';
import { refuse } from './refuse.ts';

export interface ImportOptions {
  readonly importer: Importer;
  readonly bytes: Uint8Array;
  readonly mirror: Pick<Mirror, 'find' | 'commitPage'>;
  /** Milliseconds. */
  readonly now: number;
  /** The command as typed, for provenance. */
  readonly request: string;
}

export interface ImportReport {
  readonly series: number;
  readonly rows: number;
  readonly added: number;
  readonly revised: number;
  readonly vanished: number;
  readonly unchanged: number;
  /** First and last date that the file speaks about. */
  readonly from: string;
  readonly to: string;
}

/**
 * Brings a bulk file into the mirror. Walk: the importer checks the whole file; each series is brought
 * stretch by stretch, newest first: new rows are added, changed ones become revisions, and rows that the file no longer
 * lists vanish; its last stretch brings the proof; dates outside of the file
 * are left alone, so a daily or 90-day file never looks like a deletion. Stopped halfway, it is simply run again.
 */
export async function runImport(options: ImportOptions): Promise<ImportReport> {
  const read = [...options.importer.read(options.bytes)];
  refuseAhead(read, options.now);
  const total = { series: 0, rows: 0, added: 0, revised: 0, vanished: 0, unchanged: 0 };
  for (const series of read) {
    const key = seriesKey(series, options);
    let rows = 0;
    for (const commit of commitsOf(series, options)) {
      // A currency that the file only names is no series, unless earlier rows of it have to go.
      if (commit.rows.length === 0 && !(await isHeld(key, options.mirror))) break;
      const report = await options.mirror.commitPage(commit);
      total.series += rows === 0 ? 1 : 0;
      rows += commit.rows.length;
      total.added += report.added;
      total.revised += report.revised;
      total.vanished += report.vanished;
      total.unchanged += report.unchanged;
    }
    total.rows += rows;
  }
  const dates = read.flatMap(({ window }) => [window.from, window.to]).sort();
  return { ...total, from: dates[0] ?? '', to: dates.at(-1) ?? '' };
}

/** Nobody publishes the value of a day that has not come: the file is no such file, or the clock of the machine is wrong. */
function refuseAhead(read: readonly ImportedSeries[], now: number): void {
  const today = dateOf(now);
  const ahead = read.find(({ window }) => window.to > today);
  if (ahead) throw refuse(`it speaks of ${ahead.window.to}, and today is ${today} by the clock of this machine.`);
}

/** Rows of one commit: enough to be fast, few enough that the file's size does not matter to memory. */
const STRETCH = 500;

function seriesKey({ endpoint, scope }: ImportedSeries, { importer }: ImportOptions): SeriesKey {
  return { origin: `import:${importer.publisher}`, endpoint, scope };
}

/** One commit for each stretch of dates; together they cover the window without a gap. */
function* commitsOf(series: ImportedSeries, options: ImportOptions): Generator<PageCommit> {
  const { importer, now, request } = options;
  const { scope, window } = series;
  const question = `import ${importer.id} ${Object.values(scope).join('/')}`;
  let to = window.to;
  let count = 0;
  for (const { rows, isLast } of stretchesOf(series.rows)) {
    const from = isLast ? window.from : (dateOfRow(rows.at(-1)) ?? window.from);
    count += rows.length;
    yield {
      series: seriesKey(series, options),
      nature: 'real',
      access: FILE_ACCESS,
      request,
      question,
      envelope: { text: toJsonText(series.envelope), inputs: question },
      rows,
      extent: 'replaces',
      window: { from, to },
      ...(isLast && { proof: { ...proofOf(window, importer), rows: count } }),
      at: now,
    };
    to = addDays(from, -1);
  }
}

/**
 * What a file proves. One that begins where the publisher's history begins is whole: nothing came before it, and it tells
 * what there was on the day of its last row. Of any other file both ends are closed.
 */
function proofOf({ from, to }: ImportedSeries['window'], { begins }: Importer) {
  return from > begins ? { from, to } : { from: BEGINNING, to, provenAt: dateToMs(to) };
}

/** Rows in stretches of one commit each, at least one; made as they are needed. */
function* stretchesOf(all: Iterable<NewRow>): Generator<{ rows: readonly NewRow[]; isLast: boolean }> {
  let rows: NewRow[] = [];
  for (const row of all) {
    if (rows.length === STRETCH) {
      yield { rows, isLast: false };
      rows = [];
    }
    rows.push(row);
  }
  yield { rows, isLast: true };
}

function dateOfRow(row: NewRow | undefined): string | undefined {
  return typeof row?.value.date === 'string' ? row.value.date : undefined;
}

async function isHeld(series: SeriesKey, mirror: ImportOptions['mirror']): Promise<boolean> {
  const held = await mirror.find({ endpoint: series.endpoint, scope: series.scope });
  return held.some(({ origin }) => origin === series.origin);
}
