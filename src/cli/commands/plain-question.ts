import type { Endpoint } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../endpoints/index.ts';
import type { Options } from '../parse/options.ts';
import { type ParsedQuestion, readQuestion } from '../parse/question.ts';
import { childWords } from './tree.ts';

/** Endpoints whose rows are a date and one number, as publishers have them. */
const PLAIN: ReadonlySet<string> = new Set(['announcements', 'forex', 'commodities']);

const isPlain = ({ id }: Endpoint): boolean => PLAIN.has(id);

/** The command words of those endpoints. */
export function plainCommands(): readonly string[] {
  return ENDPOINTS.filter(isPlain).flatMap(({ cli }) => (cli ? [cli.words.join(' ')] : []));
}

/**
 * Reads words such as `fx eur usd` as a question about one number for each date; undefined where they are none.
 * @throws MacroError of kind `usage`.
 */
export function readPlainQuestion(words: readonly string[], options: Options, now: number): ParsedQuestion | undefined {
  const endpoint = ENDPOINTS.filter(isPlain).find(({ cli }) =>
    cli?.words.every((word, place) => words[place] === word),
  );
  if (!endpoint?.cli) return undefined;
  const call = { words: words.slice(endpoint.cli.words.length), options };
  return readQuestion(endpoint, call, { now, siblings: childWords(endpoint.cli.words) });
}
