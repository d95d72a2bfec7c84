/** Brings official files into the mirror. */
import type { CommitReport, Mirror, PageCommit } from '../mirror/api/mirror.ts';
import { commitsOf, originOf } from './commits.ts';
import { type FileSeries, nameOfFileSeries } from './format.ts';
import { requireNewerState } from './older-state.ts';
import { requireOneBase, requireSameBase } from './other-base.ts';
import { requireSameScale } from './rescaled-window.ts';
import type { Survey } from './survey.ts';

export interface ImportOptions {
  /** Files that were checked. */
  readonly surveys: readonly Survey[];
  readonly mirror: Pick<Mirror, 'find' | 'rows' | 'commitStream' | 'rehearseStream'>;
  /** Find out what it would do, and leave the mirror as it is. */
  readonly isRehearsal?: boolean;
  /** The files are newer than what the mirror has, even one that ends earlier or has all values times one factor. */
  readonly areNewer?: boolean;
  /** Milliseconds. */
  readonly now: number;
  /** Called when a part of the rows is handed over: how many of all. */
  readonly onRows?: (done: number, of: number) => void;
}

export interface ImportReport {
  readonly format: string;
  readonly file: string;
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

/** Writes checked files, all of them or none: new rows are added, changed ones become revisions, missing ones vanish. */
export async function runImport(options: ImportOptions): Promise<readonly ImportReport[]> {
  const { surveys, mirror, now, onRows, isRehearsal = false } = options;
  // Of two states of one series the one that reaches further is the later one.
  const ordered = surveys.toSorted((a, b) => (a.to < b.to ? -1 : Number(a.to > b.to)));
  requireOneBase(surveys);
  for (const [place, survey] of ordered.entries()) {
    await requireSameBase(survey, mirror);
    if (options.areNewer) continue;
    await requireNewerState(survey, mirror);
    await requireSameScale(survey, { mirror, before: ordered.slice(0, place) });
  }
  const stored = await heldSeries(surveys, mirror);
  /** The file of each commit, in the order of the commits. */
  const owners: Survey[] = [];
  const series = new Map(surveys.map((survey) => [survey, new Set<string>()]));
  const whole = surveys.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  function* commits(): Generator<PageCommit> {
    for (const survey of ordered) {
      const isHeld = (one: FileSeries) => stored.has(storedName(survey, one));
      for (const commit of commitsOf(survey, { now, isHeld })) {
        owners.push(survey);
        series.get(survey)?.add(nameOfFileSeries(commit.series));
        stored.add(storedName(survey, commit.series));
        done += commit.rows.length;
        onRows?.(done, whole);
        yield commit;
      }
    }
  }
  const endpoints = endpointsIn(surveys);
  const reports = await (isRehearsal
    ? mirror.rehearseStream(endpoints, commits())
    : mirror.commitStream(endpoints, commits()));
  return surveys.map((survey) => ({
    format: survey.format.id,
    file: survey.file.name,
    series: series.get(survey)?.size ?? 0,
    rows: survey.rows,
    ...totalOf(reports.filter((_, place) => owners[place] === survey)),
    from: survey.from,
    to: survey.to,
  }));
}

/** Series of the files' publishers that the mirror has. */
async function heldSeries(surveys: readonly Survey[], mirror: ImportOptions['mirror']): Promise<Set<string>> {
  const found = await Promise.all(endpointsIn(surveys).map((endpoint) => mirror.find({ endpoint, scope: {} })));
  return new Set(found.flat().map((one) => `${one.origin} ${nameOfFileSeries(one)}`));
}

function endpointsIn(surveys: readonly Survey[]): readonly string[] {
  return [...new Set(surveys.flatMap((one) => [...one.series.values()].map(({ series }) => series.endpoint)))];
}

function storedName({ format }: Survey, series: Pick<FileSeries, 'endpoint' | 'scope'>): string {
  return `${originOf(format)} ${nameOfFileSeries(series)}`;
}

function totalOf(reports: readonly CommitReport[]) {
  const total = { added: 0, revised: 0, vanished: 0, unchanged: 0 };
  for (const { added, revised, vanished, unchanged } of reports) {
    total.added += added;
    total.revised += revised;
    total.vanished += vanished;
    total.unchanged += unchanged;
  }
  return total;
}
