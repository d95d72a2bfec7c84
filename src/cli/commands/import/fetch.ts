import { dirname, join, relative } from 'node:path';
import { isoSeconds } from '../../../contract/time/time.ts';
import { hinted, MacroError } from '../../../errors.ts';
import { type PlannedFetch, planUnit, shownAddresses } from '../../../imports/fetch/plan.ts';
import { type FetchedUnit, fetchUnit, writeFetched } from '../../../imports/fetch/run.ts';
import { readUnitStates } from '../../../imports/fetch/state.ts';
import { askedAt, fetchedByHand, readUnits } from '../../../imports/fetch/units.ts';
import type { ImportFormat } from '../../../imports/format.ts';
import type { App } from '../../app/app.ts';
import { fetchOptions } from '../../app/publishers.ts';
import { isOn, textOption } from '../../parse/options.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import type { Call } from '../command.ts';
import { listReports, noteQuestions } from './files.ts';

/**
 * Fetches the files of a publisher and imports them, all of them or none. `words` are those behind the format.
 * @throws MacroError of kind `upstream`, `protocol` or `usage`.
 */
export async function fetchAndImport(app: App, format: ImportFormat, { words, options }: Call): Promise<void> {
  const typed = ['start', 'vintages', 'as'].flatMap((name) => {
    const value = textOption(options, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  const units = readUnits([format.id, ...words, ...typed], app.settings.publishers.value) ?? [];
  const areNewer = isOn(options, 'newer');
  const time = { isNamed: true, full: areNewer };
  const states = await readUnitStates((await app.mirrorIfAny())?.mirror, units);
  if (app.isDryRun) {
    const now = app.platform.clock.now();
    const addresses = units.flatMap((unit, place) => {
      const state = states[place];
      return state ? planUnit(unit, state, { ...time, now }).map(({ address }) => address) : [];
    });
    return printAddresses(app, addresses);
  }
  const fetched: FetchedUnit[] = [];
  const bar = openProgressBar(app, app.platform.clock);
  const shared = fetchOptions(app);
  const fetching = {
    ...shared,
    ...time,
    areNewer,
    onFetch: (planned: PlannedFetch) => {
      shared.onFetch?.(planned);
      bar.show({ what: planned.file, requests: shared.client.sent() + 1 });
    },
  };
  try {
    for (const [place, unit] of units.entries()) {
      const state = states[place];
      if (state) fetched.push(await fetchUnit(unit, state, fetching));
    }
    // A fetch that failed leaves no new mirror behind.
    const mirror = await app.writable();
    const now = app.platform.clock.now();
    const onRows = (done: number, of: number) => bar.show({ share: done / Math.max(of, 1), rows: done });
    const reports = await writeFetched(fetched, { mirror, now, areNewer, onRows });
    await tellUnchanged(app, fetched);
    await listReports(app, reports, 'Imported');
    await noteQuestions(
      app,
      fetched.flatMap(({ surveys }) => surveys),
    );
    if (reports.some(({ added }) => added > 0))
      await app.note(`Terms: ${format.terms} ${format.download?.termsPage ?? ''}`, 'terms');
  } catch (error) {
    throw withSample(app, format, error);
  } finally {
    for (const one of fetched) one.discard();
  }
}

/** A file that every clone has, for a machine without a network. */
const SAMPLE = { format: 'ecb', path: 'test/fixtures/official/ecb-eurofxref-2026-04-13.csv' } as const;

function withSample({ platform: { files, program, cwd } }: App, { id }: ImportFormat, error: unknown): unknown {
  const path = join(dirname(dirname(program.at(-1) ?? '')), SAMPLE.path);
  if (!(error instanceof MacroError) || error.code !== 'network' || id !== SAMPLE.format || !files.exists(path))
    return error;
  return hinted(error, `Without a network, this clone has sixty dates: macro import ${relative(cwd, path) || path}`);
}

async function tellUnchanged(app: App, fetched: readonly FetchedUnit[]): Promise<void> {
  for (const { notes, unchanged } of fetched) {
    for (const note of notes) await app.note(note, 'not_there_yet');
    for (const { past, at } of unchanged)
      await app.note(`${past.file} is as it was, checked at ${isoSeconds(Math.floor(at / 1000))}.`, 'unchanged');
  }
}

/** Prints where the files of a format are, and fetches nothing. */
export async function printAddressOf(app: App, format: ImportFormat, { words }: Call): Promise<void> {
  const { download } = format;
  const own = app.settings.publishers.value[format.id]?.address;
  if (!download) return;
  if (download.address === undefined && own === undefined) {
    const { hint = '' } = fetchedByHand(format, download);
    await app.note(hint, 'by_hand');
    return app.printText(download.page);
  }
  const isBare = words.length === 0 && download.ids?.defaults.length === 0;
  const named = [format.id, ...words, ...(download.vintages ? ['vintages=1900'] : [])];
  const units = isBare
    ? [{ download: askedAt(download, own), id: '{id}', start: undefined }]
    : (readUnits(named, app.settings.publishers.value) ?? []);
  await printAddresses(app, units.flatMap(shownAddresses));
}

async function printAddresses(app: App, addresses: readonly string[]): Promise<void> {
  await app.printText([...new Set(addresses)].join('\n'));
}
