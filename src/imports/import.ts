import { toJsonText } from '../contract/json.ts';
import type { AccessTag, Mirror, PageCommit, SeriesKey } from '../mirror/mirror.ts';
import type { ImportedSeries, Importer } from './importer.ts';

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
 * A file is read under nobody's key, and what it proves holds for everybody: tagged like a key's, its proofs satisfy
 * keyless questions too, and no keyless answer can ever stand in their place.
 */
const IMPORT_ACCESS: AccessTag = 'key:import';

/**
 * Brings a bulk file into the mirror. Walk: the importer checks the whole file; each series is one commit, which adds new
 * rows, turns changed ones into revisions, and lets rows vanish that the file no longer lists; dates outside of the file
 * are left alone, so a daily or 90-day file never looks like a deletion. Stopped halfway, it is simply run again.
 */
export async function runImport(options: ImportOptions): Promise<ImportReport> {
  const read = [...options.importer.read(options.bytes)];
  const total = { series: 0, rows: 0, added: 0, revised: 0, vanished: 0, unchanged: 0 };
  for (const series of read) {
    const commit = commitOf(series, options);
    // A currency that the file only names is no series, unless earlier rows of it have to go.
    if (commit.rows.length === 0 && !(await isHeld(commit.series, options.mirror))) continue;
    const report = await options.mirror.commitPage(commit);
    total.series += 1;
    total.rows += commit.rows.length;
    total.added += report.added;
    total.revised += report.revised;
    total.vanished += report.vanished;
    total.unchanged += report.unchanged;
  }
  const dates = read.flatMap(({ window }) => [window.from, window.to]).sort();
  return { ...total, from: dates[0] ?? '', to: dates.at(-1) ?? '' };
}

function commitOf(series: ImportedSeries, { importer, now, request }: ImportOptions): PageCommit {
  const { endpoint, scope, window } = series;
  const rows = [...series.rows];
  const question = `import ${importer.id} ${Object.values(scope).join('/')}`;
  return {
    series: { origin: `import:${importer.publisher}`, endpoint, scope },
    nature: 'real',
    access: IMPORT_ACCESS,
    request,
    question,
    envelope: { text: toJsonText(series.envelope), inputs: question },
    rows,
    extent: 'replaces',
    window,
    proof: { ...window, rows: rows.length },
    at: now,
  };
}

async function isHeld(series: SeriesKey, mirror: ImportOptions['mirror']): Promise<boolean> {
  const held = await mirror.find({ endpoint: series.endpoint, scope: series.scope });
  return held.some(({ origin }) => origin === series.origin);
}
