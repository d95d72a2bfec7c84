import type { Candidates, CompletionPosition } from './model.ts';

/** Arms of a `case` that bash and zsh read alike: a pattern and the candidates that it stands for. */
export interface Arm {
  readonly pattern: string;
  readonly candidates: Candidates;
}

/** `path --flag` to the values of the flag. The start of the line stands for options before any command. */
export function valueArms(places: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    places.flatMap(({ path, options }) =>
      options.flatMap(({ flags, values }) =>
        values === undefined ? [] : flags.map((flag) => ({ pattern: quoted(`${path} ${flag}`), candidates: values })),
      ),
    ),
  );
}

/** `path` to its flags. */
export function flagArms(places: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    places.map(({ path, options }) => ({
      pattern: quoted(path),
      candidates: options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))),
    })),
  );
}

/** `path slot` to the words that may stand there. */
export function slotArms(places: readonly CompletionPosition[]): readonly Arm[] {
  return merge(
    places.flatMap(({ path, children, slots, repeats }) => {
      const arms: Arm[] = slots.map((slot, i) => ({
        pattern: repeats && i === slots.length - 1 ? `${quoted(`${path} `)}*` : quoted(`${path} ${i}`),
        candidates: slot === 'file' ? slot : i === 0 ? [...children, ...slot] : slot,
      }));
      return slots.length > 0 || children.length === 0
        ? arms
        : [{ pattern: quoted(`${path} 0`), candidates: children }];
    }),
  );
}

/** The lines of a `case` that put the candidates into a variable. */
export function armsOf(arms: readonly Arm[], variable: string): string {
  const listOf = ({ candidates }: Arm) => (candidates === 'file' ? '<file>' : candidates.join(' '));
  return arms.map((arm) => `    ${arm.pattern}) ${variable}='${listOf(arm)}' ;;`).join('\n');
}

/** Paths of commands, without the start. */
export function pathPattern(places: readonly CompletionPosition[]): string {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|');
}

/** Arms with the same candidates become one. */
function merge(arms: readonly Arm[]): readonly Arm[] {
  const byWords = new Map<string, Arm>();
  for (const arm of arms) {
    const id = arm.candidates === 'file' ? 'file' : arm.candidates.join(' ');
    if (id === '') continue;
    const known = byWords.get(id);
    byWords.set(id, known ? { ...known, pattern: `${known.pattern}|${arm.pattern}` } : arm);
  }
  return [...byWords.values()];
}

function quoted(text: string): string {
  return `'${text}'`;
}
