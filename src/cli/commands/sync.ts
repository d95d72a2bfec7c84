import { ENDPOINTS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/mirror.ts';
import { expandWords } from '../../sync/expand.ts';
import { joinReports, type SyncReport } from '../../sync/report.ts';
import { runSync } from '../../sync/run.ts';
import { inSession } from '../../sync/session.ts';
import type { SyncTarget } from '../../sync/target.ts';
import { ofEverything } from '../../sync/words.ts';
import type { App, LiveSide } from '../app.ts';
import { type Call, isOn } from '../command.ts';
import { serviceOptions } from '../service.ts';
import { tellBinding } from './binding.ts';
import { printPlan } from './sync-plan.ts';
import { failureOf, printReport } from './sync-report.ts';
import { watch } from './sync-watch.ts';

/**
 * Brings the named series, or the tracked ones, up to date. What it could not finish the next run continues. Named series
 * are asked in any case; of the tracked ones only those that are due.
 */
export async function sync(app: App, call: Call): Promise<void> {
  const wanted = wordsOf(app, call);
  for (const warning of app.settings.warnings) await app.warn(warning);
  if (isOn(call.options, 'everything'))
    await app.note('Fair use asks to fetch what is needed: track what you read, and leave --everything to few runs.');
  if (isOn(call.options, 'plan')) return printPlan(app, { ...wanted, client: await silentClient(app) });
  const live = await liveSide(app);
  const mirror = await app.writable();
  const once = () => runOnce(app, { ...wanted, live, mirror });
  if (isOn(call.options, 'watch')) return watch(app, { once, mirror, live, words: wanted.words });
  const report = await once();
  await printReport(app, report);
  const failure = failureOf(report);
  if (failure) throw failure;
}

/** What a run is about. */
export interface Wanted {
  readonly words: readonly string[];
  /** Milliseconds that a series may be old; its own freshness when left out. */
  readonly maxAge?: number;
  readonly check?: true;
}

function wordsOf(app: App, { words, options }: Call): Wanted {
  const check = isOn(options, 'check') ? ({ check: true } as const) : {};
  if (isOn(options, 'everything')) return { words: joined(ofEverything(ENDPOINTS)), ...check };
  if (words.length > 0) return { words, maxAge: 0, ...check };
  const { value: tracks } = app.settings.tracks;
  if (tracks.length > 0) return { words: joined(tracks.map((track) => [track])), ...check };
  throw new MacroError('usage', 'Nothing is named and nothing is tracked.', {
    hint: 'Name series, as in macro sync fx eur usd, or keep some: macro track add fx eur usd, calendar usd.',
  });
}

const joined = (selections: readonly (readonly string[])[]) => [selections.map((words) => words.join(' ')).join(', ')];

/** A client that is not asked: it knows whose answers it would bring. */
async function silentClient(app: App) {
  const options = serviceOptions(app);
  if (!options) throw notConfigured();
  return (await import('../../client/create.ts')).createClient(options);
}

async function liveSide(app: App): Promise<LiveSide> {
  const live = await app.live('background');
  if (live) return live;
  throw notConfigured();
}

function notConfigured(): MacroError {
  return new MacroError('auth', 'No service is chosen, so there is nothing to sync from.', {
    code: 'not_configured',
    hint: 'macro init chooses a service; macro demo shows the tool without one.',
  });
}

interface Run extends Wanted {
  readonly live: LiveSide;
  readonly mirror: Mirror;
}

/** One run under the lock: the catalogues that the words need first, then everything that they mean. */
async function runOnce(app: App, run: Run): Promise<SyncReport> {
  const { words, mirror } = run;
  const { clock, pid } = app.platform;
  const expand = () => expandWords(words, { endpoints: ENDPOINTS, mirror, now: clock.now() });
  const session = { mirror, clock, holder: `process ${pid}`, words: words.join(' ') };
  // Words that mean nothing are refused before anything is done.
  const first = await expand();
  const work = async () => {
    const told = await syncTargets(app, run, first.catalogues);
    if (told.outcome !== 'complete') return told;
    const { targets } = first.catalogues.length > 0 ? await expand() : first;
    return joinReports(told, await syncTargets(app, run, targets));
  };
  const report = await tellBinding(app, () => inSession(session, work));
  for (const { name, notes } of report.series) for (const note of notes) await app.note(`${name}: ${note}`);
  return report;
}

async function syncTargets(app: App, run: Run, targets: readonly SyncTarget[]): Promise<SyncReport> {
  const { live, mirror, maxAge, check } = run;
  return runSync({
    client: live.client,
    mirror,
    clock: app.platform.clock,
    targets,
    signal: app.signal,
    ...(maxAge !== undefined && { maxAge }),
    ...(check && { check }),
    onProgress: ({ name, index, of, seen, total }) =>
      void app.progress(`${index}/${of} ${name}: ${seen}${total === undefined ? '' : ` of ${total}`} rows`),
  });
}
