import { type Endpoint, wordsFor } from '../contract/endpoint.ts';
import type { SeriesRef } from '../contract/hooks.ts';
import type { Args } from '../contract/params/param.ts';
import { loadedEndpoint } from '../endpoints/find.ts';
import { MacroError } from '../errors.ts';
import type { MirrorReader } from '../mirror/api/mirror.ts';
import { seriesOfQuestion } from './question.ts';
import { type Question, resolveAlias } from './source.ts';

/** The error for `missing` series, with the command that brings them, and `others` with other options. */
export function notMirrored(
  question: Question,
  missing: readonly SeriesRef[] = neededBy(question),
  others: readonly SeriesRef[] = [],
): MacroError {
  const names = namesOf(missing);
  const { endpoint, args } = question;
  const words = wordsFor(endpoint, args)[0] ?? endpoint.id;
  const what = names.length > 0 ? `has nothing for ${names.join(', ')}` : `cannot answer this question for ${words}`;
  const held = commandsOf(others);
  return new MacroError('notFound', `The mirror ${what}.${held === '' ? '' : ` It has: ${held}.`}`, {
    status: 404,
    code: 'not_mirrored',
    hint: names.length > 0 ? `Fill it with: ${syncOf(names)}` : 'Ask the service: leave out --offline.',
  });
}

/** The same where there is no mirror at this path or address. */
export function noMirrorYet(question: Question, path: string): MacroError {
  const names = namesOf(neededBy(resolveAlias(question)));
  const fill = names.length > 0 ? `or fill one with: ${syncOf(names)}` : 'or leave out --offline.';
  return new MacroError('notFound', `There is no mirror at ${path}.`, {
    code: 'no_mirror',
    hint: `Name one with --mirror FILE, ${fill}`,
  });
}

/** The questions for series as they are typed: options that nobody has to give stand behind the words. */
export function commandsOf(series: readonly SeriesRef[]): string {
  const commands = namesOf(series).map(
    (words) => `macro ${words.toLowerCase().replaceAll(/ (\w+)=(\S+)/g, ' --$1 $2')}`,
  );
  return commands.join(', ');
}

export function namesOf(series: readonly SeriesRef[]): readonly string[] {
  return [...new Set(series.flatMap(({ endpoint, scope }) => wordsFor(loadedEndpoint(endpoint), scope)))];
}

export function syncOf(names: readonly string[]): string {
  return `macro sync ${names.join(', ').toLowerCase()}`;
}

/** The endpoint's own series, unless the answer is made of others in the first place. */
export function neededBy({ endpoint, args }: Question): readonly SeriesRef[] {
  const [first, ...others] = inputsOf(endpoint, args);
  if (endpoint.mirror && (!first || first.endpoint === endpoint.id)) return [seriesOfQuestion(endpoint, args)];
  return first ? [first, ...others] : [];
}

/** The needed series that are not stored. Empty if all are: then no sync would help. */
export async function missingFor({ question, reader, present }: Asked): Promise<readonly SeriesRef[]> {
  const { endpoint, args } = question;
  const lists = endpoint.compose?.lists?.(args).map(({ endpoint: id }) => id) ?? [];
  const unheld = async (series: readonly SeriesRef[]) => {
    const found = await Promise.all(series.map((ref) => (lists.includes(ref.endpoint) ? present : reader).find(ref)));
    return series.filter((_, i) => found[i]?.length === 0);
  };
  const needed = await unheld(neededBy(question));
  return needed.length > 0 ? needed : unheld(inputsOf(endpoint, args));
}

interface Asked {
  readonly question: Question;
  readonly reader: MirrorReader;
  /** Lists are read as they are now. */
  readonly present: MirrorReader;
}

function inputsOf({ compose }: Endpoint, args: Args): readonly SeriesRef[] {
  return compose ? [...compose.reads(args), ...(compose.lists?.(args) ?? [])] : [];
}
