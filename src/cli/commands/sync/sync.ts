import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import { ofEverything } from '../../../sync/series/words.ts';
import type { App } from '../../app/app.ts';
import { serviceOptions } from '../../app/service.ts';
import { isOn } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { printPlan } from './plan.ts';
import { failureOf, printReport } from './report.ts';
import { notConfigured, requireLive, runOnce, type SyncOptionsTyped } from './run.ts';
import { openRunLog, type RunLog } from './run-log.ts';
import { watch } from './watch.ts';

/**
 * Brings the named series, or the tracked ones, up to date. What it could not finish the next run continues. Named series
 * are asked in any case; of the tracked ones only those that are due.
 */
export async function sync(app: App, call: Call): Promise<void> {
  const log = openRunLog(app, call.options);
  try {
    await syncLogged(app, call, log);
  } catch (error) {
    log?.failed(error);
    throw error;
  }
}

async function syncLogged(app: App, call: Call, log: RunLog | undefined): Promise<void> {
  const words = wordsOf(app, call);
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  if (isOn(call.options, 'everything'))
    await app.note(
      'Fair use asks to fetch what is needed: track what you read, and leave --everything to few runs.',
      'fair_use',
    );
  if (isOn(call.options, 'plan') || app.isDryRun) return printPlan(app, { ...words, client: await silentClient(app) });
  const live = await requireLive(app, 'background');
  const mirror = await app.writable();
  const noted = new Set<string>();
  const once = async () => {
    log?.started(words.words.join(' '));
    const done = await runOnce(app, { ...words, live, mirror, noted });
    log?.ended(done);
    return done;
  };
  if (isOn(call.options, 'watch')) return watch(app, { once, mirror, live, words: words.words });
  const report = await once();
  await printReport(app, report);
  const failure = failureOf(report);
  if (failure) throw failure;
}

function wordsOf(app: App, { words, options }: Call): SyncOptionsTyped {
  const check = isOn(options, 'check') ? ({ check: true } as const) : {};
  if (isOn(options, 'everything')) return { words: joined(ofEverything(ENDPOINTS)), ...check };
  if (words.length > 0) return { words, maxAge: 0, ...check };
  const { value: tracks, from } = app.settings.tracks;
  if (tracks.length > 0) return { words: joined(tracks.map((track) => [track])), from, ...check };
  throw new MacroError('usage', 'Nothing is named and nothing is tracked.', {
    hint: 'Name series, as in macro sync fx eur usd, or keep some: macro track add fx eur usd, calendar usd.',
  });
}

const joined = (selections: readonly (readonly string[])[]) => [selections.map((words) => words.join(' ')).join(', ')];

/**
 * A client that is not asked: it knows whose answers it would bring.
 * @throws MacroError of kind `auth`.
 */
export async function silentClient(app: App) {
  const options = serviceOptions(app);
  if (!options) throw notConfigured();
  return (await import('../../../client/create.ts')).createClient(options);
}
