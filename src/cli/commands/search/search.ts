import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../output/own-listing.ts';
import { textOption } from '../../parse/options.ts';
import type { Call } from '../command.ts';
import { commandsUnder } from '../tree.ts';
import { CURRENCIES, searchEntries } from './entries.ts';
import type { SearchEntry } from './entry.ts';
import { storedEntries } from './held.ts';
import { rank, type SearchResult } from './rank.ts';

const COLUMNS = ['kind', 'word', 'name', 'currencies', 'command'] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['kind', 'currencies', 'name'] as const;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

/**
 * Looks words up in the tables, in the catalogues of the mirror and in the commands. Nobody is contacted.
 * @throws MacroError of kind `usage`.
 */
export async function search(app: App, call: Call): Promise<void> {
  const { words } = call;
  if (words.every((word) => word.trim() === ''))
    throw new MacroError('usage', 'macro search needs words to look for.', {
      code: 'bad_words',
      hint: 'For example: macro search cpi',
    });
  const limit = readLimit(textOption(call.options, 'limit'));
  const held = await app.mirrorIfAny();
  const { codes, others } = splitCodes(words);
  const entries = searchEntries(held ? await storedEntries(held.mirror) : [], commandsUnder());
  const found = rank(entries.filter(isAbout(codes)), others);
  const shown = found.slice(0, limit);
  await app.print(
    listOwn({
      columns: COLUMNS,
      spare: SPARE,
      rows: shown.map((one) => rowOf(one, codes[0])),
      title: [words.join(' '), `${found.length} found`],
      beside: { count: shown.length, total_count: found.length },
    }),
  );
  if (found.length === 0)
    await app.note('Nothing is called that; macro catalogue CCY lists the indicators of a currency.', 'nothing_found');
  if (shown.length < found.length)
    await app.note(`${shown.length} of ${found.length}: --limit shows more.`, 'more_rows');
}

/** A code beside other words says whose indicator is meant; alone it is what is looked for. */
function splitCodes(words: readonly string[]): { codes: readonly string[]; others: readonly string[] } {
  const isCode = (word: string) => CURRENCIES.includes(word.toUpperCase());
  const others = words.filter((word) => !isCode(word));
  if (others.length === 0) return { codes: [], others: words };
  return { codes: words.filter(isCode).map((word) => word.toUpperCase()), others };
}

/** What no catalogue says anything about may belong to any currency. */
function isAbout(codes: readonly string[]): (entry: SearchEntry) => boolean {
  return ({ currencies }) => currencies.length === 0 || codes.every((code) => currencies.includes(code));
}

function rowOf({ entry }: SearchResult, currency: string | undefined) {
  const { kind, word, name, currencies, command } = entry;
  return {
    kind,
    word,
    name,
    currencies: currencies.length > 0 ? currencies.join(',') : null,
    command: command(currency),
  };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text.trim());
  if (/^\d{1,4}$/.test(text.trim()) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new MacroError('usage', `'${text}' is no value for --limit.`, {
    code: 'bad_number',
    hint: `Give a whole number from 1 to ${MAX_LIMIT}.`,
  });
}
