import { CURRENCY_WORDS } from '../commands/series-words.ts';
import type { CompletionPosition } from './model.ts';

/**
 * What words mean, for shells that show it: each by itself, and by its place in front of it (`mirror export`) where it is a
 * command or means something else there than in most places.
 */
export function describedWords(positions: readonly CompletionPosition[]): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
  const currencies = CURRENCY_WORDS.map((code): readonly [string, string] => [
    code,
    names.of(code.toUpperCase()) ?? '',
  ]);
  const commands = positions.flatMap(({ path, children }) =>
    children.map(({ word, doc }): readonly [string, string] => [`${path} ${word}`.trim(), doc]),
  );
  return new Map([...currencies, ...describedFlags(positions), ...commands].filter(([, doc]) => doc !== ''));
}

/** Each flag once, as most commands have it; with its place where it differs. */
function describedFlags(positions: readonly CompletionPosition[]): readonly (readonly [string, string])[] {
  const uses = positions.flatMap(({ path, options }) =>
    options.flatMap(({ flags, doc }) => flags.filter(isLong).map((flag) => ({ path, flag, doc }))),
  );
  return [...Map.groupBy(uses, ({ flag }) => flag)].flatMap(([flag, all]) => {
    const [usual] = [...Map.groupBy(all, ({ doc }) => doc)].sort(([, a], [, b]) => b.length - a.length);
    const others = all.filter(({ doc }) => doc !== usual?.[0]);
    return [
      [flag, usual?.[0] ?? ''] as const,
      ...others.map(({ path, doc }) => [`${path} ${flag}`.trim(), doc] as const),
    ];
  });
}

const isLong = (flag: string) => flag.startsWith('--');
