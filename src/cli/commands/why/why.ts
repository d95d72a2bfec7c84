import type { JsonText } from '../../../contract/json/json.ts';
import { MacroError } from '../../../errors.ts';
import type { MirrorReader, StoredSeries } from '../../../mirror/api/mirror.ts';
import { findAll } from '../../../source/answer/pick.ts';
import type { App } from '../../app/app.ts';
import { dataKindNote } from '../../app/data-kind.ts';
import { chosenBy, nameOfSeries, noneChosen } from '../../messages/chosen-series.ts';
import { listTexts } from '../../output/own-listing.ts';
import type { Call } from '../command.ts';
import { requireMirror } from '../mirror/require-held.ts';
import { seriesOfAnswer } from './series-of-question.ts';
import { absentRow } from './why-absent.ts';
import { computed, readWhy, type WhyQuestion } from './why-asked.ts';
import { linesOf } from './why-lines.ts';
import { keysOfRow } from './why-rows.ts';

const COLUMNS = [
  'series',
  'date',
  'val',
  'public',
  'captured',
  'mirrored',
  'until',
  'source',
  'request',
  'how',
] as const;
/** Where a row is named by more than a date, or has several numbers. */
const ROW_COLUMNS = ['series', 'row', 'val', 'fields', ...COLUMNS.slice(3)] as const;

/** Series whose rows are told at once. */
const MAX_SERIES = 50;

/**
 * Where a number came from: a value and everything that it was before, since when each was known to whom, who published it,
 * and which request or file brought it. Of a rate that is made of others, the same of each leg. Asks nobody.
 */
export async function why(app: App, call: Call): Promise<void> {
  const question = readWhy(call.words, app.platform.clock.now());
  const { mirror } = await requireMirror(app);
  const texts = await mirror.snapshot(async (reader) => {
    const series = await seriesOf(reader, question);
    const lines: { series: number; isPlain: boolean; text: JsonText }[] = [];
    for (const stored of series)
      for (const key of await keysOfRow(reader, stored, question.row))
        for (const line of await linesOf(reader, stored, key)) lines.push({ series: stored.id, ...line });
    if (lines.length === 0) throw await absentRow({ app, reader, series, row: question.row });
    return lines;
  });
  const facts = await dataKindNote(app, mirror);
  const count = new Set(texts.map(({ series }) => series)).size;
  await app.print(
    listTexts({
      columns: texts.every(({ isPlain }) => isPlain) ? COLUMNS : ROW_COLUMNS,
      texts: texts.map(({ text }) => text),
      title: [`${subjectOf(question)} on ${question.row}`, ...(count > 1 ? [`read from ${count} series`] : [])],
      facts,
    }),
  );
}

function subjectOf(question: WhyQuestion): string {
  if (question.kind === 'series') return question.words.join(' ');
  const { args } = question.question;
  return args.base ? `${args.base}/${args.quote}` : `${args.currency} ${args.indicator}`;
}

async function seriesOf(reader: MirrorReader, question: WhyQuestion): Promise<readonly StoredSeries[]> {
  if (question.kind === 'answer') return seriesOfAnswer(reader, question.question);
  const { endpoints, words } = question;
  const found = await findAll(
    reader,
    endpoints.map(({ id }) => ({ endpoint: id, scope: {} })),
  );
  const chosen = found.filter(chosenBy(words));
  if (chosen.length === 0) throw endpoints.some(({ compose }) => compose) ? computed(words) : noneChosen(words);
  if (chosen.length <= MAX_SERIES) return chosen;
  throw new MacroError('usage', `'${words.join(' ')}' names ${chosen.length} series.`, {
    code: 'several_series',
    hint: `Name fewer. For example: ${chosen.slice(0, 2).map(nameOfSeries).join(', ')}.`,
  });
}
