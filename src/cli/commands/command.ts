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

/** A positional word. */
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
 * What a shell completes beside fixed words: `selection` is the words of another command, separated by commas; `topics` is the
 * path of one; `currencies` is a table of ours; all others are lists that the program keeps for shells. `indicators` are those of the currency in front.
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
  /** Refuses a file of `--output` that it cannot write; who prints rows writes every format when left out. */
  readonly checkFile?: (file: string) => void;
  /** It changes something for good: it has `--dry-run`, and what it changes goes through `app.change`. */
  readonly changes?: true;
  /** Runs it; heavy modules are loaded inside, with a dynamic import. */
  readonly run: Run;
}

type Run = (app: App, call: Call) => Promise<void>;

/** A command beside what it does. The list of all commands puts it into its section. */
export interface CommandDeclaration extends Omit<CommandSpec, 'section' | 'words'> {
  /** None when left out. */
  readonly words?: readonly WordSpec[];
}

/** Runs a function of a module that is loaded by then. The bundler finds the module by the literal `import` of the caller. */
export function lazy<Name extends string>(load: () => Promise<Readonly<Record<NoInfer<Name>, Run>>>, name: Name): Run {
  return async (app, call) => (await load())[name](app, call);
}
