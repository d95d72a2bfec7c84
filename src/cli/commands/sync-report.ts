import { MacroError } from '../../errors.ts';
import type { SeriesReport, SyncReport } from '../../sync/report.ts';
import { type App, formatFor } from '../app.ts';
import { isOn } from '../command.ts';
import { listOwn } from '../output/own-listing.ts';

const COLUMNS = ['series', 'outcome', 'requests', 'added', 'revised', 'vanished', 'unchanged', 'problem'] as const;

/** Prints what a run did: a row for each series that was asked; under `--quiet` one line, or one JSON object. */
export async function printReport(app: App, report: SyncReport): Promise<void> {
  const { outcome, requests, skipped, series } = report;
  const asked = series.filter(wasAsked);
  const fresh = series.length - asked.length;
  const beside = { outcome, requests, rows: report.rows, series: series.length, fresh, skipped };
  if (isOn(app.options, 'quiet'))
    return app.printText(formatFor(app) === 'json' ? JSON.stringify(beside) : summaryOf(report, fresh));
  const rows = asked.map(({ name, outcome: of, requests: spent, rows: counts, problem }) => ({
    series: name,
    outcome: of,
    requests: spent,
    ...counts,
    problem: problem ? [problem.message, problem.hint].filter(Boolean).join(' ') : null,
  }));
  const title = [`Sync ${outcome}`, counted(requests, 'request'), ...(fresh > 0 ? [`${fresh} series up to date`] : [])];
  await app.print(listOwn({ columns: COLUMNS, rows, title, beside }));
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
  const { kind, outcome, series, skipped, retryAfter } = report;
  if (outcome === 'complete' && kind === undefined) return undefined;
  const first = series.find((one) => one.problem?.kind === kind)?.problem;
  const open = series.filter((one) => one.outcome !== 'complete').length + skipped;
  const what = `${open} of ${series.length + skipped} series ${open === 1 ? 'is' : 'are'} not complete`;
  return new MacroError(kind ?? 'incomplete', `${what}: ${first?.message ?? outcome}`, {
    hint: first?.hint ?? 'Run it again: it continues where it stopped.',
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
