import { MacroError } from '../../../errors.ts';
import type { CsvMapping } from '../../../imports/generic/mapping.ts';
import type { CsvTarget } from '../../../imports/generic/targets.ts';
import { seriesOfQuestion } from '../../../source/question.ts';
import { plainCommands, readPlainQuestion } from '../plain-question.ts';

/**
 * The series that a question is about, as the target of a table.
 * @throws MacroError of kind `usage`.
 */
export function readTarget(question: string, { unit, publisher }: CsvMapping, now: number): CsvTarget {
  const parsed = readPlainQuestion(question.trim().split(/\s+/), {}, now);
  if (!parsed) throw noTarget(question);
  const { endpoint, args } = parsed.question;
  const { scope } = seriesOfQuestion(endpoint, args);
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

function noTarget(question: string): MacroError {
  return new MacroError('usage', `'${question}' is no question about one number for each date.`, {
    code: 'bad_option',
    hint: `--as takes one about ${plainCommands().join(', ')}, such as --as 'announcements usd inflation'.`,
  });
}
