import type { Endpoint } from '../../contract/endpoint.ts';
import type { App } from '../app/app.ts';
import type { Options } from '../parse/options.ts';

export interface OptionSpec {
  /** Without the dashes: `base-url`, `no-header`. */
  readonly name: string;
  readonly short?: string;
  /** Name of its value in help; a switch has none. */
  readonly value?: string;
  readonly many?: boolean;
  readonly doc: string;
  /** Legal or usual values, for help and completion. */
  readonly words?: readonly string[];
  /** Further ones that only a shell is told of. */
  readonly from?: WordSource;
  /** Its value is a path of this machine. */
  readonly file?: boolean;
  /** Heading in help; `Options` when left out. */
  readonly heading?: Heading;
}

export type Heading = 'Options' | 'Rows and formats' | 'Source' | 'General';

export function headingOf({ heading = 'Options' }: OptionSpec): Heading {
  return heading;
}

export interface WordSpec {
  readonly name: string;
  readonly doc: string;
  readonly words?: readonly string[];
  /** Further ones that only a shell is told of. */
  readonly from?: WordSource;
  readonly optional?: boolean;
  readonly many?: boolean;
  readonly file?: boolean;
}

/**
 * Words that a shell looks up: `selection` and `topics` are command words, `currencies` a table, others stored lists.
 */
export type WordSource =
  | 'consumers'
  | 'currencies'
  | 'indicators'
  | 'profiles'
  | 'selection'
  | 'series'
  | 'topics'
  | 'tracked';

/** What was typed for one command. */
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
  /** What follows `macro` in two examples that work as typed. */
  readonly examples: readonly [string, string];
  /** Heading of the command list. */
  readonly section: string;
  /** It may change what shells complete: what is tracked, profiles, catalogues, consumers. */
  readonly changesWords?: true;
  /** It judges the file of `--output` itself; all others write rows, in the format that the ending of the file names. */
  readonly checksFile?: true;
  /** It changes something for good: it has `--dry-run`, and what it changes goes through `app.change`. */
  readonly changes?: true;
  readonly run: Run;
}

type Run = (app: App, call: Call) => Promise<void>;

export interface CommandData extends Omit<CommandSpec, 'run'> {
  /** Id of the endpoint that it asks. */
  readonly endpoint?: string;
}

/** A command above what it does. The list of nouns puts it into its section. */
export interface CommandDeclaration extends Omit<CommandSpec, 'options' | 'section' | 'words'> {
  /** None when left out. */
  readonly words?: readonly WordSpec[];
  /** Those of every command when left out, with those of a listing where it has rows. */
  readonly options?: readonly OptionSpec[];
  /** The fields of its rows, for `--schema`; left out where nobody can say them, or where they are those of an endpoint. */
  readonly rows?: RowFields;
  readonly rowsOf?: Endpoint;
  /** The fields under an option that makes other rows of it, by its name. */
  readonly rowsUnder?: Readonly<Record<string, RowFields>>;
}

/**
 * Fields in order, `id count, file text, undone_at time?`: `name?` may be absent, `kind?` null, `^name` is a pattern.
 */
export type RowFields = string;

export function fieldNames(rows: RowFields): readonly string[] {
  return rows.split(/,\s+/).map((field) => field.replace(/\?? .*$/, ''));
}

/** Runs a function of a module that is loaded by then. The bundler finds the module by the literal `import` of the caller. */
export function lazy<Name extends string>(load: () => Promise<Readonly<Record<NoInfer<Name>, Run>>>, name: Name): Run {
  return async (app, call) => (await load())[name](app, call);
}
