import type { Endpoint } from '../../../contract/endpoint.ts';
import { readParams } from '../../../contract/params/read-params.ts';
import { dateOf, isCalendarDate } from '../../../contract/time/time.ts';
import { INDICATORS } from '../../../contract/words/indicators.ts';
import { nearest } from '../../../contract/words/nearest.ts';
import { endpointById, INTERFACE } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { Question } from '../../../source/source.ts';
import { readDateWord } from '../../parse/dates.ts';
import { wrongWords } from '../../parse/words.ts';

/** Which row `macro why` is asked about: a row of what an answer is made of, or of held series that words name. */
export type WhyQuestion =
  | { readonly kind: 'answer'; readonly question: Question; readonly row: string }
  | {
      readonly kind: 'series';
      readonly endpoints: readonly Endpoint[];
      readonly words: readonly string[];
      readonly row: string;
    };

const EXAMPLES = 'macro why usd/inflation 2026-09-30, macro why gbp/jpy 2026-11-20, macro why cot eur 2026-11-10';

/**
 * Reads the words, of which the last one names the row. Two words before it are a pair, or a currency and an indicator; with
 * the words of another command in front they name series of that.
 * @throws MacroError of kind `notFound`.
 */
export function readWhy(words: readonly string[], now: number): WhyQuestion {
  const parts = words
    .flatMap((word, i) => (i > 0 && i === words.length - 1 ? [word] : word.split('/')))
    .filter((word) => word !== '');
  const typed = parts.pop() ?? '';
  const date = readDateWord(typed, dateOf(now));
  const row = isCalendarDate(date) ? date : typed;
  const { endpoints, rest } = endpointsNamed(parts);
  const [endpoint] = endpoints;
  if (endpoint === undefined || endpoint.id === 'forex' || endpoint.id === 'announcements')
    return { kind: 'answer', question: answerOf(pairOf(rest), { date: row, now, command: endpoint?.id }), row };
  if (endpoints.some(({ mirror }) => mirror)) return { kind: 'series', endpoints, words: parts, row };
  throw computed(parts);
}

/** No row of that is held, and none will be. */
export function computed(words: readonly string[]): MacroError {
  return new MacroError(
    'notFound',
    `No series of the mirror is named '${words.join(' ')}': such an answer is computed of other series, or of none.`,
    { code: 'computed', hint: `Ask about a series that it is computed of. For example: ${EXAMPLES}` },
  );
}

/** The endpoints whose command the words begin with: of `fx` and `fx reference` the longer one. */
function endpointsNamed(parts: readonly string[]): { endpoints: readonly Endpoint[]; rest: readonly string[] } {
  for (let length = parts.length; length > 0; length -= 1) {
    const command = parts.slice(0, length).join(' ').toLowerCase();
    const endpoints = INTERFACE.filter(({ cli }) => cli?.words.join(' ') === command);
    if (endpoints.length > 0) return { endpoints, rest: parts.slice(length) };
  }
  return { endpoints: [], rest: parts };
}

/** One word that stands for a pair becomes two. */
function pairOf(parts: readonly string[]): readonly string[] {
  const [only = ''] = parts;
  return parts.length === 1 && /^[a-z]{6}$/i.test(only) ? [only.slice(0, 3), only.slice(3)] : parts;
}

interface Asked {
  readonly date: string;
  readonly now: number;
  /** Endpoint of the command that the words begin with. */
  readonly command: string | undefined;
}

/** The question whose answer has the number. */
function answerOf(named: readonly string[], { date, now, command }: Asked): Question {
  if (!isCalendarDate(date))
    throw wrongWords(`'${date}' is no date: macro why ends with the date of the number.`, `For example: ${EXAMPLES}`);
  const [first, second] = named;
  if (first === undefined || second === undefined || named.length > 2 || !/^[a-z]{3}$/i.test(first))
    throw wrongWords(
      'macro why needs CCY/INDICATOR, BASE/QUOTE or the words of a series, then a date.',
      hintFor(named),
    );
  // A file may have a currency that no list names.
  const isPair =
    /^[a-z]{3}$/i.test(second) && command !== 'announcements' && !INDICATORS.includes(second.toLowerCase());
  const endpoint = endpointById(isPair ? 'forex' : 'announcements');
  if (!endpoint) throw new Error('the endpoints of rates and of announcements are always there');
  const path = isPair ? { base: first, quote: second } : { currency: first, indicator: second };
  const query = { start_date: date, end_date: date };
  return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now }).args };
}

function hintFor([first = '']: readonly string[]): string {
  const commands = INTERFACE.flatMap(({ cli, mirror }) => (cli && mirror ? [cli.words[0] ?? ''] : []));
  const meant = first.length > 3 ? nearest(first.toLowerCase(), commands) : undefined;
  return meant ? `Did you mean macro why ${meant}?` : `For example: ${EXAMPLES}`;
}
