// The log of sync runs: one line for each event, in a file that is rotated.
import { dirname, join, resolve } from 'node:path';
import { isoSeconds } from '../../../contract/time/time.ts';
import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import { holderName, schedulerOf } from '../../../schedule/begun-by.ts';
import type { SyncReport } from '../../../sync/report.ts';
import type { App } from '../../app/app.ts';
import { cleanText } from '../../output/clean.ts';
import { type Options, textOption } from '../../parse/options.ts';
import { LOG_FORMATS, type LogFormat } from './log-formats.ts';
import { appendRotated } from './rotated-file.ts';

/** Takes the events of runs. */
export interface RunLog {
  started(words: string): void;
  ended(report: SyncReport): void;
  /** An error that ended the command. */
  failed(error: unknown): void;
}

type Level = 'info' | 'warning' | 'error';
type Facts = Readonly<Record<string, string | number | undefined>>;

/** The log that was asked for; that of the schedule where a scheduler began the run; undefined where there is none. */
export function openRunLog(app: App, options: Options): RunLog | undefined {
  const format = readLogFormat(textOption(options, 'log-format'));
  const target = textOption(options, 'log') ?? (schedulerOf(app.platform.env) ? scheduleLogPath(app) : undefined);
  if (target === undefined) return undefined;
  const put = writerFor(app, target);
  const write = (level: Level, event: string, facts: Facts) =>
    put(`${lineOf(format, { time: timeOf(app), level, event, ...facts })}\n`);
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

function readLogFormat(word: string | undefined): LogFormat {
  if (word === undefined) return 'pretty';
  const known = LOG_FORMATS.find((one) => one === word.toLowerCase());
  if (known) return known;
  throw new MacroError('usage', `There is no log format '${word}'.`, {
    code: 'unknown_format',
    hint: hintFor(word, LOG_FORMATS, `Log formats are ${LOG_FORMATS.join(', ')}.`),
  });
}

/** A log that cannot be written is said once; the run goes on. */
function writerFor(app: App, target: string): (line: string) => void {
  const { files, cwd } = app.platform;
  if (target === '-') return (line) => void app.log(line, 'run_log');
  const path = resolve(cwd, target);
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      files.makeFolder(dirname(path), 0o700);
      appendRotated(files, path, line);
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      isBroken = true;
      void app.warn(`The log is not written: ${error.message}`, 'log_unwritten');
    }
  };
}

const timeOf = ({ platform }: App) => isoSeconds(Math.floor(platform.clock.now() / 1000));

function lineOf(format: LogFormat, facts: Facts): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  if (format === 'json') return JSON.stringify(Object.fromEntries(known));
  return known.map(([name, value]) => (LEADING.has(name) ? String(value) : `${name}=${valueText(value)}`)).join(' ');
}

/** What begins a line stands there without its name. */
const LEADING = new Set(['time', 'level', 'event']);

function valueText(value: string | number | undefined): string {
  const text = cleanText(String(value));
  return /^[\w./:+-]+$/.test(text) ? text : JSON.stringify(text);
}
