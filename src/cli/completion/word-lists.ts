import { join } from 'node:path';
import { unlessRefused } from '../../errors.ts';
import { type App, unlessAbsent } from '../app/app.ts';
import { foldersOf } from '../app/config-file.ts';
import { readSettings, type Settings } from '../app/settings.ts';
import { storedEntries } from '../commands/search.ts';
import { nameOfSeries, seriesByEndpoint } from '../print/series.ts';
import { cleanText } from '../print/text.ts';

/** A word that a shell completes, the list that it belongs to, and what it means. */
export interface CompletedWord {
  readonly list: string;
  readonly word: string;
  readonly about?: string | undefined;
}

const FOLDER_NAME = 'completion';

/** More than that helps nobody and makes a Tab slow. */
const MAX_LIST_WORDS = 2000;
const MAX_ABOUT_CHARACTERS = 80;

/** Writes lists that completion scripts read without starting this program; where that fails, completion offers less. */
export function writeCompletionWords(app: App): Promise<void> {
  const write = async () => {
    const { files } = app.platform;
    const folder = join(foldersOf(app.platform).state, FOLDER_NAME);
    // Read anew: the command may have changed them.
    const settings = readSettings(app.platform, app.options);
    const lists = wordLists([...ownWords(settings), ...(await mirrorWords(app, settings))]);
    files.makeFolder(folder, 0o700);
    for (const [name, text] of lists) {
      const path = join(folder, name);
      if (!files.exists(path) || files.readText(path) !== text) files.write(path, text, 0o600);
    }
    for (const name of files.list(folder)) if (!lists.has(name)) files.remove(join(folder, name));
  };
  // A mirror that cannot be opened, a folder that cannot be written: the command has said so, or does not need it.
  return unlessRefused(write, () => undefined);
}

/** The files by their names, a line a word and what it means behind a tab. Words that a shell would have to quote are left out. */
export function wordLists(words: readonly CompletedWord[]): ReadonlyMap<string, string> {
  const safe = words.filter(({ list, word }) => /^[a-z-]+$/.test(list) && /^[\w./+:-]+( [\w./+:-]+)*$/.test(word));
  const byList = Map.groupBy(safe, ({ list }) => `${list}.tsv`);
  const line = ({ word, about }: CompletedWord) =>
    `${word}\t${cleanText(about ?? '').slice(0, MAX_ABOUT_CHARACTERS)}\n`;
  return new Map(
    [...byList].map(([name, own]) => [name, [...new Set(own.map(line))].slice(0, MAX_LIST_WORDS).join('')]),
  );
}

function ownWords({ config: { profiles }, tracks }: Settings): readonly CompletedWord[] {
  const tracked = tracks.value.flatMap((words) => words.split(','));
  return [
    ...Object.entries(profiles).map(([word, { baseUrl }]) => ({ list: 'profiles', word, about: baseUrl })),
    ...tracked.map((word) => ({ list: 'tracked', word: word.trim().toLowerCase() })),
  ];
}

async function mirrorWords(app: App, settings: Settings): Promise<readonly CompletedWord[]> {
  // Read anew, as the command may have made the mirror.
  const mirror = await unlessAbsent(() => app.openMirror({ path: settings.mirror.value, mode: 'read' }));
  if (!mirror) return [];
  const entries = await storedEntries(mirror);
  const consumers = await mirror.journal.consumers();
  const stored = (await seriesByEndpoint(mirror)).flatMap(({ series }) => series);
  const names = [...new Set(stored.map((one) => nameForWhy(nameOfSeries(one), one.endpoint)))].sort();
  return [
    ...consumers.map(({ name }) => ({ list: 'consumers', word: name })),
    ...entries.map(({ slug, currency, name }) => ({
      list: `indicators-${currency.toLowerCase()}`,
      word: slug,
      about: name,
    })),
    ...names.map((word) => ({ list: 'series', word })),
  ];
}

/** `usd/inflation` and `eur/usd` are what people ask for; every other series has the words of its command. */
function nameForWhy(name: string, endpoint: string): string {
  const isShort = endpoint === 'forex' || endpoint === 'announcements';
  return isShort ? name.split(' ').slice(1).join('/') : name;
}
