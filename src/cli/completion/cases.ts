import type { Candidates, CompletionPosition } from './model.ts';

/** An arm of a `case`, in the same form for all shells: the lines that it is for, and the words that it gives. */
export interface Arm {
  /** Each the line of a place: `path --flag`, `path` or `path slot`; one that ends in a star is for all further slots. */
  readonly lines: readonly string[];
  /** Words joined by blanks. A first word in angle brackets names what the shell looks up: `<file>`, `<indicators>`. */
  readonly words: string;
}

/** `path --flag` to the values of the flag. The start of the line stands for options before any command. */
export function valueArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.flatMap(({ path, options }) =>
      options.flatMap(({ flags, values }) =>
        values === undefined ? [] : flags.map((flag) => ({ line: `${path} ${flag}`, words: wordsOf(values) })),
      ),
    ),
  );
}

/** `path` to its flags. */
export function flagArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.map(({ path, options }) => ({
      line: path,
      words: options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))).join(' '),
    })),
  );
}

/** `path slot` to the words that may stand there. */
export function slotArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.flatMap(({ path, children, slots, repeats }) => {
      const names = children.map(({ word }) => word).join(' ');
      if (slots.length === 0) return [{ line: `${path} 0`, words: names }];
      return slots.map((slot, i) => ({
        line: repeats && i === slots.length - 1 ? `${path} *` : `${path} ${i}`,
        words: i === 0 ? [wordsOf(slot), names].filter(Boolean).join(' ') : wordsOf(slot),
      }));
    }),
  );
}

/** `path` to the words of commands below it. */
export function childArms(positions: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    positions.map(({ path, children }) => ({ line: path, words: children.map(({ word }) => word).join(' ') })),
  );
}

/** The arms in the language of bash and zsh, which put the words into a variable. */
export function armsOf(arms: readonly Arm[], variable: string): string {
  const pattern = (line: string) => (line.endsWith('*') ? `'${line.slice(0, -1)}'*` : `'${line}'`);
  return arms.map(({ lines, words }) => `    ${lines.map(pattern).join('|')}) ${variable}='${words}' ;;`).join('\n');
}

/** Paths of commands, without the start. */
export function commandPaths(positions: readonly CompletionPosition[]): readonly string[] {
  return positions.map(({ path }) => path).filter((path) => path !== '' && !path.startsWith('@'));
}

function wordsOf({ words, from }: Candidates): string {
  return [...(from ? [`<${from}>`] : []), ...words].join(' ');
}

/** Arms with the same words become one; those without words are left out. */
function merge(given: readonly { readonly line: string; readonly words: string }[]): readonly Arm[] {
  const byWords = Map.groupBy(
    given.filter(({ words }) => words !== ''),
    ({ words }) => words,
  );
  return [...byWords].map(([words, arms]) => ({ words, lines: arms.map(({ line }) => line) }));
}
