import { resolve } from 'node:path';
import { CLIENT_VERSION } from '../../client/http/version.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { MetricFamily, MetricSample } from '../../serve/server-metrics.ts';
import { seriesOfQuestion } from '../../source/question.ts';
import { type App, fileOption } from '../app/app.ts';
import type { CommandDeclaration } from './command.ts';
import { GENERAL } from './common-options.ts';
import { readStatus, type StatusReport, type TrackState } from './status.ts';

export default [
  {
    path: ['metrics'],
    summary: 'Print freshness, age, rows and gaps of tracked series, the last run and quota as Prometheus text',
    options: [
      `-o, --output FILE [Rows and formats]: the file for a textfile collector; it is replaced as a whole`,
      ...GENERAL.filter(({ name }) => name !== 'format'),
    ],
    checksFile: true,
    examples: ['metrics', 'metrics -o macro.prom'],
    run: printMetrics,
  },
] satisfies readonly CommandDeclaration[];

/** Prints the metrics. With `-o FILE` the file is replaced as a whole, as a textfile collector needs it. */
async function printMetrics(app: App): Promise<void> {
  const text = await collectMetrics(app);
  const target = fileOption(app.options);
  if (target === undefined) return app.platform.io.stdout.write(text);
  app.platform.files.write(resolve(app.platform.cwd, target), text);
}

/** Reads everything anew and gives the text that Prometheus scrapes. Nobody is contacted. */
export async function collectMetrics(app: App): Promise<string> {
  const report = await readStatus(app);
  const { open } = report.mirror;
  const groups = await Promise.all(
    report.states.map(async (state) => ({ ...state, rows: open && (await rowsOf(open, state)) })),
  );
  const now = app.platform.clock.now();
  const { prometheusText } = await import('../../serve/server-metrics.ts');
  return prometheusText([
    ...toolMetrics(report),
    ...groupMetrics(groups, now),
    ...runMetrics(report),
    ...quotaMetrics(report),
  ]);
}

interface Group extends TrackState {
  readonly rows: number | undefined;
}

async function rowsOf(mirror: Mirror, { targets, stored = [] }: TrackState): Promise<number> {
  let rows = 0;
  for (const series of stored) rows += await mirror.count(series, {});
  for (const { endpoint, args } of targets)
    for (const series of await mirror.find(seriesOfQuestion(endpoint, args))) rows += await mirror.count(series, {});
  return rows;
}

function gauge(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name: `macro_${name}`, help, samples };
}

const one = (value: number | undefined): readonly MetricSample[] => [{ value }];

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);

function toolMetrics({ mirror, states, scheduled, verified }: StatusReport): readonly MetricFamily[] {
  return [
    gauge('build_info', 'Version of the program.', [{ labels: { version: CLIENT_VERSION }, value: 1 }]),
    gauge('mirror_readable', 'Whether there is a mirror that can be read.', one(mirror.open ? 1 : 0)),
    gauge('mirror_size_bytes', 'Size of the mirror file.', one(mirror.bytes)),
    gauge('mirror_verified_timestamp_seconds', 'When all stored rows were last verified.', one(seconds(verified?.at))),
    gauge('mirror_verify_problems', 'Problems that the last check of all rows found.', one(verified?.problems)),
    gauge('tracked_groups', 'Groups of series that are tracked.', one(states.length)),
    gauge('schedule_entries', 'Schedulers that run a sync by themselves.', one(scheduled.length)),
  ];
}

const SILENT = 'Whether the publisher of the group is silent for longer than its calendar allows.';

function groupMetrics(groups: readonly Group[], now: number): readonly MetricFamily[] {
  const each = (name: string, help: string, value: (group: Group) => number | undefined) => {
    const samples = groups.map((group) => ({ labels: { group: group.selection }, value: value(group) }));
    return gauge(name, help, samples);
  };
  const isFresh = ({ stale, storedCount, series }: Group) => (stale === 0 && storedCount === series ? 1 : 0);
  return [
    each('group_fresh', '1 if every series of the group is complete and not stale.', isFresh),
    each('group_age_seconds', 'Time since the oldest check of a series in the group.', ({ checkedAt }) =>
      checkedAt === undefined ? undefined : Math.max(0, now - checkedAt) / 1000,
    ),
    each('group_series', 'Series of the group.', ({ series }) => series),
    each('group_series_stored', 'Series of the group in the mirror.', ({ storedCount }) => storedCount),
    each('group_series_due', 'Series that a sync would ask for now.', ({ due }) => due),
    each('group_rows', 'Stored rows of the group.', ({ rows }) => rows),
    each('group_silent', SILENT, ({ stored, silence }) => stored && Number(silence !== undefined)),
    each('group_gaps', 'Ranges of history that are not covered.', ({ gaps }) => gaps),
  ];
}

/** A run that is under way has neither an end nor an outcome yet. */
function runMetrics({ lastRun: run }: StatusReport): readonly MetricFamily[] {
  if (!run) return [];
  const isOk = run.outcome === undefined ? undefined : Number(run.outcome === 'complete');
  return [
    gauge('last_run_start_timestamp_seconds', 'When the last sync began.', one(seconds(run.started))),
    gauge('last_run_end_timestamp_seconds', 'When the last sync ended.', one(seconds(run.ended))),
    gauge('last_run_success', 'Whether the last sync brought everything.', one(isOk)),
    gauge('last_run_requests', 'Requests that the last sync sent.', one(run.requests)),
    gauge('last_run_rows', 'Rows that the last sync added or revised.', one(run.rows)),
    gauge('last_run_failed_series', 'Series that the last sync tried and did not bring.', one(run.failed.length)),
  ];
}

function quotaMetrics({ budgets, heldUntil }: StatusReport): readonly MetricFamily[] {
  const each = (name: string, help: string, value: (budget: (typeof budgets)[number]) => number | undefined) => {
    const samples = budgets.map((budget) => ({ labels: { budget: budget.budget }, value: value(budget) }));
    return gauge(name, help, samples);
  };
  return [
    each('quota_left', 'Requests that are left of a budget.', ({ left }) => left),
    each('quota_limit', 'Requests of a budget in all.', ({ limit }) => limit),
    each('quota_reset_timestamp_seconds', 'When a budget begins anew.', ({ resetsAt }) => seconds(resetsAt)),
    gauge('quota_held_until_timestamp_seconds', 'Until when the service asked to wait.', one(seconds(heldUntil))),
  ];
}
