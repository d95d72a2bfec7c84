import { hintFor } from '../../contract/words/nearest.ts';
import { ENDPOINTS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import { expandWords } from '../../sync/series/select.ts';
import type { App } from '../app/app.ts';
import { configPath, readConfig, writeConfig } from '../app/config-file.ts';
import { takenLater } from '../app/settings.ts';
import { wrongWords } from '../parse/question.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { SELECTION } from './common-options.ts';

export default [
  {
    path: ['track', 'add'],
    summary: 'Keep series up to date with every macro sync',
    words: [SELECTION],
    changes: true,
    examples: ['track add announcements usd inflation, fx eur usd', 'track add usd'],
    changesWords: true,
    run: addTracks,
  },
  {
    path: ['track', 'list'],
    summary: 'List the tracked series',
    examples: ['track list', 'track list --format json'],
    rows: 'words text, series count?',
    run: listTracks,
  },
  {
    path: ['track', 'remove'],
    summary: 'Stop tracking series; the mirror keeps their rows',
    words: [{ ...SELECTION, from: 'tracked' }],
    changes: true,
    examples: ['track remove fx eur usd', 'track remove usd'],
    changesWords: true,
    run: removeTracks,
  },
] satisfies readonly CommandDeclaration[];

/** Adds selections to what `macro sync` keeps: words of query commands, a currency, a pair. Each is checked first. */
async function addTracks(app: App, call: Call): Promise<void> {
  const selections = selectionsIn(call, 'track add');
  const before = tracksOf(app);
  const added = selections.filter((words) => !before.includes(words));
  const { splitSelections } = await import('../app/publishers.ts');
  const { units, rest } = splitSelections(app, [added.join(', ')]);
  const { notes } = await expandWords(rest, { endpoints: ENDPOINTS, mirror: undefined, now: now(app) });
  for (const { format, download } of units)
    if (download.needsContact && app.settings.publishers.value[format.id]?.contact === undefined)
      await app.note(
        `${format.id} wants a contact: macro config set publishers.${format.id}.contact ADDRESS`,
        'no_contact',
      );
  for (const note of notes) await app.note(note, 'about_tracking');
  if (added.length === 0) return app.note('That is tracked already.', 'tracked');
  if (!(await app.change(`track ${added.join(', ')}`, () => keepTracks(app, [...before, ...added])))) return;
  await app.note(`Tracked from now on: ${added.join(', ')}. ${nextStep(app, rest)}`, 'tracked');
}

function nextStep({ settings }: App, ofService: readonly string[]): string {
  if (settings.baseUrl.value === undefined && ofService.length > 0)
    return 'No service is chosen yet that could bring it: macro init does that.';
  return 'macro sync brings it; macro sync --plan tells what that costs.';
}

/** Takes selections out again; what the mirror has of them stays. @throws MacroError of kind `usage`. */
async function removeTracks(app: App, call: Call): Promise<void> {
  const before = tracksOf(app);
  const gone = selectionsIn(call, 'track remove');
  const unknown = gone.find((words) => !before.includes(words));
  if (unknown !== undefined)
    throw new MacroError('usage', `'${unknown}' is not tracked.`, {
      code: 'not_tracked',
      hint: hintFor(unknown, before, before.length === 0 ? 'Nothing is tracked.' : `Tracked: ${before.join(', ')}.`),
    });
  const left = before.filter((words) => !gone.includes(words));
  if (!(await app.change(`no longer track ${gone.join(', ')}`, () => keepTracks(app, left)))) return;
  await app.note(`No longer tracked: ${gone.join(', ')}. The stored rows stay.`, 'untracked');
}

/** Prints the tracked selections, with the number of their series as far as the mirror's catalogues tell. */
async function listTracks(app: App): Promise<void> {
  const { from } = app.settings.tracks;
  const mirror = (await app.mirrorIfAny())?.mirror;
  const { splitSelections, unitOverviews } = await import('../app/publishers.ts');
  const rows = await Promise.all(
    tracksOf(app).map(async (words) => {
      const { units } = await takenLater(from, (async () => splitSelections(app, [words]))());
      if (units.length > 0) {
        const overviews = await unitOverviews(mirror, units, now(app));
        return { words, series: overviews.reduce((sum, { series }) => sum + series.length, 0) || null };
      }
      const expanding = expandWords([words], { endpoints: ENDPOINTS, mirror, now: now(app) });
      const { targets, unknown } = await takenLater(from, expanding);
      return { words, series: unknown.length > 0 && targets.length === 0 ? null : targets.length };
    }),
  );
  await app.list({ rows, title: ['Tracked', from], beside: { from } });
}

const now = (app: App) => app.platform.clock.now();

/** Selections in one spelling: lower case, single blanks. */
function tidy(texts: readonly string[]): readonly string[] {
  const selections = texts.join(' ').split(',');
  const words = selections.map((text) => text.trim().toLowerCase().split(/\s+/).join(' '));
  return [...new Set(words)].filter((text) => text !== '');
}

function selectionsIn({ words }: Call, command: string): readonly string[] {
  const found = tidy(words);
  if (found.length > 0) return found;
  throw wrongWords(
    `macro ${command} needs words of a query command.`,
    `For example: macro ${command} announcements usd inflation, fx eur usd.`,
  );
}

function tracksOf({ settings }: App): readonly string[] {
  return settings.tracks.value.flatMap((words) => tidy([words]));
}

/** Tracks belong to the profile in use; without one to all that have none of their own. */
async function keepTracks(app: App, tracks: readonly string[]): Promise<void> {
  const { folders, profile: chosen, tracks: inForce } = app.settings;
  const { files } = app.platform;
  if (inForce.from.endsWith('.macrorc.json'))
    throw new MacroError('usage', `The tracked series here are the selection of ${inForce.from}.`, {
      code: 'project_selection',
      hint: 'Change it there, or run this in another folder.',
    });
  const config = readConfig(files, folders);
  const name = chosen.value;
  const profile = name === undefined ? undefined : config.profiles[name];
  const changed =
    name !== undefined && profile
      ? { ...config, profiles: { ...config.profiles, [name]: { ...profile, tracks } } }
      : { ...config, tracks };
  await writeConfig(files, folders, changed);
  await app.verbose(`Stored in ${configPath(folders)}.`, 'setting_kept');
}
