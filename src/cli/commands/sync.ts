import { cutBody } from '../../contract/body.ts';
import { readParams } from '../../contract/read-params.ts';
import catalogue from '../../endpoints/catalogue/catalogue.ts';
import { ENDPOINTS } from '../../endpoints/index.ts';
import { type ErrorKind, MacroError } from '../../errors.ts';
import type { SyncReport } from '../../sync/report.ts';
import { runSync } from '../../sync/run.ts';
import { selectTargets } from '../../sync/select.ts';
import type { App, LiveSide } from '../app.ts';
import type { Call } from '../command.ts';
import { listOwn } from '../output/own-listing.ts';
import { tellBinding } from './binding.ts';

const COLUMNS = ['series', 'outcome', 'requests', 'added', 'revised', 'vanished', 'unchanged', 'problem'] as const;

/** Brings the named series, or those of the selection, up to date. What it could not finish the next run continues. */
export async function sync(app: App, call: Call): Promise<void> {
  const words = call.words.length > 0 ? call.words : app.settings.selection.value.join(', ').split(' ').filter(Boolean);
  for (const warning of app.settings.warnings) await app.warn(warning);
  if (words.length === 0)
    throw new MacroError('usage', 'Nothing is named and no selection is kept.', {
      hint: 'Name series, as in macro sync fx eur usd, or keep some: macro config set selection "fx eur usd, calendar usd".',
    });
  const live = await liveSide(app);
  const mirror = await app.writable();
  const { clock } = app.platform;
  const targets = await selectTargets(words, {
    endpoints: ENDPOINTS,
    now: clock.now(),
    indicatorsOf: (currency) => indicatorsOf(app, live, currency),
  });
  const run = () =>
    runSync({
      client: live.client,
      mirror,
      clock,
      targets,
      signal: app.signal,
      onProgress: ({ name, index, of, seen, total }) =>
        void app.progress(`${index}/${of} ${name}: ${seen}${total === undefined ? '' : ` of ${total}`} rows`),
    });
  const report = await tellBinding(app, run);
  for (const { name, notes } of report.series) for (const note of notes) await app.note(`${name}: ${note}`);
  await printReport(app, report);
  if (report.kind !== undefined) throw failure(report, report.kind);
}

async function liveSide(app: App): Promise<LiveSide> {
  const live = await app.live('background');
  if (live) return live;
  throw new MacroError('auth', 'No service is chosen, so there is nothing to sync from.', {
    code: 'not_configured',
    hint: 'macro init chooses a service; macro demo shows the tool without one.',
  });
}

/** Slugs of the currency's catalogue. */
async function indicatorsOf(app: App, { source }: LiveSide, currency: string): Promise<readonly string[]> {
  const raw = { path: { currency }, query: {} };
  const { args } = readParams(catalogue, raw, { mode: 'liberal', now: app.platform.clock.now() });
  const context = { caller: { kind: 'owner' }, now: app.platform.clock.now(), signal: app.signal } as const;
  const { body } = await source.ask({ endpoint: catalogue, args }, context);
  return cutBody(catalogue.body, body).rows.map((row) => row.name);
}

async function printReport(app: App, report: SyncReport): Promise<void> {
  const rows = report.series.map(({ name, outcome, requests, rows: counts, problem }) => ({
    series: name,
    outcome,
    requests,
    ...counts,
    problem: problem ? [problem.message, problem.hint].filter(Boolean).join(' ') : null,
  }));
  const { outcome, requests, skipped } = report;
  await app.print(
    listOwn({
      columns: COLUMNS,
      rows,
      title: [`Sync ${outcome}`, `${requests} ${requests === 1 ? 'request' : 'requests'}`],
      beside: { outcome, requests, rows: report.rows, skipped },
    }),
  );
}

/** The exit code of a run that did not complete: that of the error that decided it. */
function failure(report: SyncReport, kind: ErrorKind): MacroError {
  const first = report.series.find((one) => one.problem?.kind === kind)?.problem;
  const open = report.series.filter((one) => one.outcome !== 'complete').length + report.skipped;
  const what = `${open} of ${report.series.length + report.skipped} series ${open === 1 ? 'is' : 'are'} not complete`;
  return new MacroError(kind, `${what}: ${first?.message ?? report.outcome}`, {
    hint: first?.hint ?? 'Run it again: it continues where it stopped.',
    ...(report.retryAfter !== undefined && { retryAfter: report.retryAfter }),
  });
}
