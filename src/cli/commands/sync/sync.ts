import { join } from 'node:path';
import { isoSeconds } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { FetchUnit } from '../../../imports/fetch/units.ts';
import { holderName, schedulerOf } from '../../../platform/schedule/scheduler.ts';
import { cureWithoutService } from '../../../source/without-service.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { expandWords, ofEverything } from '../../../sync/series/select.ts';
import type { App } from '../../app/app.ts';
import { noService, serviceOptions } from '../../app/service.ts';
import { takenLater } from '../../app/settings.ts';
import { isOn, type Options, textOption } from '../../parse/options.ts';
import { LOG_FORMATS, type LogFacts, logLine, logWriter, readLogFormat } from '../../print/lines.ts';
import type { Call, CommandDeclaration } from '../command.ts';
import { REMOTE, SELECTION } from '../common-options.ts';

export const RUN_LOG = `
  --log FILE: write one line for each event of a run; - is stderr; a schedule has a log of its own
  --log-format WORD (${LOG_FORMATS.join('|')}): form of the log; default pretty`;

export const OUTCOME = `series text, outcome text, requests count, added count, revised count, vanished count, unchanged count,
  code text?, problem text?`;

export const PLANNED = 'reason text, series text, from text?, to text?, requests count?, more text?, why text';

export default [
  {
    path: ['sync'],
    summary: 'Bring tracked or named series into the mirror and keep them up to date',
    words: [{ ...SELECTION, optional: true }],
    options: [
      `--plan: show which requests a sync would make, and why; works offline
      --watch: sync again whenever something is due, until interrupted; without a synced calendar at least once an hour
      --check: ask now whether each series is as it was; read those whole that nothing proves
      --full: read every series whole
      --everything: all that the service has, as far as it can be listed`,
      RUN_LOG,
      REMOTE,
    ],
    changes: true,
    examples: ['sync fx eur usd, announcements usd inflation', 'sync --plan ecb, announcements usd inflation'],
    changesWords: true,
    rows: OUTCOME,
    rowsUnder: { plan: PLANNED },
    run: sync,
  },
] satisfies readonly CommandDeclaration[];

export interface SyncOptionsTyped {
  readonly words: readonly string[];
  readonly units?: readonly FetchUnit[];
  /** Where the words stand when nobody typed them. */
  readonly from?: string;
  /** Milliseconds that a series may be old; its own freshness when left out. */
  readonly maxAge?: number;
  readonly check?: boolean;
  readonly full?: boolean;
}

type Level = 'info' | 'warning' | 'error';

/** Updates the named series, or due tracked series. The next run continues unfinished work. */
export async function sync(app: App, call: Call): Promise<void> {
  const log = openRunLog(app, call.options);
  try {
    await syncLogged(app, call, log);
  } catch (error) {
    log?.failed(error);
    throw error;
  }
}

async function syncLogged(app: App, call: Call, log: ReturnType<typeof openRunLog>): Promise<void> {
  const words = wordsOf(app, call);
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  if (isOn(call.options, 'everything'))
    await app.note(
      'Fair use asks you to fetch only what you need: track the series that you read, and use --everything rarely.',
      'fair_use',
    );
  const { splitSelections } = await import('../../app/publishers.ts');
  const { units, rest } = await takenLater(words.from, (async () => splitSelections(app, words.words))());
  const selected = { ...words, words: rest, units };
  // Publishers need neither a service nor a key.
  const needsService = rest.length > 0 || units.length === 0;
  if (needsService && app.settings.baseUrl.value === undefined) {
    // A word that means nothing is wrong whoever is asked.
    await takenLater(
      words.from,
      expandWords(rest, { endpoints: ENDPOINTS, mirror: undefined, now: app.platform.clock.now() }),
    );
    throw notConfigured(rest);
  }
  if (isOn(call.options, 'plan') || app.isDryRun) {
    const { printPlan } = await import('./plan.ts');
    return printPlan(app, { ...selected, client: needsService ? await silentClient(app) : undefined });
  }
  const { failureOf, printReport, requireLive, runOnce, watch } = await import('./run.ts');
  const live = needsService ? await requireLive(app, 'background') : undefined;
  const mirror = await app.writable();
  const noted = new Set<string>();
  let isRepeated = false;
  const once = async () => {
    log?.started(words.words.join(' '));
    const done = await runOnce(app, { ...selected, live, mirror, noted, isRepeated });
    isRepeated = true;
    log?.ended(done);
    return done;
  };
  if (isOn(call.options, 'watch')) return watch(app, { once, mirror, live, words: rest, units });
  const report = await once();
  await printReport(app, report);
  const failure = failureOf(report);
  if (failure) throw failure;
}

function wordsOf(app: App, { words, options }: Call): SyncOptionsTyped {
  const check = { check: isOn(options, 'check'), full: isOn(options, 'full') };
  if (isOn(options, 'everything') && words.length > 0)
    throw new MacroError('usage', 'macro sync takes --everything or words, not both.', {
      code: 'conflicting_option',
      hint: `Leave out --everything, or the words: ${words.join(' ')}`,
    });
  if (isOn(options, 'everything')) return { words: joined(ofEverything(ENDPOINTS)), ...check };
  if (words.length > 0) return { words, maxAge: 0, ...check };
  const { value: tracks, from } = app.settings.tracks;
  if (tracks.length > 0) return { words: joined(tracks.map((track) => [track])), from, ...check };
  throw new MacroError('usage', 'Nothing is named and nothing is tracked.', {
    hint: 'Name series, as in macro sync fx eur usd, or keep some: macro track add fx eur usd, calendar usd.',
  });
}

const joined = (selections: readonly (readonly string[])[]) => [selections.map((words) => words.join(' ')).join(', ')];

export function notConfigured(words?: readonly string[]): MacroError {
  return noService('there is nothing to sync from.', words && cureWithoutService(`macro sync ${words.join(', ')}`));
}

/** A client that is not asked: it knows whose answers it would bring. @throws MacroError of kind `auth`. */
export async function silentClient(app: App) {
  const options = serviceOptions(app);
  if (!options) throw notConfigured();
  return (await import('../../../client/create.ts')).createClient(options);
}

/** The log that was asked for; that of the schedule where a scheduler began the run; undefined where there is none. */
function openRunLog(app: App, options: Options) {
  const format = readLogFormat(textOption(options, 'log-format'), LOG_FORMATS);
  const own = schedulerOf(app.platform.env) ? join(app.settings.folders.state, 'sync.log') : undefined;
  const target = textOption(options, 'log') ?? own;
  if (target === undefined) return undefined;
  const put = logWriter(app, target, 'run_log');
  const write = (level: Level, event: string, facts: LogFacts) =>
    put(logLine(format, { time: isoSeconds(Math.floor(app.platform.clock.now() / 1000)), level, event, ...facts }));
  return {
    started: (words: string) => write('info', 'run_started', { words, holder: holderName(app.platform) }),
    ended(report: SyncReport): void {
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
    /** An error that ended the command. */
    failed(error: unknown): void {
      const known = error instanceof MacroError ? error : undefined;
      const problem = known?.message ?? (error instanceof Error ? error.message : String(error));
      write('error', 'failed', { kind: known?.kind ?? 'internal', code: known?.code, problem, hint: known?.hint });
    },
  };
}
