import type { Endpoint } from '../../../contract/endpoint.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { CsvTarget } from '../../../imports/generic/csv-format.ts';
import type { CsvMapping } from '../../../imports/generic/mapping.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import { readQuestion } from '../../parse/question.ts';
import { childWords } from '../tree.ts';

/** The series that a question is about, as the target of a table. */
export function readTarget({ as, unit, publisher }: CsvMapping, now: number): CsvTarget {
  const words = as.trim().split(/\s+/);
  const endpoint = ENDPOINTS.filter(isPlain).find(({ cli }) =>
    cli?.words.every((word, place) => words[place] === word),
  );
  if (!endpoint?.cli) throw noTarget(as);
  const call = { words: words.slice(endpoint.cli.words.length), options: {} };
  const { question } = readQuestion(endpoint, call, { now, siblings: childWords(endpoint.cli.words) });
  const { scope } = seriesOfQuestion(endpoint, question.args);
  return {
    endpoint: endpoint.id,
    scope,
    envelope: {
      ...scope,
      source: publisher,
      ...(unit !== undefined && { unit }),
      data_quality: { source_name: publisher },
    },
    vintages: endpoint.mirror?.vintages,
  };
}

/** Endpoints whose rows are a date and one number, as publishers have them. */
const PLAIN: ReadonlySet<string> = new Set(['announcements', 'forex', 'commodities']);

const isPlain = ({ id }: Endpoint): boolean => PLAIN.has(id);

function noTarget(as: string): MacroError {
  const names = ENDPOINTS.filter(isPlain).flatMap(({ cli }) => (cli ? [cli.words.join(' ')] : []));
  return new MacroError('usage', `'${as}' is no question about one number for each date.`, {
    code: 'bad_option',
    hint: `--as takes one about ${names.join(', ')}, such as --as 'announcements usd inflation'.`,
  });
}
