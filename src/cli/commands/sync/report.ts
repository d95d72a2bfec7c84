import { MIRROR_INCOMPLETE } from '../../../contract/answer-members.ts';
import { MacroError } from '../../../errors.ts';
import type { SeriesProblem, SeriesReport, SyncReport } from '../../../sync/report.ts';
import { type App, formatFor } from '../../app/app.ts';
import { isOn } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';

const COLUMNS = [
  'series',
  'outcome',
  'requests',
  'added',
  'revised',
  'vanished',
  'unchanged',
  'code',
  'problem',
] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['unchanged', 'vanished', 'code'] as const;

/** Prints what a run did: a row for each series that was asked; under `--quiet` one line, or one JSON object. */
export async function printReport(app: App, report: SyncReport): Promise<void> {
  const { outcome, requests, skipped, series } = report;
  const requested = series.filter(wasAsked);
  const fresh = series.length - requested.length;
  const beside = { outcome, requests, rows: report.rows, series: series.length, fresh, skipped };
  if (isOn(app.options, 'quiet')) {
    await warnOfFailed(app, report);
    return app.printText(formatFor(app) === 'json' ? JSON.stringify(beside) : summaryOf(report, fresh));
  }
  const rows = requested.map(({ name, outcome: of, requests: spent, rows: counts, problem }) => ({
    series: name,
    outcome: of,
    requests: spent,
    ...counts,
    code: problem?.code ?? null,
    problem: problem ? [problem.message, problem.hint].filter(Boolean).join(' ') : null,
  }));
  const title = [`Sync ${outcome}`, counted(requests, 'request'), ...(fresh > 0 ? [`${fresh} series up to date`] : [])];
  await app.print(listOwn({ columns: COLUMNS, spare: SPARE, rows, title, beside }));
}

/** An answer may have cost nothing. */
function wasAsked({ requests, outcome, rows }: SeriesReport): boolean {
  return requests > 0 || outcome !== 'complete' || Object.values(rows).some((count) => count > 0);
}

function summaryOf({ outcome, requests, rows, series, skipped }: SyncReport, fresh: number): string {
  const { added, revised, vanished } = rows;
  const open = series.filter((one) => one.outcome !== 'complete').length + skipped;
  const state = open === 0 ? '' : `, ${open} not complete`;
  return `sync ${outcome}: ${series.length + skipped} series (${fresh} up to date${state}), ${counted(requests, 'request')}, ${added} new, ${revised} revised, ${vanished} withdrawn`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The error whose exit code tells how a run ended that did not complete; undefined for one that did. */
export function failureOf(report: SyncReport): MacroError | undefined {
  const { kind, outcome, series, skipped, end } = report;
  if (outcome === 'complete' && kind === undefined) return undefined;
  const problems = series.flatMap(({ name, problem }) => (problem ? [{ name, problem }] : []));
  const [first] = problems;
  const open = series.filter((one) => one.outcome !== 'complete').length + skipped;
  const what = `${open} of ${series.length + skipped} series ${open === 1 ? 'is' : 'are'} not complete`;
  // What the service lacks itself is one reason, however many series it lacks a part of.
  const isOne = problems.length === 1 || problems.every(({ problem }) => problem.code === MIRROR_INCOMPLETE);
  const one = isOne ? first : undefined;
  const named = one && problems.length === 1 ? problemText(one) : one?.problem.message;
  const reason = end?.message ?? named ?? (namesOf(problems) || outcome);
  return new MacroError(kind ?? 'incomplete', `${what}: ${reason}`, {
    hint: end?.hint ?? one?.problem.hint ?? RUN_AGAIN,
    ...(problems.some(({ problem }) => problem.code === MIRROR_INCOMPLETE) && { code: MIRROR_INCOMPLETE }),
    ...(end?.retryAfter !== undefined && { retryAfter: end.retryAfter }),
  });
}

const RUN_AGAIN = 'Run it again: it continues where it stopped.';

/** Names that one sentence has at most. */
const MAX_NAMES = 10;

interface NamedProblem {
  readonly name: string;
  readonly problem: SeriesProblem;
}

function namesOf(problems: readonly NamedProblem[]): string {
  const names = problems.slice(0, MAX_NAMES).map(({ name, problem }) => `${name} (${problem.code})`);
  const rest = problems.length - names.length;
  return names.length === 0 ? '' : `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

function problemText({ name, problem: { code, message } }: NamedProblem): string {
  return `${name}: ${message} (${code})`;
}

/** Names each series that failed on stderr, with its reason and its code; where it is only one, the error does so. */
async function warnOfFailed(app: Pick<App, 'warn'>, { series }: SyncReport): Promise<void> {
  const problems = series.flatMap(({ name, problem }) => (problem ? [{ name, problem }] : []));
  if (problems.length > 1) for (const one of problems) await app.warn(problemText(one), 'series_failed');
}
