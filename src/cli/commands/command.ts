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
  /** Its value is a path of this machine. */
  readonly file?: boolean;
  /** Heading in help. */
  readonly heading: Heading;
}

export type Heading = 'Options' | 'Rows and formats' | 'Source' | 'General';

/** A positional word. */
export interface WordSpec {
  readonly name: string;
  readonly doc: string;
  readonly words?: readonly string[];
  readonly optional?: boolean;
  readonly many?: boolean;
  readonly file?: boolean;
}

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
  /** Refuses a file of `--output` that it cannot write; who prints rows writes every format when left out. */
  readonly checkFile?: (file: string) => void;
  /** Runs it; heavy modules are loaded inside, with a dynamic import. */
  readonly run: (app: App, call: Call) => Promise<void>;
}
