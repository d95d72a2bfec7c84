import type { Endpoint } from '../../contract/endpoint.ts';
import type { App } from '../app/app.ts';
import { isOn, type Options } from '../parse/options.ts';

export interface OptionSpec {
  /** Without the dashes: `base-url`, `no-header`. */
  readonly name: string;
  readonly short?: string;
  /** Name of its value in help; a switch has none. */
  readonly value?: string;
  readonly many?: boolean;
  readonly doc: string;
  /** Legal or common values, for help and completion. */
  readonly words?: readonly string[];
  /** Further ones for shells only. */
  readonly from?: WordSource;
  /** Its value is a path of this machine. */
  readonly file?: boolean;
  /** Heading in help; `Options` when left out. */
  readonly heading?: Heading;
}

const HEADINGS = ['Options', 'Rows and formats', 'Source', 'General'] as const;
type Heading = (typeof HEADINGS)[number];

export function headingOf({ heading = 'Options' }: OptionSpec): Heading {
  return heading;
}

export interface WordSpec {
  readonly name: string;
  readonly doc: string;
  readonly words?: readonly string[];
  /** Further ones for shells only. */
  readonly from?: WordSource;
  readonly optional?: boolean;
  readonly many?: boolean;
  readonly file?: boolean;
}

/** Words that a shell looks up: `selection` and `topics` are command words, `currencies` a table, others stored lists. */
const SOURCES = [
  'consumers',
  'currencies',
  'indicators',
  'profiles',
  'selection',
  'series',
  'topics',
  'tracked',
] as const;
export type WordSource = (typeof SOURCES)[number];

export interface Call {
  readonly words: readonly string[];
  readonly options: Options;
}

/** One command as data; program, help, completion and documents read it. */
export interface CommandSpec {
  /** Words after `macro`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly words: readonly WordSpec[];
  readonly options: readonly OptionSpec[];
  /** Words after `macro` in two examples that work as typed. */
  readonly examples: readonly [string, string];
  readonly section: string;
  /** It may change the words that shells complete: tracked selections, profiles, catalogues, consumers. */
  readonly changesWords?: true;
  /** It judges the file of `--output` itself; all others write rows, in the format that the ending of the file names. */
  readonly checksFile?: true;
  /** It changes something for good: it has `--dry-run`, and what it changes goes through `app.change`. */
  readonly changes?: true;
  /** The fields of its rows, which a listing has as its columns; left out where they are those of an endpoint, or unknown. */
  readonly rows?: RowFields;
  /** The fields under an option that makes other rows of it, by its name. */
  readonly rowsUnder?: Readonly<Record<string, RowFields>>;
  readonly run: Run;
}

type Run = (app: App, call: Call) => Promise<void>;

export interface CommandData extends Omit<CommandSpec, 'run'> {
  readonly endpoint?: string;
}

/** A command above what it does. The list of nouns puts it into its section. */
export interface CommandDeclaration extends Omit<CommandSpec, 'options' | 'section' | 'words'> {
  /** None when left out; a text has one a line. */
  readonly words?: string | readonly WordSpec[];
  /** Those of every command when left out, with those of a listing where it has rows; a text has one a line. */
  readonly options?: readonly (string | OptionSpec | readonly OptionSpec[])[];
  readonly rowsOf?: Endpoint;
}

/** Fields in order, `id count, file text, undone_at time?`: `name?` may be absent, `kind?` null, `^name` is a pattern. */
export type RowFields = string;

const OPTION = /^(?:-(\w), )?--([\w-]+)(?: ([^\s([:]+?))?(\.\.\.)?(?: \((.+?)\))?(?: \[([^\]]+)\])?: (.+)$/;
const WORD = /^(\[)?([\w-]+)(\.\.\.)?\]?(?: \((.+?)\))?: (.+)$/;

/** An option as `-o, --output FILE (word|<list>) [Heading]: doc`. `NAME...` may be repeated; FILE and DIR are paths. */
export function optionIn(line: string): OptionSpec {
  const [, short, name, value, many, words, title, doc] = OPTION.exec(line) ?? [];
  if (name === undefined || doc === undefined) throw new Error(`No option is declared by: ${line}`);
  const heading = HEADINGS.find((one) => one === title);
  return {
    name,
    ...(short && { short }),
    ...(value && { value }),
    ...(many && { many: true }),
    doc,
    ...candidatesIn(words),
    ...((value === 'FILE' || value === 'DIR') && { file: true }),
    ...(heading && { heading }),
  };
}

export function optionsIn(text: string): readonly OptionSpec[] {
  return linesIn(text).map(optionIn);
}

/** A word as `[topic...] (word|<list>): doc`: in brackets it is optional, with dots it repeats; a file or folder is a path. */
export function wordIn(line: string): WordSpec {
  const [, optional, name, many, words, doc] = WORD.exec(line) ?? [];
  if (name === undefined || doc === undefined) throw new Error(`No word is declared by: ${line}`);
  return {
    ...{ name, doc, ...candidatesIn(words) },
    ...(optional && { optional: true }),
    ...(many && { many: true }),
    ...(/(?:files?|folder)$/.test(name) && { file: true }),
  };
}

export function wordsIn(text: string): readonly WordSpec[] {
  return linesIn(text).map(wordIn);
}

/** Legal words with bars between them; one in angle brackets names what a shell looks up. */
function candidatesIn(text = ''): Pick<WordSpec, 'words' | 'from'> {
  const all = text.split('|').filter(Boolean);
  const from = SOURCES.find((source) => all.includes(`<${source}>`));
  const words = all.filter((word) => word !== `<${from}>`);
  return { ...(words.length > 0 && { words }), ...(from && { from }) };
}

const linesIn = (text: string) => text.split('\n').flatMap((line) => line.trim() || []);

/** The fields of the rows of a command with these options, and the option that makes them others. */
export function rowsWith({ rows = '', rowsUnder = {} }: Pick<CommandSpec, 'rows' | 'rowsUnder'>, options: Options) {
  const option = Object.keys(rowsUnder).find((name) => isOn(options, name));
  return { option, rows: rowsUnder[option ?? ''] ?? rows };
}

export function fieldNames(rows: RowFields): readonly string[] {
  return rows.split(/,\s+/).map((field) => field.replace(/\?? .*$/, ''));
}

/** Runs a function of a module that is loaded by then. The bundler finds the module by the literal `import` of the caller. */
export function lazy<Name extends string>(load: () => Promise<Readonly<Record<NoInfer<Name>, Run>>>, name: Name): Run {
  return async (app, call) => (await load())[name](app, call);
}
