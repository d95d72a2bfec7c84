import { expect, it } from 'vitest';
import { SELECTION } from '../../src/cli/commands/common-options.ts';
import { noteUnknownWords } from '../../src/cli/parse/event-filter.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';

async function notesOn(filter: Parameters<typeof noteUnknownWords>[1]): Promise<readonly string[]> {
  const notes: string[] = [];
  await noteUnknownWords({ note: async (sentence) => void notes.push(sentence) }, filter);
  return notes;
}

it('a word that no table has is a note, with the one that was meant', async () => {
  expect(await notesOn({ currencies: ['usd', 'eru'], indicators: ['infaltion', 'xyzzy'] })).toEqual([
    'eru is not in the table of currencies. Did you mean eur?',
    'infaltion is not in the table of indicators. Did you mean inflation?',
    'xyzzy is not in the table of indicators.',
  ]);
});

it('words of the tables, and filters that let everything through, are no news', async () => {
  expect(await notesOn({ currencies: ['nok'], indicators: ['policy_rate_mro'] })).toEqual([]);
  expect(await notesOn({ currencies: undefined, indicators: undefined })).toEqual([]);
});

it('a selection can begin with the first word of any endpoint that a mirror keeps', () => {
  const first = ENDPOINTS.flatMap(({ cli, mirror }) => (cli && mirror ? [cli.words[0]] : []));
  expect(SELECTION.words).toEqual([...new Set(first)].sort());
});
