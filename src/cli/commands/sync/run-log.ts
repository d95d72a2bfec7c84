// The log of sync runs: one line for each event, in a file that is rotated.
import { join } from 'node:path';
import { isoSeconds } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import { holderName, schedulerOf } from '../../../schedule/begun-by.ts';
import type { SyncReport } from '../../../sync/report.ts';
import type { App } from '../../app/app.ts';
import { LOG_FORMATS } from '../../log/log-formats.ts';
import { type LogFacts, logLine, logWriter, readLogFormat } from '../../log/log-writer.ts';
import { type Options, textOption } from '../../parse/options.ts';

/** Takes the events of runs. */
export interface RunLog {
  started(words: string): void;
  ended(report: SyncReport): void;
  /** An error that ended the command. */
  failed(error: unknown): void;
}

type Level = 'info' | 'warning' | 'error';

/** The log that was asked for; that of the schedule where a scheduler began the run; undefined where there is none. */
export function openRunLog(app: App, options: Options): RunLog | undefined {
  const format = readLogFormat(textOption(options, 'log-format'), LOG_FORMATS);
  const target = textOption(options, 'log') ?? (schedulerOf(app.platform.env) ? scheduleLogPath(app) : undefined);
  if (target === undefined) return undefined;
  const put = logWriter(app, target, 'run_log');
  const write = (level: Level, event: string, facts: LogFacts) =>
    put(logLine(format, { time: timeOf(app), level, event, ...facts }));
  return {
    started: (words) => write('info', 'run_started', { words, holder: holderName(app.platform.pid, app.platform.env) }),
    ended(report) {
      for (const one of report.series) {
        const { name, outcome, requests, rows, problem } = one;
        if (requests === 0 && outcome === 'complete') continue;
        const facts = { series: name, outcome, requests, added: rows.added, revised: rows.revised };
        const trouble = problem && { code: problem.code, problem: problem.message };
        write(outcome === 'complete' ? 'info' : 'warning', 'series', { ...facts, ...trouble });
      }
      const { outcome, requests, rows, series, skipped } = report;
      const facts = { outcome, requests, added: rows.added, revised: rows.revised, vanished: rows.vanished };
      const level = outcome === 'complete' ? 'info' : 'warning';
      write(level, 'run_ended', { ...facts, tried: series.length, skipped });
    },
    failed(error) {
      const known = error instanceof MacroError ? error : undefined;
      const problem = known?.message ?? (error instanceof Error ? error.message : String(error));
      write('error', 'failed', { kind: known?.kind ?? 'internal', code: known?.code, problem, hint: known?.hint });
    },
  };
}

/** Where runs are written down that a scheduler begins. */
function scheduleLogPath({ settings }: App): string {
  return join(settings.folders.state, 'sync.log');
}

const timeOf = ({ platform }: App) => isoSeconds(Math.floor(platform.clock.now() / 1000));
